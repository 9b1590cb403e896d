/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The call log and the faults of the CPU runtime, which the library uses in this process.
 */
#ifndef TESTS_SUPPORT_RUNTIME_CALLS_H
#define TESTS_SUPPORT_RUNTIME_CALLS_H

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace support
{

/** Entry point -> calls; those never called are left out. */
using CallCounts = std::map<std::string, uint64_t>;

class RuntimeCalls
{
  public:
    /** Opens a device once to learn the runtime's file. */
    static const RuntimeCalls &get();

    /** Counts from 0; no fault is set. */
    void reset() const;
    CallCounts counts() const;
    uint64_t count(const char *entry) const;
    /** Launches of kernels with the name, of all for an empty one. */
    uint64_t launches(const std::string &kernel = "") const;
    /** All entry points that are counted. */
    std::vector<std::string> entries() const;

    /** The n-th call from now on fails. error is a hipError_t. */
    void fail(const std::string &entry, uint64_t n, int error) const;
    /** Calls that did, since the reset. */
    uint64_t failed() const;

    /** Objects that are alive, by kind. */
    std::map<std::string, uint64_t> live() const;
    /** Device and pinned memory that is allocated. */
    uint64_t allocated_bytes() const;

  private:
    RuntimeCalls();
    struct Table;
    const Table *table_;
};

/** The calls of the body, and their number. Threads of the library must be at rest. */
template <class Body> CallCounts calls_of(Body &&body)
{
    const RuntimeCalls &calls = RuntimeCalls::get();
    calls.reset();
    body();
    return calls.counts();
}

} // namespace support

#endif
