#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# make-initramfs.sh BUILD KERNEL OUT
#
# The guest's whole file system: busybox, the modules of fetch-kernel.sh and the test's own, the test program with the
# library and its CPU runtime, and the libraries that these name. OUT is not compressed: unpacking
# would cost the guest more than reading.
set -euo pipefail

build=$1
kernel=$2
out=$3
here=$(cd "$(dirname "$0")" && pwd)
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT

# What programs name as their dynamic linker and libraries, with the linker at its own place.
libraries_of() {
    ldd "$@" | awk '$2 == "=>" && $3 ~ /^\// { print $3 } $1 ~ /^\// && $2 ~ /^\(/ { print $1 }' | sort -u
}

mkdir -p "$root"/{bin,dev,lib,lib64,modules,proc,sys,tmp}
cp /bin/busybox "$root/bin/"
cp "$here/init" "$root/init"
chmod +x "$root/init"
cp "$kernel"/modules/*.ko "$root/modules/"
cp "$build/kernel-test/module/test_fence.ko" "$root/modules/99-test_fence.ko"

program=$build/tests/kernel/kernel_test
runtime=$build/libvmafx/runtimes/cpu/libvmafx-hip-cpu.so.0
cp "$program" "$root/bin/"
libraries=$(libraries_of "$program" "$runtime")
for library in $libraries "$runtime"; do
    case $library in
    */ld-linux*) cp -L "$library" "$root/lib64/" ;;
    *) cp -L "$library" "$root/lib/" ;;
    esac
done
strip --strip-debug "$root"/bin/kernel_test "$root"/lib/*.so* "$root"/modules/*.ko

(cd "$root" && find . -print0 | sort -z | cpio --null --create --format=newc --owner=0:0 --quiet) >"$out"
