#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# A short scoring session under valgrind's memcheck. Valgrind knows no AVX-512, hence the v3 kernels.
set -eu
cd "$(dirname "$0")/.."
VMAFX_CPU_LEVEL=v3 VMAFX_CPU_WORKERS=2 valgrind --quiet --error-exitcode=9 --leak-check=full \
    --errors-for-leak-kinds=definite,indirect build/tests/api/short-session
