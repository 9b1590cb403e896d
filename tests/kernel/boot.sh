#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# boot.sh KERNEL INITRAMFS LOG [VARIABLE=VALUE...]
#
# Boots a kernel of fetch-kernel.sh under QEMU, by emulation alone, with no network and no disk, and
# exits with the status of the guest's tests; the variables become the environment of its init. A guest
# that hangs is ended after VMAFX_VM_TIMEOUT seconds (300). The serial console is kept in LOG.
set -euo pipefail

kernel=$1
initramfs=$2
log=$3
shift 3
limit=${VMAFX_VM_TIMEOUT:-300}

status=0
timeout --kill-after=5 "$limit" qemu-system-x86_64 \
    -machine q35 -accel tcg,thread=multi,tb-size=512 -cpu max -smp 1 -m 1024 \
    -nodefaults -no-user-config -nic none -display none -no-reboot \
    -device isa-debug-exit,iobase=0xf4,iosize=4 -serial "file:$log" \
    -kernel "$kernel/vmlinux" -initrd "$initramfs" \
    -append "console=ttyS0 quiet panic=-1 mitigations=off nokaslr tsc=reliable no_timer_check nowatchdog $*" \
    </dev/null || status=$?

# Without carriage returns, and without the place in the source of what passed.
sed -E -e 's/\r$//' -e 's/^(ok [0-9]+ - )[^:]*:([^:]*):([^:]*): Passed$/\1\2: \3/' "$log"

fail() {
    echo "boot.sh: $*; the serial console is above and in $log" >&2
    echo "0 passed, 1 failed"
    exit 1
}
case $status in
124 | 137) fail "the guest did not end within $limit s" ;;
0) fail "the guest powered off before it told a status: its kernel crashed" ;;
esac
[ $((status & 1)) = 1 ] || fail "QEMU ended with status $status"
grep -qE '^[0-9]+ passed, [0-9]+ failed' "$log" || fail "the tests did not come to their end"
exit $((status >> 1))
