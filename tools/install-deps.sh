#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Installs what the build, the tests and the demo need from Debian. Does nothing when all is there.
set -eu

packages="
build-essential git meson ninja-build pkg-config python3 check nasm
clang-19 lld-19 llvm-19 libclang-rt-19-dev clang-format-19 clang-tidy-19
nlohmann-json3-dev libamdhip64-dev libamdhip64-5 liblzma-dev
libdrm-dev libva-dev libx264-dev zlib1g-dev patch xz-utils curl ca-certificates dpkg-dev valgrind shellcheck
qemu-system-x86 busybox-static cpio libelf1 libvulkan-dev mesa-vulkan-drivers
"
missing=""
for package in $packages; do
    status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$status" = installed ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

if [ "$(id -u)" = 0 ]; then
    as_root=""
elif command -v sudo >/dev/null; then
    as_root="sudo"
else
    echo "These packages are missing, and there is neither root nor sudo to install them:$missing" >&2
    exit 1
fi
echo "installing:$missing"
export DEBIAN_FRONTEND=noninteractive
$as_root apt-get update -q
# shellcheck disable=SC2086  # a list of words
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $missing
