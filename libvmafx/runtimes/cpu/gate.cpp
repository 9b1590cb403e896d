/* SPDX-License-Identifier: BSD-2-Clause */
#include "gate_control.h"

#include <mutex>

#include "errors.h"

namespace vmafx::cpu
{

using namespace hip;

constinit CallLog call_log;

namespace
{

struct Faults {
    std::mutex mutex;
    uint64_t left = 0; /* calls until the one that fails; 0: no fault is set */
    Entry entry = Entry::count;
    hipError_t error = hipSuccess;
    hipError_t lasting = hipSuccess; /* what every call answers from now on */
    uint64_t failed = 0;
};
constinit Faults faults;

/** Errors after which a device is lost for the process. */
bool lasts(hipError_t error)
{
    return error == hipErrorIllegalAddress || error == hipErrorLaunchFailure ||
           error == hipErrorLaunchTimeOut;
}

/** Whether the fault that is set counts calls of the entry. */
bool concerns(Entry entry)
{
    return faults.entry == entry ||
           (faults.entry == Entry::count && entry != Entry::hipGetLastError);
}

void update_watch()
{
    call_log.watched = faults.left != 0 || faults.lasting != hipSuccess;
}

} // namespace

hipError_t judge(Entry entry) noexcept
{
    hipError_t error = hipSuccess;
    {
        std::lock_guard lock(faults.mutex);
        if (faults.lasting != hipSuccess) {
            error = entry == Entry::hipGetLastError ? hipSuccess : faults.lasting;
        } else if (faults.left != 0 && concerns(entry)) {
            --faults.left;
            if (faults.left == 0) {
                error = faults.error;
                faults.lasting = lasts(error) ? error : hipSuccess;
                update_watch();
            }
        }
        faults.failed += error != hipSuccess ? 1 : 0;
    }
    return entry == Entry::hipGetLastError ? error : remember(error);
}

void set_fault(Entry entry, uint64_t n, hipError_t error)
{
    std::lock_guard lock(faults.mutex);
    faults.entry = entry;
    faults.left = n;
    faults.error = error;
    faults.lasting = hipSuccess;
    update_watch();
}

uint64_t failed_calls()
{
    std::lock_guard lock(faults.mutex);
    return faults.failed;
}

void reset_faults()
{
    std::lock_guard lock(faults.mutex);
    faults.left = 0;
    faults.lasting = hipSuccess;
    faults.failed = 0;
    update_watch();
}

} // namespace vmafx::cpu
