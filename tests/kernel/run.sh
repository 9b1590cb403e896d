#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# run.sh [BUILD]
#
# Boots a Debian kernel under QEMU, by emulation alone, with no network and no disk, and runs
# BUILD/tests/kernel/kernel_test in it. Exits with the program's status; a guest that hangs is ended
# after VMAFX_VM_TIMEOUT seconds (300). The serial console is kept in BUILD/kernel-test/serial.log.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
build=${1:-build}
limit=${VMAFX_VM_TIMEOUT:-300}
work=$build/kernel-test
log=$work/serial.log

# What the kernel does not know of its command line becomes the environment of init.
variables=
for name in "${!VMAFX_CPU_@}"; do
    variables+=" $name=${!name}"
done

started=$(date +%s)
kernel=$("$here/fetch-kernel.sh")
mkdir -p "$work/module"
cp -p "$here"/module/* "$work/module/" # with its times: compiled once
# Without what a `make` that called this script has set for itself, and without debug types, for which
# the headers lack the kernel.
env -u MAKEFLAGS -u MAKELEVEL make -s -C "$kernel/headers" M="$(realpath "$work/module")" \
    CONFIG_DEBUG_INFO_BTF_MODULES= modules
"$here/make-initramfs.sh" "$build" "$kernel" "$work/initramfs.cpio"

status=0
timeout --kill-after=5 "$limit" qemu-system-x86_64 \
    -machine q35 -accel tcg,thread=multi,tb-size=512 -cpu max -smp 1 -m 1024 \
    -nodefaults -no-user-config -nic none -display none -no-reboot \
    -device isa-debug-exit,iobase=0xf4,iosize=4 -serial "file:$log" \
    -kernel "$kernel/vmlinux" -initrd "$work/initramfs.cpio" \
    -append "console=ttyS0 quiet panic=-1 mitigations=off nokaslr tsc=reliable no_timer_check nowatchdog$variables" \
    </dev/null || status=$?

# Without carriage returns, and without the place in the source of what passed.
sed -E -e 's/\r$//' -e 's/^(ok [0-9]+ - )[^:]*:([^:]*):([^:]*): Passed$/\1\2: \3/' "$log"
echo "run.sh: $(($(date +%s) - started)) s"

fail() {
    echo "run.sh: $*; the serial console is above and in $log" >&2
    echo "0 passed, 1 failed"
    exit 1
}
case $status in
124 | 137) fail "the guest did not end within $limit s" ;;
0) fail "the guest powered off before it told a status: its kernel crashed" ;;
esac
[ $((status & 1)) = 1 ] || fail "QEMU ended with status $status"
grep -qE '^[0-9]+ passed, [0-9]+ failed' "$log" || fail "the test program did not come to its end"
exit $((status >> 1))
