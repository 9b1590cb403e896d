#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Runs test suites; the last line is the sum, "N passed, N failed". Arguments: names of suites, all of
# them by default. The output of each suite is kept in build/check/.
set -u
cd "$(dirname "$0")/.." || exit 1

log=build/check
mkdir -p "$log"
passed=0
failed=0

# suite NAME COMMAND…: COMMAND ends with a line "N passed, N failed", or counts as one test.
suite() {
    name=$1
    shift
    started=$(date +%s)
    echo "== $name"
    "$@" >"$log/$name.log" 2>&1 </dev/null
    status=$?
    line=$(grep -aE '^[0-9]+ passed, [0-9]+ failed' "$log/$name.log" | tail -n 1)
    if [ -n "$line" ]; then
        p=${line%% *}
        f=$(echo "$line" | sed 's/.*passed, \([0-9]*\) failed.*/\1/')
        [ "$status" = 0 ] || [ "$f" != 0 ] || f=1
    elif [ "$status" = 0 ]; then
        p=1
        f=0
    else
        p=0
        f=1
    fi
    [ "$f" = 0 ] || tail -n 60 "$log/$name.log"
    echo "$name: $p passed, $f failed, $(($(date +%s) - started)) s"
    passed=$((passed + p))
    failed=$((failed + f))
}

unit() { tools/meson-test.py build --no-suite bench; }

# The address and undefined-behaviour sanitizers over everything but the speed-bound clips.
asan() {
    tools/sanitizer-build.sh build-asan address,undefined && tools/meson-test.py build-asan --no-suite bench
}

tsan() {
    tools/sanitizer-build.sh build-tsan thread && tools/meson-test.py build-tsan --no-suite bench --no-suite golden
}

fate_71() { fate/run.sh 7.1; }
fate_81() { fate/run.sh 8.1; }
fate_90() { fate/run.sh 9.0; }
drm_71() { fate/drm/run.sh 7.1; }
drm_90() { fate/drm/run.sh 9.0; }
# Defects that are planted in the filter, and found.
defects() { fate/vaapi-defects.sh 7.1; }
filter_71() { fate/filter-check.sh 7.1; }
filter_81() { fate/filter-check.sh 8.1; }
filter_90() { fate/filter-check.sh 9.0; }
vaapi_71() { fate/vaapi-check.sh 7.1; }
vaapi_81() { fate/vaapi-check.sh 8.1; }
vaapi_90() { fate/vaapi-check.sh 9.0; }
# Real dma-bufs and sync_files, in a guest.
vm() { tests/kernel/run.sh build; }
vaapi_vm_71() { fate/vaapi-vm.sh 7.1; }
vaapi_vm_81() { fate/vaapi-vm.sh 8.1; }
vaapi_vm_90() { fate/vaapi-vm.sh 9.0; }

# The ROCm of newer Debian suites.
rocm() { tests/rocm/rocm-check.sh build; }

ffmpeg_builds() { ffmpeg-patches/build.sh; }

# VAAPI's surfaces with the oldest FFmpeg on the host and with the newest one in the guest.
[ $# -gt 0 ] || set -- lint unit vm ffmpeg_builds fate_71 fate_81 fate_90 drm_71 drm_90 filter_71 filter_81 filter_90 vaapi_71 defects vaapi_vm_90 memcheck asan tsan

for s in "$@"; do
    case $s in
    lint) suite lint tools/lint.sh ;;
    memcheck) suite memcheck tools/memcheck.sh ;;
    unit | vm | rocm | asan | tsan | ffmpeg_builds | fate_71 | fate_81 | fate_90 | drm_71 | drm_90 | filter_71 | filter_81 | filter_90 | vaapi_71 | vaapi_81 | vaapi_90 | defects | vaapi_vm_71 | vaapi_vm_81 | vaapi_vm_90) suite "$s" "$s" ;;
    *)
        echo "unknown suite $s" >&2
        exit 2
        ;;
    esac
done

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
