#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# usage: sanitizer-build.sh BUILD SANITIZERS
# Builds the library and its tests with sanitizers. The GPU images, which never run here, are left out.
set -eu
cd "$(dirname "$0")/.."
build=$1
[ -f "$build/build.ninja" ] ||
    meson setup "$build" -Db_sanitize="$2" -Db_lundef=false -Dgpu_images=false
ninja -C "$build"
