#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# usage: sanitizer-build.sh BUILD SANITIZERS
# Builds the library and its tests with sanitizers, and with clang, so that both compilers see all of
# the sources. The GPU images, which never run here, are left out.
set -eu
cd "$(dirname "$0")/.."
build=$1
[ -f "$build/build.ninja" ] ||
    CC=clang-19 CXX=clang++-19 meson setup "$build" -Doptimization=1 -Db_sanitize="$2" \
        -Db_lundef=false -Dgpu_images=false
ninja -C "$build"
