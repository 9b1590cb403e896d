/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A runtime that forwards to the CPU runtime and loses commands on request. Commands are kernels,
 * asynchronous copies and fills, in the order in which the program enqueues them.
 */
#ifndef TESTS_LOST_COMMANDS_LOSSY_RUNTIME_H
#define TESTS_LOST_COMMANDS_LOSSY_RUNTIME_H

#include <stdint.h>

extern "C" {
/** Starts to count at 0, and loses the commands first..end-1. */
void lossy_lose(uint64_t first, uint64_t end);
/** Commands so far. */
uint64_t lossy_commands();
/** Kernels since lossy_lose() of the stream with the most of them, and of that with the fewest. */
void lossy_spread(uint64_t *most, uint64_t *fewest);
}

#endif
