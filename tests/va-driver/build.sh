#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# build.sh
#
# Builds the VA driver of the tests, build/va-driver/vmafxtest_drv_video.so, which runs without any
# library of FFmpeg: its decoders are FFmpeg's, linked statically from the sources that
# ffmpeg-patches/build.sh extracted, and no symbol of theirs is seen from outside.
#
#   FFMPEG_BUILD   where the ffmpeg-RELEASE folders are and va-driver goes (default: build)
#   JOBS           parallel compilations (default: one for each CPU)
set -euo pipefail

root=$(cd "$(dirname "$0")/../.." && pwd)
here=$root/tests/va-driver
out=$(cd "${FFMPEG_BUILD:-$root/build}" && pwd)
source=$out/ffmpeg-7.1/source
work=$out/va-driver
jobs=${JOBS:-$(nproc)}

die() { echo "build.sh: $*" >&2; exit 1; }

[ -x "$source/configure" ] || die "$source is missing: run make ffmpeg"
mkdir -p "$work/libav"

# Speed is of no interest, and C alone is bit-exact on every machine.
# shellcheck disable=SC2054
configuration=(
    --disable-everything --disable-autodetect --disable-programs --disable-doc --disable-debug
    --disable-avformat --disable-avfilter --disable-avdevice --disable-swscale --disable-swresample
    --disable-network --disable-asm --enable-pic --optflags=-O1 --enable-decoder=h264,hevc,mpeg2video,vp9
)
if [ "$(cat "$work/libav/.configured" 2>/dev/null)" != "${configuration[*]}" ]; then
    (cd "$work/libav" && "$source/configure" "${configuration[@]}" >configure.log 2>&1) ||
        die "configure failed, see $work/libav/configure.log"
    echo "${configuration[*]}" >"$work/libav/.configured"
fi
make -C "$work/libav" -j"$jobs" libavcodec/libavcodec.a libavutil/libavutil.a >"$work/libav/make.log" 2>&1 ||
    die "make failed, see $work/libav/make.log"

make -s -C "$here" -j"$jobs" BUILD="$work" FFMPEG="$source"
