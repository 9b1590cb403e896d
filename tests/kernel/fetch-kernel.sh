#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# fetch-kernel.sh
#
# Brings the Debian kernel that the guest boots, and prints the folder that holds it: vmlinux and
# modules/NN-NAME.ko in the order of loading. The package is unpacked, never installed, and apt
# verifies it by its signed index. It is fetched once and kept; VMAFX_CACHE names the folder
# (default: .cache of the repository).
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
cache=${VMAFX_CACHE:-$here/../../.cache}
mkdir -p "$cache/kernel"
cache=$(cd "$cache/kernel" && pwd)

die() { echo "fetch-kernel.sh: $*" >&2; exit 1; }

shopt -s nullglob
for kernel in "$cache"/linux-image-*/complete; do
    dirname "$kernel"
    exit 0
done

work=$(mktemp -d "$cache/get.XXXXXX")
trap 'rm -rf "$work"' EXIT
options=(-q -o APT::Sandbox::User=root -o Acquire::Retries=3)

# The package that the metapackage stands for today.
kernel_package() {
    apt-cache "${options[@]}" depends linux-image-amd64 2>/dev/null |
        sed -n 's/^ *Depends: \(linux-image-[0-9].*\)$/\1/p'
}

download() {
    package=$(kernel_package)
    [ -n "$package" ] && (cd "$work" && apt-get "${options[@]}" download "$package" >&2)
}

# Lists that are missing, or so old that the package has left the archive, are read anew into the
# cache: the machine's own stay as they are.
if ! download; then
    lists=$cache/lists
    mkdir -p "$lists/partial"
    options+=(-o "Dir::State::lists=$lists" -o "Dir::Cache=$work" -o APT::Get::List-Cleanup=false)
    apt-get "${options[@]}" update >&2 || die "apt cannot read its index"
    download || die "apt has no kernel of linux-image-amd64"
fi

packages=("$work"/linux-image-*.deb)
[ "${#packages[@]}" = 1 ] || die "apt brought ${#packages[@]} packages"
mkdir "$work/root"
dpkg-deb --fsys-tarfile "${packages[0]}" | tar -C "$work/root" -xf - ./boot ./lib/modules
python3 "$here/unpack_kernel.py" "$work/root" "$work/kernel" vgem >&2
name=$(basename "${packages[0]}" .deb)
touch "$work/kernel/complete"
mv "$work/kernel" "$cache/$name"
echo "$cache/$name"
