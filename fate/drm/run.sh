#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# run.sh RELEASE
#
# The checks of this folder on memfds, with the filter, the program and what they call watched for bad
# accesses and leaks. One line for each check, "N passed, N failed" at the end.
#
#   FFMPEG_BUILD   where the ffmpeg-RELEASE folders are (default: build)
set -euo pipefail

release=${1:?usage: run.sh RELEASE}
here=$(cd "$(dirname "$0")" && pwd)
program=${FFMPEG_BUILD:-$here/../../build}/drm-check/$release

"$here/build.sh" "$release" "$program" -fsanitize=address,undefined -fno-sanitize-recover=undefined
UBSAN_OPTIONS=print_stacktrace=1 exec "$program"
