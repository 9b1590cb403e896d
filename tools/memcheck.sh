#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# A short scoring session under valgrind's memcheck. Valgrind knows no AVX-512, hence the v3 kernels.
# VIF's kernels read whole registers across the end of a row and drop what lies beyond, which memcheck
# takes for a use of undefined values. Its accesses are checked; that unwritten memory has no influence
# is shown by the golden scores with VMAFX_CPU_POISON=1.
set -euo pipefail
cd "$(dirname "$0")/.."
build=${BUILD:-build}
work=$build/memcheck
mkdir -p "$work"
for clip in tiny64 tiny64_x264q38; do
    xz -dc "tests/golden/data/clips/$clip.y4m.xz" >"$work/$clip.y4m"
done
export VMAFX_CPU_LEVEL=v3 VMAFX_CPU_WORKERS=2
export VMAFX_HIP_LIBRARY=$build/libvmafx/runtimes/cpu/libvmafx-hip-cpu.so
valgrind --quiet --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite,indirect \
    --undef-value-errors=no \
    "$build/docs/examples/score_y4m" "$work/tiny64.y4m" "$work/tiny64_x264q38.y4m"
