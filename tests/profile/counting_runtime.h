/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the counting runtime tells beside HIP's interface.
 */
#ifndef TESTS_PROFILE_COUNTING_RUNTIME_H
#define TESTS_PROFILE_COUNTING_RUNTIME_H

#include <cstdint>

/** Events that were not created without timing. */
struct CountedEvents {
    uint64_t created, recorded;
};

extern "C" void vmafx_test_counts(CountedEvents *events, void *opaque,
                                  void (*kernel)(void *opaque, const char *name,
                                                 uint64_t launches));

#endif
