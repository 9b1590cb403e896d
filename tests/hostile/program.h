/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A random program on the hostile machine, out of one seed: devices, sessions one beside the other,
 * their producers, and the order of it all.
 */
#ifndef TESTS_HOSTILE_PROGRAM_H
#define TESTS_HOSTILE_PROGRAM_H

#include <cstdint>
#include <string>

/** Sets what the CPU runtime reads when it is loaded: two devices, and one worker unless
 * VMAFX_CPU_WORKERS asks for more. To be called first. */
void prepare_environment();

struct Outcome {
    std::string wrong;  /* "" or what went wrong */
    uint64_t calls = 0; /* of the runtime */
    uint64_t frames_rerun = 0, sessions_given_up = 0;
};

/** Runs the program of a seed. verbose: prints what it does. */
Outcome run_program(uint64_t seed, bool verbose = false);

/** Whether a seed decides all that happens. */
bool one_worker();

#endif
