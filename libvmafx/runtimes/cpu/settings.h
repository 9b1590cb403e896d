/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the environment asks for and what the CPU has.
 */
#ifndef VMAFX_CPU_SETTINGS_H
#define VMAFX_CPU_SETTINGS_H

#include <cstdint>

#include "hip/hip_abi.h"

namespace vmafx::cpu
{

constexpr int kMaxDevices = 16;
constexpr uint32_t kMaxWorkers = 1024;

struct Settings {
    int level = 0;        /* n of x86-64-vn, 2 to 4 */
    int devices = 1;      /* 1 to kMaxDevices */
    uint32_t workers = 1; /* 1 to kMaxWorkers */
    bool poison = false;  /* undefined memory is filled with garbage */
    bool hostile = false;
    hip::CpuHostileOptions hostile_options = {};
    /* Arrays, since they are read while the process exits and must own nothing then. */
    char device_name[64] = {}; /* CPU (model) */
    char error[256] = {};      /* why the runtime cannot start; empty when it can */
};

/** Reads VMAFX_CPU_LEVEL, VMAFX_CPU_DEVICES, VMAFX_CPU_WORKERS, VMAFX_CPU_POISON and
 * VMAFX_CPU_HOSTILE with its kin. */
Settings read_settings();

/** CPUs that this process may run on, at least 1. */
uint32_t allowed_cpus();

} // namespace vmafx::cpu

#endif
