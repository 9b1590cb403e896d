#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# usage: emulate-amd.sh BUILD [TARGET…] [option of tests/emulation/emulate.py…]
# Executes the AMD code objects of every kernel in an instruction emulator, against what the CPU
# computed (docs/emulation.md). TINYGRAD names a checkout of tinygrad.
set -eu
cd "$(dirname "$0")/.."
build=$1
shift
if [ ! -f "${TINYGRAD:-}/test/mockgpu/amd/emu.py" ]; then
    echo "emulate-amd.sh: set TINYGRAD to a checkout of tinygrad (https://github.com/tinygrad/tinygrad), one with test/mockgpu/amd/emu.py" >&2
    exit 2
fi
case ${1:-} in gfx*) ;; *) set -- gfx1100 gfx1201 gfx942 "$@" ;; esac
runtimes=$PWD/$build/libvmafx/runtimes/cpu
ninja -C "$build" library tests/emulation/record_session tests/emulation/recording-runtime.so tests/emulation/step-loop.so
folder=$build/emulation
rm -rf "$folder/record"
mkdir -p "$folder"
VMAFX_CPU_LEVEL=v3 VMAFX_CPU_POISON=1 LD_LIBRARY_PATH=$runtimes "$build/tests/emulation/record_session" \
    "$PWD/$build/tests/emulation/recording-runtime.so" "$folder/record"
exec nice -n 19 python3 tests/emulation/emulate.py "$folder/record" "$build/libvmafx/src/kernels" \
    "$build/tests/emulation/step-loop.so" "$@"
