#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# build.sh RELEASE PROGRAM [FLAG...]
#
# Compiles the program of this folder and the filter's own sources, and links both with the libraries of
# the FFmpeg that ffmpeg-patches/build.sh built. The flags, such as -fsanitize=address, are for all of it.
#
#   FFMPEG_BUILD   where the ffmpeg-RELEASE folders are (default: build)
set -euo pipefail

release=${1:?usage: build.sh RELEASE PROGRAM [FLAG...]}
program=${2:?usage: build.sh RELEASE PROGRAM [FLAG...]}
shift 2
mkdir -p "$(dirname "$program")"
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
tree=$(cd "${FFMPEG_BUILD:-$root/build}/ffmpeg-$release" && pwd)
objects=$(mktemp -d)
trap 'rm -rf "$objects"' EXIT
# shellcheck source=fate/compile.sh
. "$here/../compile.sh"

for source in "$here"/*.c; do
    compile_c "$tree" "$source" "$objects/$(basename "$source" .c).o" "$@"
done
compile_filter "$tree" "$root/filters" "$objects" "$@"
link_program "$tree" "$(realpath "$program")" "$objects" "$@"
