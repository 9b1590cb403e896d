#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# run.sh [RELEASE...]
#
# Runs the FATE tests of the vmafx_hip filter in the FFmpeg trees that ffmpeg-patches/build.sh built
# (default: all of them). One line for each test, "N passed, N failed" at the end.
#
#   FFMPEG_BUILD   where the ffmpeg-RELEASE folders are (default: build)
#   UPDATE=1       writes the references of the first release anew, to be reviewed, and tests nothing
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
out=${FFMPEG_BUILD:-$root/build}

die() { echo "fate/run.sh: $*" >&2; exit 1; }

releases=("$@")
[ ${#releases[@]} -gt 0 ] || mapfile -t releases < <(cd "$root/ffmpeg-patches" && printf '%s\n' [0-9]*/ | tr -d /)

tests_of() {
    make -s -C "$1" fate-list | tr ' ' '\n' | grep '^fate-vmafx-hip-' || die "$1 lists no test of the filter"
}

# FATE writes an empty reference where a test could not run, and is content with it ever after.
update() {
    local build=$out/ffmpeg-$1 test reference
    for test in $(tests_of "$build"); do
        make -s -C "$build" "$test" GEN=1 >/dev/null 2>&1 || die "$test cannot be run"
        reference=$build/source/tests/ref/fate/${test#fate-}
        grep -qE 'lavfi\.vmafx\.|^descriptors leaked: 0' "$reference" || die "$test gives no result, see $build/tests/data/fate/${test#fate-}.err"
        install -D -m 644 "$reference" "$root/fate/ref/${test#fate-}"
        echo "written: fate/ref/${test#fate-}"
    done
}

if [ "${UPDATE:-0}" = 1 ]; then
    update "${releases[0]}"
    exit 0
fi

passed=0
failed=0
for release in "${releases[@]}"; do
    build=$out/ffmpeg-$release
    [ -x "$build/ffmpeg" ] || die "$build/ffmpeg is missing: run make ffmpeg"
    list=$(tests_of "$build")
    for reference in "$root"/fate/ref/*; do
        # A test that its configuration switched off is not in the list, and would go unnoticed.
        grep -qx "fate-$(basename "$reference")" <<<"$list" ||
            die "FFmpeg $release does not list fate-$(basename "$reference"): a component is missing"
    done
    for test in $list; do
        if [ ! -s "$root/fate/ref/${test#fate-}" ]; then
            echo "FAIL $release $test: no reference, or an empty one"
            failed=$((failed + 1))
        elif log=$(make -s -C "$build" "$test" 2>&1); then
            echo "ok   $release $test"
            passed=$((passed + 1))
        else
            echo "FAIL $release $test"
            tail -n 30 <<<"$log" | sed 's/^/     /'
            failed=$((failed + 1))
        fi
    done
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
