#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# make-streams.sh
#
# Writes the streams beside it anew: in each file the distorted video, then its reference. The tests'
# references have to be written anew after it. They are kept, so that no test needs the encoders.
#
#   FFMPEG   an ffmpeg with libx264, libx265 and libvpx (default: ffmpeg; Debian 12's was used)
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
pictures='testsrc2=size=320x180:rate=25:duration=0.2'

encode() { # FILE FORMAT DISTORTED REFERENCE OPTIONS...
    local file=$1 format=$2 distorted=$3 reference=$4
    shift 4
    # shellcheck disable=SC2086  # options are words
    "${FFMPEG:-ffmpeg}" -nostdin -v error -y -f lavfi -i "$pictures" -lavfi 'split[d][r]' -map '[d]' -map '[r]' \
        -pix_fmt "$format" -threads 1 -bitexact "$@" $distorted $reference "$here/$file"
}

x265=log-level=error:info=0:keyint=4:bframes=2
encode h264.mkv yuv420p '-qp:v:0 40' '-qp:v:1 26' -c:v libx264 -preset veryfast -profile:v high -g 4 -bf 2
encode mpeg2.mkv yuv420p '-q:v:0 28' '-q:v:1 6' -c:v mpeg2video -g 4 -bf 1
encode hevc-10.mkv yuv420p10le "-x265-params:v:0 $x265:qp=42" "-x265-params:v:1 $x265:qp=28" -c:v libx265
encode vp9-10.mkv yuv420p10le '-crf:v:0 60' '-crf:v:1 30' -c:v libvpx-vp9 -b:v 0 -g 4
