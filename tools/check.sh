#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Runs test suites; the last line is the sum, "N passed, N failed". Arguments: names of suites, all of
# them by default. The output of each suite is kept in build/check/.
#
# There are two lanes, side by side, each with one suite after another: those of the library, and those
# of the filter and the guest, which mostly keep but one CPU busy.
set -u
cd "$(dirname "$0")/.." || exit 1

log=build/check
mkdir -p "$log"

# suite NAME: its command ends with a line "N passed, N failed", or counts as one test.
suite() {
    local name=$1 started=$SECONDS status=0 line p=0 f=1 end=''
    echo "== $name"
    "run_$name" >"$log/$name.log" 2>&1 </dev/null || status=$?
    line=$(grep -aE '^[0-9]+ passed, [0-9]+ failed' "$log/$name.log" | tail -n 1)
    if [ -n "$line" ]; then
        p=${line%% *}
        f=${line#*passed, }
        f=${f%% *}
        [ "$status" = 0 ] || [ "$f" != 0 ] || f=1
    elif [ "$status" = 0 ]; then
        p=1
        f=0
    fi
    echo "$p $f" >"$log/$name.result"
    [ "$f" = 0 ] || end=$(tail -n 60 "$log/$name.log")$'\n'
    # In one piece, since the other lane writes too.
    printf '%s%s: %s passed, %s failed, %s s\n' "$end" "$name" "$p" "$f" "$((SECONDS - started))"
}

run_lint() { tools/lint.sh; }
run_memcheck() { tools/memcheck.sh; }
run_unit() { tools/meson-test.py build --no-rebuild --no-suite bench; }

# With sanitizers `meson test` builds what the tests need and nothing else. Kernels are not instrumented:
# the golden scores of all of them, called one by one, would show nothing new.
run_asan() {
    tools/sanitizer-build.sh build-asan address,undefined && tools/meson-test.py build-asan --no-suite bench --no-suite clips
}

# What has threads.
run_tsan() {
    tools/sanitizer-build.sh build-tsan thread &&
        tools/meson-test.py build-tsan --no-suite bench --no-suite clips --no-suite golden --no-suite kernels \
            --no-suite model --no-suite score --no-suite headers
}

run_fate_71() { fate/run.sh 7.1; }
run_fate_81() { fate/run.sh 8.1; }
run_fate_90() { fate/run.sh 9.0; }
run_drm_71() { fate/drm/run.sh 7.1; }
run_drm_90() { fate/drm/run.sh 9.0; }
# Defects that are planted in the filter, and found.
run_defects() { fate/vaapi-defects.sh 7.1; }
run_filter_71() { fate/filter-check.sh 7.1; }
run_filter_81() { fate/filter-check.sh 8.1; }
run_filter_90() { fate/filter-check.sh 9.0; }
run_vaapi_71() { fate/vaapi-check.sh 7.1; }
run_vaapi_81() { fate/vaapi-check.sh 8.1; }
run_vaapi_90() { fate/vaapi-check.sh 9.0; }
# Real dma-bufs and sync_files, in a guest.
run_vm() { tests/kernel/run.sh build; }
run_vaapi_vm_71() { fate/vaapi-vm.sh 7.1; }
run_vaapi_vm_81() { fate/vaapi-vm.sh 8.1; }
run_vaapi_vm_90() { fate/vaapi-vm.sh 9.0; }

# The ROCm of newer Debian suites.
run_rocm() { tests/rocm/rocm-check.sh build; }

run_ffmpeg_builds() { OPTFLAGS=-O1 ffmpeg-patches/build.sh; }

# VAAPI's surfaces with the oldest FFmpeg on the host and with the newest one in the guest.
[ $# -gt 0 ] || set -- lint ffmpeg_builds unit fate_71 fate_81 fate_90 drm_71 drm_90 filter_71 filter_81 filter_90 \
    vaapi_71 defects vm vaapi_vm_90 memcheck asan tsan

library=()
others=()
for s in "$@"; do
    case $s in
    lint | unit | memcheck | asan | tsan) library+=("$s") ;;
    vm | rocm | ffmpeg_builds | fate_71 | fate_81 | fate_90 | drm_71 | drm_90 | filter_71 | filter_81 | filter_90 | vaapi_71 | vaapi_81 | vaapi_90 | defects | vaapi_vm_71 | vaapi_vm_81 | vaapi_vm_90) others+=("$s") ;;
    *)
        echo "unknown suite $s" >&2
        exit 2
        ;;
    esac
    rm -f "$log/$s.result"
done

lane() {
    local s
    for s in "$@"; do
        suite "$s"
    done
}

# In process groups of their own: who ends this ends all of them.
lanes=()
set -m
lane "${library[@]}" &
lanes+=($!)
lane "${others[@]}" &
lanes+=($!)
set +m
end_lanes() {
    trap - INT TERM HUP
    for pid in "${lanes[@]}"; do
        kill -TERM -- "-$pid" 2>/dev/null
    done
    exit 130
}
trap end_lanes INT TERM HUP
wait

passed=0
failed=0
for s in "$@"; do
    # A suite that left no result did not come to its end.
    read -r p f 2>/dev/null <"$log/$s.result" || { p=0 f=1 && echo "$s did not end"; }
    passed=$((passed + p))
    failed=$((failed + f))
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
