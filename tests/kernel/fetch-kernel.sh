#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# fetch-kernel.sh
#
# Brings the Debian kernel that the guest boots, and prints the folder that holds it: vmlinux,
# modules/NN-NAME.ko in the order of loading, and headers/, with which modules are compiled. The
# packages are unpacked, never installed, and apt verifies them by its signed index. They are fetched
# once and kept; VMAFX_CACHE names the folder (default: .cache of the repository).
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
cache=${VMAFX_CACHE:-$here/../../.cache}
mkdir -p "$cache/kernel"
cache=$(cd "$cache/kernel" && pwd)

die() { echo "fetch-kernel.sh: $*" >&2; exit 1; }

shopt -s nullglob
for kernel in "$cache"/linux-image-*/headers; do
    dirname "$kernel"
    exit 0
done

work=$(mktemp -d "$cache/get.XXXXXX")
trap 'rm -rf "$work"' EXIT
options=(-q -o APT::Sandbox::User=root -o Acquire::Retries=3)

depends_on() { apt-cache "${options[@]}" depends "$1" 2>/dev/null | sed -n 's/^ *Depends: //p'; }

# The kernel that the metapackage stands for today, its headers, and the tools that these need.
kernel_packages() {
    local image headers
    image=$(depends_on linux-image-amd64 | grep '^linux-image-[0-9]') || return
    headers=${image/image/headers}
    echo "$image $headers" "$(depends_on "$headers" | grep -E '^linux-(headers|kbuild)-' | tr '\n' ' ')"
}

download() {
    local packages
    packages=$(kernel_packages) || return
    # shellcheck disable=SC2086  # a list of words
    (cd "$work" && apt-get "${options[@]}" download $packages >&2)
}

# Lists that are missing, or so old that a package has left the archive, are read anew into the
# cache: the machine's own stay as they are.
# An index past its date will do, as for the sources of FFmpeg: its signature is checked.
if ! download; then
    lists=$cache/lists
    mkdir -p "$lists/partial"
    options+=(-o "Dir::State::lists=$lists" -o "Dir::Cache=$work" -o APT::Get::List-Cleanup=false
        -o Acquire::Check-Valid-Until=false)
    apt-get "${options[@]}" update >&2 || die "apt cannot read its index"
    download || die "apt has no kernel of linux-image-amd64"
fi

image=$(echo "$work"/linux-image-*.deb)
mkdir "$work/root"
dpkg-deb --fsys-tarfile "$image" | tar -C "$work/root" -xf - ./boot ./lib/modules
python3 "$here/unpack_kernel.py" "$work/root" "$work/kernel" vgem >&2

for package in "$work"/linux-headers-*.deb "$work"/linux-kbuild-*.deb; do
    dpkg-deb -x "$package" "$work/kernel/packages"
done
# The headers of one flavour name those that all share by their place in an installed system.
flavour=("$work"/kernel/packages/usr/src/linux-headers-*-amd64)
# shellcheck disable=SC2016  # a variable of make
sed -i 's,/usr/src/,$(CURDIR)/../,' "${flavour[0]}/Makefile"
ln -s "packages/usr/src/$(basename "${flavour[0]}")" "$work/kernel/headers"

name=$(basename "$image" .deb)
rm -rf "${cache:?}/$name"
mv "$work/kernel" "$cache/$name"
echo "$cache/$name"
