/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Defects that a test plants to see that the random programs on the hostile machine find them. Only
 * files that are compiled for that test have them; elsewhere planted() is false at compile time.
 */
#ifndef VMAFX_HIP_PLANTED_H
#define VMAFX_HIP_PLANTED_H

namespace vmafx
{

enum class Planted {
    kNothing,
    kSkippedAcquireWait, /* an import does not wait for its acquire event */
    kSkippedSubmit,      /* work stays in the library stream */
    kEarlyRelease,       /* a release is ordered behind the import, not behind the reads */
    kBelievedEvent,      /* a release event is what the runtime says, recorded or not */
    kHastyUnmap,         /* mappings are undone while the device may read them */
    kNullStream,         /* kernels are launched on the null stream */
    kHastyLane,          /* a lane does not wait for the library stream */
    kUnjoinedLane,       /* what is let go early is not ordered behind the reads of lanes */
};

#ifdef VMAFX_PLANTED_DEFECTS
extern Planted planted_defect;

namespace
{

inline bool planted(Planted defect)
{
    return planted_defect == defect;
}

} // namespace
#else
namespace
{

constexpr bool planted(Planted)
{
    return false;
}

} // namespace
#endif

} // namespace vmafx

#endif
