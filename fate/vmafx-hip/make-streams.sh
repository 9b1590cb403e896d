#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# make-streams.sh FFMPEG
#
# Writes the streams beside it anew: in each file the distorted video, then its reference. The tests'
# references have to be written anew after it.
set -euo pipefail

ffmpeg=$1
here=$(cd "$(dirname "$0")" && pwd)
pictures='testsrc2=size=320x180:rate=25:duration=0.2'

encode() { # FILE DISTORTED REFERENCE OPTIONS...
    local file=$1 distorted=$2 reference=$3
    shift 3
    # shellcheck disable=SC2086  # options are words
    "$ffmpeg" -nostdin -v error -y -f lavfi -i "$pictures" -lavfi 'split[d][r]' -map '[d]' -map '[r]' \
        -threads 1 -bitexact "$@" $distorted $reference "$here/$file"
}

encode h264.mkv '-qp:v:0 40' '-qp:v:1 26' -c:v libx264 -preset veryfast -profile:v high -g 4 -bf 2
encode mpeg2.mkv '-q:v:0 28' '-q:v:1 6' -c:v mpeg2video -g 4 -bf 1
