/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A device that is lost in the middle of the work: from one call on, all of them fail. Nothing
 * crashes or hangs, every call says so, and the producers get their buffers back. A process per
 * case, since the runtime keeps what it does not release.
 */
#include <cstdlib>

#include "hip/hip_abi.h"

#include "check_text.h"

#include "scenarios.h"
#include "support/runtime_calls.h"

using namespace support;
using namespace vmafx::hip;

namespace
{

#define VMAFX_HIP_ENTRY(name, result, parameters, need) #name,
constexpr const char *kEntries[] = {
#include "hip/entry_points.def"
};
#undef VMAFX_HIP_ENTRY

void ignore_log(void *, int32_t, const char *) {}

const Scenario &scenario_of(const std::string &name)
{
    for (const Scenario &scenario : all_scenarios())
        if (name == scenario.name)
            return scenario;
    abort();
}

CallCounts count_calls(const Scenario &scenario)
{
    return calls_of([&] {
        Trial trial({});
        scenario.run(trial);
        trial.check_releases();
        ck_assert(trial.complaints().empty());
    });
}

/** part: which third of the calls the first failing one is in. */
void lose_device(const Scenario &scenario, const char *entry, uint64_t part)
{
    const CallCounts counts = count_calls(scenario);
    const auto found = counts.find(entry);
    if (found == counts.end() || std::string(entry).starts_with("hipGetError"))
        return;
    const Fault fault = {entry, 1 + (found->second - 1) * part / 2, hipErrorIllegalAddress, true};
    Trial trial(fault);
    RuntimeCalls::get().reset();
    RuntimeCalls::get().fail(fault.entry, fault.n, fault.error);
    try {
        scenario.run(trial);
    } catch (const SessionOver &) {
    }
    trial.check_releases();
    std::string text;
    for (const std::string &what : trial.complaints())
        text += "\n" + what;
    ck_assert_msg(text.empty(), "%s: %s%s", scenario.name, describe(fault).c_str(), text.c_str());
}

void lose_device_everywhere(const char *scenario, size_t i)
{
    vmafx_log_set_callback(ignore_log, nullptr, VMAFX_LOG_NONE);
    lose_device(scenario_of(scenario), kEntries[i / 3], i % 3);
}

} // namespace

START_TEST(lost_with_two_contexts)
{
    lose_device_everywhere("two contexts", static_cast<size_t>(_i));
}
END_TEST

START_TEST(lost_with_a_frame_pool)
{
    lose_device_everywhere("frame pool", static_cast<size_t>(_i));
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("lost");
    tcase_set_timeout(tcase, 60);
    const int cases = 3 * static_cast<int>(std::size(kEntries));
    tcase_add_loop_test(tcase, lost_with_two_contexts, 0, cases);
    tcase_add_loop_test(tcase, lost_with_a_frame_pool, 0, cases);
    return run_tests(tcase, "faults lost");
}
