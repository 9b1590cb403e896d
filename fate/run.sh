#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# run.sh [RELEASE...]
#
# Runs the FATE tests of the vmafx_hip filter in the FFmpeg trees that ffmpeg-patches/build.sh built
# (default: all of them), those on hardware with the VA driver of tests/va-driver. One line for each test,
# "N passed, N failed" at the end.
#
#   FFMPEG_BUILD   where the ffmpeg-RELEASE folders are (default: build)
#   COMMANDS=1     prints the commands of the tests on hardware, as make would run them, and tests nothing
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

# make_test RELEASE TEST [ARGUMENT...]: with our VA driver, whatever this machine has.
driver=$out/va-driver
make_test() {
    local build=$out/ffmpeg-$1
    shift
    make -s -C "$build" "$@" VAAPI_DEVICE="${device:-/dev/null}" \
        TARGET_EXEC="env LIBVA_DRIVERS_PATH=$driver LIBVA_DRIVER_NAME=vmafxtest LIBVA_MESSAGING_LEVEL=1 \
            VMAFXTEST_MEMORY=memfd LD_PRELOAD=$driver/node_type.so"
}

# FATE writes an empty reference where a test could not run, and is content with it ever after.
update() {
    local build=$out/ffmpeg-$1 test reference
    for test in $(tests_of "$build"); do
        make_test "$1" "$test" GEN=1 >/dev/null 2>&1 || die "$test cannot be run"
        reference=$build/source/tests/ref/fate/${test#fate-}
        grep -qE 'lavfi\.vmafx\.|^descriptors leaked: 0' "$reference" || die "$test gives no result, see $build/tests/data/fate/${test#fate-}.err"
        install -D -m 644 "$reference" "$root/fate/ref/${test#fate-}"
        echo "written: fate/ref/${test#fate-}"
    done
}

if [ "${COMMANDS:-0}" = 1 ]; then
    list=$(tests_of "$out/ffmpeg-${releases[0]}" | grep '^fate-vmafx-hip-vaapi-')
    # shellcheck disable=SC2086  # tests are words
    make -s -n -C "$out/ffmpeg-${releases[0]}" $list | grep 'tests/fate-run.sh fate-vmafx-hip-vaapi-'
    exit 0
fi
"$root/tests/va-driver/build.sh"
if [ "${UPDATE:-0}" = 1 ]; then
    update "${releases[0]}"
    exit 0
fi

# shellcheck source=fate/verdicts.sh
. "$root/fate/verdicts.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Where FATE has nothing to compare, or nothing to run on, it is content.
run_test() { # TEST
    local problem=''
    status=0
    make_test "$release" "$1" >"$work/log" 2>&1 || status=$?
    if [ ! -s "$root/fate/ref/${1#fate-}" ]; then
        problem="no reference, or an empty one"
    elif [ "$status" != 0 ]; then
        problem="status $status"
    elif grep -q '^SKIP' "$work/log"; then
        problem="skipped"
    elif grep -q 'vmafx-hip.*warning:' "$work/log"; then
        problem="it compiles with warnings"
    fi
    report "$1" "$problem"
}

# What needs a VA device says that it is skipped where there is none, and is neither passed nor failed.
test_skipping() { # TEST
    local skipped=$out/ffmpeg-$release/tests/data/fate/${1#fate-} problem=''
    device=/nonexistent make_test "$release" "$1" >"$work/log" 2>&1 || problem="status $?"
    grep -q "^SKIP *${1#fate-}: there is no VA device /nonexistent" "$work/log" || problem="not told"
    [ ! -e "$skipped.rep" ] || problem="there is a report"
    report "$1 without a device" "$problem"
}

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
        run_test "$test"
    done
    test_skipping fate-vmafx-hip-vaapi-nv12
    test_skipping fate-vmafx-hip-vaapi-h264
done
verdict
