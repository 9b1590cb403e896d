#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# vaapi-defects.sh [RELEASE]
#
# Whether fate/vaapi-check.sh finds defects that are planted in a copy of the filter, one by one. Where
# it does not, or where it fails without a defect, this fails. Takes minutes; make check does without.
#
#   FFMPEG_BUILD   where the ffmpeg-RELEASE folders are (default: build)
set -euo pipefail

release=${1:-7.1}
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/.." && pwd)
out=$(cd "${FFMPEG_BUILD:-$root/build}" && pwd)
work=$out/vaapi-defects
copy=$work/ffmpeg-$release
filter=$copy/source/libavfilter
passed=0
failed=0

rm -rf "$work"
mkdir -p "$work"
cp -a "$out/ffmpeg-$release" "$copy"
ln -sfn "$copy/source" "$copy/src"
ln -s "$out/va-driver" "$work/va-driver"

verdict() { # NAME PROBLEM (empty: passed)
    if [ -z "$2" ]; then
        echo "ok   $1"
        passed=$((passed + 1))
    else
        echo "FAIL $1: $2"
        failed=$((failed + 1))
    fi
}

build_and_check() {
    local status=0
    make -C "$copy" ffmpeg >"$work/make.log" 2>&1 || { tail -n 20 "$work/make.log"; exit 1; }
    FFMPEG_BUILD=$work TESTS="layouts modifiers" "$here/vaapi-check.sh" "$release" >"$work/check.log" 2>&1 || status=$?
    return $status
}

# defect NAME FILE SED-SCRIPT...: every expression has to change something.
defect() {
    local name=$1 file=$filter/$2 script
    shift 2
    cp -p "$file" "$work/good"
    for script; do
        cp "$file" "$work/before"
        sed -i -E "$script" "$file"
        if cmp -s "$work/before" "$file"; then
            verdict "$name" "the filter has no such place: $script"
            cp -p "$work/good" "$file"
            return
        fi
    done
    if build_and_check; then
        verdict "$name" "not found"
    else
        verdict "$name, found by $(grep -c ^FAIL "$work/check.log") tests" ""
    fi
    cp "$work/good" "$file"
}

if build_and_check; then
    verdict "no defect" ""
else
    verdict "no defect" "$(grep ^FAIL "$work/check.log")"
fi
defect "modifier ignored" vf_vmafx_hip.c 's/(plane\[nb_planes\]\.modifier) = .*;/\1 = 0;/'
defect "pitch of chroma taken from luma" vf_vmafx_hip.c 's/(plane\[nb_planes\]\.pitch) +=.*;/\1 = drm->layers[0].planes[0].pitch;/'
defect "offset of a plane ignored" vf_vmafx_hip.c 's/(plane\[nb_planes\]\.offset) +=.*;/\1 = 0;/'
defect "object of a plane ignored" vf_vmafx_hip.c 's/&drm->objects\[plane->object_index\]/\&drm->objects[0]/'
defect "frame released early" vf_vmafx_hip.c 's/(desc->release_opaque) = surface\.frame;/\1 = NULL;/' \
    's/^( +)surface\.frame = NULL;/\1;/'
defect "writes not waited for" vmafx_hip_vaapi.c 's/^( +)if \(!surface->exported->synced\)/\1return 0;\n&/'
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
