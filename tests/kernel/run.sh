#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# run.sh [BUILD]
#
# Runs BUILD/tests/kernel/kernel_test as the only program of a guest with a Debian kernel, see boot.sh,
# and exits with its status.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
build=${1:-build}
work=$build/kernel-test
root=$work/root

# What the kernel does not know of its command line becomes the environment of init.
variables=()
for name in "${!VMAFX_CPU_@}"; do
    variables+=("$name=${!name}")
done

started=$(date +%s)
kernel=$("$here/fetch-kernel.sh")
module=$("$here/build-module.sh" "$kernel" "$work")

rm -rf "$root"
mkdir -p "$root/modules"
cp "$module" "$root/modules/99-test_fence.ko"
"$here/make-initramfs.sh" "$kernel" "$root" "$work/initramfs.cpio" \
    "$build/tests/kernel/kernel_test" "$build/libvmafx/runtimes/cpu/libvmafx-hip-cpu.so.0"

status=0
"$here/boot.sh" "$kernel" "$work/initramfs.cpio" "$work/serial.log" tests=/bin/kernel_test "${variables[@]}" || status=$?
echo "run.sh: $(($(date +%s) - started)) s"
exit "$status"
