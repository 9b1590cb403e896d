#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# build-module.sh KERNEL WORK
#
# Compiles the module of fences for a kernel of fetch-kernel.sh, and prints its path in WORK.
set -euo pipefail

kernel=$1
work=$2
here=$(cd "$(dirname "$0")" && pwd)

mkdir -p "$work/module"
cp -p "$here"/module/* "$work/module/" # with its times: compiled once
# Without what a `make` that called this script has set for itself, and without debug types, for which
# the headers lack the kernel.
env -u MAKEFLAGS -u MAKELEVEL make -s -C "$kernel/headers" M="$(realpath "$work/module")" \
    CONFIG_DEBUG_INFO_BTF_MODULES= modules >&2
echo "$work/module/test_fence.ko"
