#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# apply.sh TREE
#
# Puts the vmafx_hip filter into an FFmpeg source tree: the patch series of the tree's release, the
# filter's sources and its FATE tests. A second call brings the tree up to date and changes nothing
# where nothing changed, so that the next make builds only what it must.
set -euo pipefail

tree=${1:?usage: apply.sh TREE}
root=$(cd "$(dirname "$0")/.." && pwd)
series_root=$root/ffmpeg-patches

die() { echo "apply.sh: $*" >&2; exit 1; }

[ -d "$tree" ] || die "no folder $tree"
tree=$(cd "$tree" && pwd)
if [ ! -f "$tree/libavfilter/allfilters.c" ] || [ ! -f "$tree/RELEASE" ]; then
    die "$tree is no FFmpeg source tree (no libavfilter/allfilters.c or no RELEASE)"
fi

# A release says 7.1.5, the branch of a release 7.1.git; the master branch says N-... or git.
release=$(sed -nE '1s/^n?([0-9]+\.[0-9]+)([.-].*)?$/\1/p' "$tree/RELEASE")
if [ -z "$release" ] || [ ! -d "$series_root/$release" ]; then
    known=$(cd "$series_root" && echo [0-9]*/)
    die "$tree holds FFmpeg $(head -n 1 "$tree/RELEASE"), for which there is no patch series (there are: ${known//\//})"
fi

# The applied series is kept in the tree: to see that it is the one to apply, and to take it back
# where it is not.
applied=$tree/ffbuild/vmafx-series

same_series() {
    [ -d "$applied" ] && diff -q "$series_root/$release" "$applied" >/dev/null
}

take_back() {
    local patches=("$applied"/*.patch) i
    for ((i = ${#patches[@]} - 1; i >= 0; i--)); do
        patch -d "$tree" -p1 -R -s -f --no-backup-if-mismatch <"${patches[i]}" >&2 ||
            die "$(basename "${patches[i]}") does not come off: start from a clean tree"
    done
    rm -rf "$applied"
}

put_on() {
    local patch
    for patch in "$series_root/$release"/*.patch; do
        patch -d "$tree" -p1 -s -f --dry-run <"$patch" >&2 ||
            die "$(basename "$patch") does not apply to $tree: is it a clean tree of FFmpeg $release?"
        patch -d "$tree" -p1 -s -f --no-backup-if-mismatch <"$patch" >&2
        mkdir -p "$applied"
        cp "$patch" "$applied/"
    done
}

# Copies only what differs: make looks at the times.
put_file() {
    cmp -s "$1" "$2" || install -D -m 644 "$1" "$2"
}

if ! same_series; then
    [ -d "$applied" ] && take_back
    if grep -q vmafx_hip "$tree/libavfilter/allfilters.c"; then
        die "$tree carries another vmafx_hip series: start from a clean tree"
    fi
    put_on
fi

for source in vf_vmafx_hip.c vmafx_hip_{drm,vaapi}.{c,h}; do
    put_file "$root/filters/$source" "$tree/libavfilter/$source"
done
put_file "$root/fate/vmafx-hip.mak" "$tree/tests/fate/vmafx-hip.mak"
put_file "$root/fate/api-vmafx-hip-test.c" "$tree/tests/api/api-vmafx-hip-test.c"
shopt -s nullglob
for file in "$root"/fate/vmafx-hip/{frames.sh,*.mkv}; do
    put_file "$file" "$tree/tests/vmafx-hip/$(basename "$file")"
done
for reference in "$root"/fate/ref/*; do
    put_file "$reference" "$tree/tests/ref/fate/$(basename "$reference")"
done
echo "$release"
