/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the fake runtime exports for tests beside the HIP ABI.
 */
#ifndef TESTS_HIP_FAKE_RUNTIME_H
#define TESTS_HIP_FAKE_RUNTIME_H

extern "C" {

/** Handles and allocations that were made and not released. */
int fake_live_objects();
/** What vmafx_cpu_set_workers() took last. */
unsigned fake_workers();
}

#endif
