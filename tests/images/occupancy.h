/* SPDX-License-Identifier: BSD-2-Clause
 *
 * How many waves of a kernel a SIMD of an AMD GPU holds at a time.
 */
#ifndef VMAFX_TESTS_OCCUPANCY_H
#define VMAFX_TESTS_OCCUPANCY_H

#include <string_view>

#include "images/gpu_kernels.h"

namespace vmafx_test
{

/**
 * The unit that a work-group runs on: a compute unit (GFX9), or a work-group processor, which is
 * two of them (later ones, where the kernel does not ask for one). From LLVM's AMDGPUUsage and
 * AMD's descriptions of the instruction sets.
 */
struct RegisterFiles {
    uint32_t vgprs;       /* of a SIMD, for each lane of a wave of wave32 or, on GFX9, wave64 */
    uint32_t granule;     /* in which they are given out */
    uint32_t waves;       /* of a SIMD, at most */
    uint32_t sgprs;       /* of a SIMD; 0: never too few */
    uint32_t simds;       /* of the unit */
    uint32_t tile_bytes;  /* of the unit */
    uint32_t work_groups; /* of several waves in the unit, at most */
};

/** Throws for a target it does not know. */
RegisterFiles register_files(std::string_view target);

/**
 * Waves per SIMD where the unit is filled with whole work-groups of the largest size that the
 * kernel takes; not whole if a unit's last SIMD stays behind.
 */
double waves_per_simd(const GpuKernel &kernel, const RegisterFiles &files);

} // namespace vmafx_test

#endif
