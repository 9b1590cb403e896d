/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Lets a test of imports run with a defect of hip/planted.h, which VMAFX_PLANTED names: on a GPU as
 * well, the test has to fail then.
 */
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "hip/planted.h"

namespace vmafx
{

namespace
{

constexpr struct {
    Planted defect;
    std::string_view name;
} kNames[] = {
    {Planted::kNothing, "nothing"},
    {Planted::kSkippedAcquireWait, "skipped-acquire-wait"},
    {Planted::kEarlyRelease, "early-release"},
    {Planted::kNullStream, "null-stream"},
    {Planted::kHastyLane, "hasty-lane"},
    {Planted::kUnjoinedLane, "unjoined-lane"},
};

Planted chosen()
{
    const char *wanted = std::getenv("VMAFX_PLANTED");
    for (const auto &entry : kNames)
        if (wanted && entry.name == wanted)
            return entry.defect;
    std::fprintf(stderr, "VMAFX_PLANTED names none of the defects\n");
    std::_Exit(2);
}

} // namespace

Planted planted_defect = chosen();

} // namespace vmafx
