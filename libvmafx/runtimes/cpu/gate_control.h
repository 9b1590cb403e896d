/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The gate from the side of whoever sets faults.
 */
#ifndef VMAFX_CPU_GATE_CONTROL_H
#define VMAFX_CPU_GATE_CONTROL_H

#include "gate.h"

namespace vmafx::cpu
{

/** The n-th call of the entry from now on fails; Entry::count stands for all of them. Replaces an
 * earlier fault. */
void set_fault(Entry entry, uint64_t n, hip::hipError_t error);

/** Calls that were made to fail since the last reset. */
uint64_t failed_calls();

/** Ends faults, set or lasting, and counts from 0. */
void reset_faults();

} // namespace vmafx::cpu

#endif
