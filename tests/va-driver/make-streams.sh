#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# make-streams.sh
#
# Makes the streams in tests/va-driver/streams anew: those whose encoders the FFmpeg of the tests lacks.
# Each as reference, and a blurred one as main. They are kept, so that tests need no such encoders;
# made with Debian 12's ffmpeg.
#
#   FFMPEG   an ffmpeg with libvpx-vp9 and libx265 (default: ffmpeg)
set -euo pipefail

streams=$(cd "$(dirname "$0")" && pwd)/streams
passes=$(mktemp -d)
trap 'rm -rf "$passes"' EXIT

encode() { # NAME SIZE FORMAT OPTIONS...
    local name=$1 size=$2 format=$3 filter
    shift 3
    for filter in "" ,avgblur=2; do
        "${FFMPEG:-ffmpeg}" -nostdin -hide_banner -v error -y -f lavfi -i "testsrc2=size=$size:rate=25:duration=0.6$filter" \
            -pix_fmt "$format" "$@" -passlogfile "$passes/$name$filter" -threads 1 -fflags +bitexact -flags:v +bitexact "$streams/${filter:+main-}$name"
    done
}

x265=log-level=error:info=0:crf=36:keyint=8:min-keyint=8:bframes=3:ref=3
# Two passes, without which no frame of VP9 would be hidden.
vp9=(-c:v libvpx-vp9 -deadline good -cpu-used 4 -crf 40 -b:v 0 -lag-in-frames 15 -auto-alt-ref 1)
mkdir -p "$streams"
for pass in 1 2; do
    encode vp9.mkv 322x178 yuv420p "${vp9[@]}" -g 15 -pass $pass
done
for pass in 1 2; do
    encode vp9-10.mkv 320x180 yuv420p10le "${vp9[@]}" -g 8 -tile-rows 1 -pass $pass
done
encode hevc.mkv 320x180 yuv420p -c:v libx265 -x265-params "$x265:open-gop=0:weightb=1:rect=1:amp=1:tskip=1"
encode hevc-10.mkv 322x178 yuv420p10le -c:v libx265 -x265-params "$x265:open-gop=1:slices=2:scaling-list=default"
