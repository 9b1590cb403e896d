/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What a new thread of the runtime sets for itself.
 */
#ifndef VMAFX_CPU_THREAD_SETUP_H
#define VMAFX_CPU_THREAD_SETUP_H

#include <cstdint>

namespace vmafx::cpu
{

void set_up_worker_thread(uint32_t index);
void set_up_host_thread();

} // namespace vmafx::cpu

#endif
