#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# usage: sanitizer-build.sh BUILD SANITIZERS
# Makes a build folder for the tests with sanitizers, and with clang, so that both compilers see all of
# the sources, and builds the library. The GPU images, which never run here, are left out. Compiling
# takes longer than testing, hence no optimisation outside of kernels, and of debug information only lines.
set -eu
cd "$(dirname "$0")/.."
build=$1
[ -f "$build/build.ninja" ] ||
    CC=clang-19 CXX=clang++-19 meson setup "$build" -Doptimization=0 -Ddebug=false -Dc_args=-g1 -Dcpp_args=-g1 \
        -Db_sanitize="$2" -Db_lundef=false -Dgpu_images=false
ninja -C "$build" library
