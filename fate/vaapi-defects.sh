#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# vaapi-defects.sh [RELEASE]
#
# Whether defects are found that are planted in copies of the filter's sources, one by one: by the few
# tests of fate/vaapi-check.sh that are meant for it, or by fate/drm. Where a defect is not found, or where
# something is found without one, this fails. FFmpeg itself stays as it is: the filter is compiled
# aside, and linked in front of its libraries.
#
#   FFMPEG_BUILD   where the ffmpeg-RELEASE folders are (default: build)
set -euo pipefail

release=${1:-7.1}
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/.." && pwd)
out=$(cd "${FFMPEG_BUILD:-$root/build}" && pwd)
tree=$out/ffmpeg-$release
work=$out/vaapi-defects
passed=0
failed=0
# shellcheck source=fate/compile.sh
. "$here/compile.sh"

rm -rf "$work"
mkdir -p "$work"/{filter,program,drm,ffmpeg-"$release",streams}
ln -s "$out/va-driver" "$work/va-driver"
"$root/tests/va-driver/build.sh" >/dev/null
KEEP=$work/streams FFMPEG_BUILD=$out "$here/vaapi-check.sh" "$release"

# What there is beside the filter, compiled once.
find "$tree/fftools" -name '*.o' ! -name ffprobe.o -exec cp -t "$work/program" {} +
for source in "$here"/drm/*.c; do
    compile_c "$tree" "$source" "$work/drm/$(basename "$source" .c).o"
done

verdict() { # NAME PROBLEM (empty: passed)
    if [ -z "$2" ]; then
        echo "ok   $1"
        passed=$((passed + 1))
    else
        echo "FAIL $1: $2"
        failed=$((failed + 1))
    fi
}

build() {
    compile_filter "$tree" "$work/filter" "$work/program"
    cp "$work/program"/{vf_vmafx_hip,vmafx_hip_}*.o "$work/drm/"
    link_program "$tree" "$work/ffmpeg-$release/ffmpeg" "$work/program"
    link_program "$tree" "$work/drm_check" "$work/drm"
}

# The tests that fail with what was built.
find_failures() {
    FFMPEG_BUILD=$work STREAMS=$work/streams TESTS=few "$here/vaapi-check.sh" "$release" >"$work/check.log" 2>&1 || true
    timeout 300 "$work/drm_check" >"$work/drm.log" 2>&1 || echo "FAIL drm_check ends with status $?" >>"$work/drm.log"
    grep -q '^[0-9]* passed, ' "$work/check.log" || cat "$work/check.log" >&2
    grep -h '^FAIL' "$work/check.log" "$work/drm.log" || true
}

# defect NAME FILE SED-SCRIPT...: every expression has to change something.
defect() {
    local name=$1 file=$work/filter/$2 script found
    cp "$root"/filters/* "$work/filter/"
    shift 2
    for script; do
        cp "$file" "$work/before"
        sed -i -E "$script" "$file"
        if cmp -s "$work/before" "$file"; then
            verdict "$name" "the filter has no such place: $script"
            return
        fi
    done
    build >"$work/build.log" 2>&1 || { cat "$work/build.log" >&2; exit 1; }
    found=$(find_failures)
    if [ -n "$found" ]; then
        verdict "$name, found by $(wc -l <<<"$found") tests" ""
    else
        verdict "$name" "not found"
    fi
}

cp "$root"/filters/* "$work/filter/"
build
verdict "no defect" "$(find_failures)"
verdict "all checks ran" "$(grep -q '^4 passed, 0 failed' "$work/check.log" || tail -n 3 "$work/check.log")"
surfaces=vf_vmafx_hip.c
defect "modifier ignored" $surfaces 's/(plane\[nb_planes\]\.modifier) = .*;/\1 = 0;/'
defect "pitch of chroma taken from luma" $surfaces 's/(plane\[nb_planes\]\.pitch) +=.*;/\1 = drm->layers[0].planes[0].pitch;/'
defect "offset of a plane ignored" $surfaces 's/(plane\[nb_planes\]\.offset) +=.*;/\1 = 0;/'
defect "object of a plane ignored" $surfaces 's/&drm->objects\[plane->object_index\]/\&drm->objects[0]/'
defect "object that is not there" $surfaces 's/plane->object_index >= drm->nb_objects/0/'
defect "a layer too many accepted" $surfaces 's/drm->nb_layers == wanted && layer/layer/' 's/(nb_planes) != wanted/\1 < wanted/'
defect "frame released early" $surfaces 's/(desc->release_opaque) = surface\.frame;/\1 = NULL;/' \
    's/^( +)surface\.frame = NULL;/\1;/'
defect "writes not waited for" vmafx_hip_vaapi.c 's/^( +)if \(!surface->exported->synced\)/\1return 0;\n&/'
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
