#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# make-initramfs.sh KERNEL ROOT OUT FILE...
#
# The guest's whole file system: what stands in ROOT already, the FILEs, which are programs and
# libraries, the libraries that these name, busybox, init, and the modules of fetch-kernel.sh. OUT is not
# compressed: unpacking would cost the guest more than reading.
set -euo pipefail

kernel=$1
root=$2
out=$3
shift 3
here=$(cd "$(dirname "$0")" && pwd)

# What programs name as their dynamic linker and libraries, with the linker at its own place.
libraries_of() {
    ldd "$@" | awk '$2 == "=>" && $3 ~ /^\// { print $3 } $1 ~ /^\// && $2 ~ /^\(/ { print $1 }' | sort -u
}

mkdir -p "$root"/{bin,dev,lib,lib64,modules,proc,sys,tmp}
libraries=$(libraries_of "$@")
for file in $libraries "$@"; do
    case $file in
    */ld-linux*) to=$root/lib64 ;;
    *.so | *.so.*) to=$root/lib ;;
    *) to=$root/bin ;;
    esac
    cp -L "$file" "$to/"
    strip --strip-debug "$to/$(basename "$file")"
done
cp /bin/busybox "$root/bin/"
cp "$here/init" "$root/init"
chmod +x "$root/init"
cp "$kernel"/modules/*.ko "$root/modules/"
strip --strip-debug "$root"/modules/*.ko

(cd "$root" && find . -print0 | sort -z | cpio --null --create --format=newc --owner=0:0 --quiet) >"$out"
