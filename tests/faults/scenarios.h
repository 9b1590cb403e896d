/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Sessions that together make every call of the runtime that the library can make.
 */
#ifndef TESTS_FAULTS_SCENARIOS_H
#define TESTS_FAULTS_SCENARIOS_H

#include <span>

#include "trial.h"

struct Scenario {
    const char *name;
    void (*run)(Trial &trial);
};

std::span<const Scenario> all_scenarios();

/** Makes the pictures and their memory, which the scenarios share and never write. */
void prepare_pictures();

#endif
