#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# run.sh RUNTIME [test|sanitize|bench|planted]...
# Runs the tests of this folder on a runtime (cuda, rocm, cpu) and prints what ran and how it ended.
# Logs go to the folder that LOGS names; nothing runs longer than LIMIT seconds. `test` is what runs when nothing is named; `sanitize` runs
# short tests under NVIDIA's compute-sanitizer, `bench` measures pictures in the device's memory,
# `planted` looks whether tests of imports find defects that are planted in the library.
set -u

here=$(cd "$(dirname "$0")" && pwd)
VMAFX_TEST_RUNTIME=$1
LD_LIBRARY_PATH=$here
export VMAFX_TEST_RUNTIME LD_LIBRARY_PATH
shift
logs=${LOGS:-$(mktemp -d)}
table=$logs/table.txt
: >"$table"

# one NAME COMMAND...
one() {
    name=$1
    shift
    start=$(date +%s)
    timeout "${LIMIT:-120}" "$@" >"$logs/$name.log" 2>&1
    status=$?
    case $status in
    0) word=passed ;;
    77) word=skipped ;;
    124) word="FAILED (time)" ;;
    *) word="FAILED ($status)" ;;
    esac
    printf '%-28s %-12s %4d s  %s\n' "$name" "$word" $(($(date +%s) - start)) \
        "$(tail -n 1 "$logs/$name.log" | cut -c1-120)" | tee -a "$table"
}

run_tests() {
    one hip-device "$here/hip_device_test"
    one golden "$here/golden_test" "$here/golden"
    one import-layouts "$here/import_layouts_test" "$here/golden"
    one import-buffers "$here/import_buffers_test"
    one import-cache "$here/import_cache_test"
    one import-surfaces "$here/import_surfaces_test"
    one import-release "$here/import_release_test"
    one import-arrays "$here/import_arrays_test"
    one tiling-import env VMAFX_GOLDEN_DIR="$here/golden" "$here/tiling_import_test"
    one import-pool "$here/import_pool_test"
    one profile "$here/profile_test"
    [ ! -x "$here/vulkan_producer_test" ] || one vulkan-producer "$here/vulkan.sh" "$here"
    one session-stress-1 "$here/session_stress" 60 1
    one session-stress-2 "$here/session_stress" 60 2
}

sanitize() {
    for tool in memcheck racecheck initcheck synccheck; do
        for clip in ${SANITIZE_CLIPS:-tiny64 odd353_420 d288_422p12}; do
            one "$tool-$clip" env VMAFX_GOLDEN_CLIP="$clip" \
                compute-sanitizer --tool $tool --error-exitcode 9 --print-limit 20000 \
                "$here/golden_test" "$here/golden"
        done
    done
}

# A defect is found by one test or the other; without one both pass.
planted() {
    for name in pool release; do
        one "planted-nothing-$name" env VMAFX_PLANTED=nothing "$here/import_${name}_planted_test"
    done
    for defect in skipped-acquire-wait early-release null-stream hasty-lane unjoined-lane; do
        found=not-found
        for name in pool release; do
            VMAFX_PLANTED=$defect timeout "${LIMIT:-120}" "$here/import_${name}_planted_test" \
                >"$logs/planted-$defect-$name.log" 2>&1
            case $? in
            0 | 124) ;; # one that does not end in time has found nothing
            *) found=found ;;
            esac
        done
        one "planted-$defect" test "$found" = found
    done
}

# Both libraries by turns, if the folder has a libvmaf that was built for CUDA.
compare() {
    width=$1 height=$2 bits=$3 frames=$4
    shift 4
    for _ in 1 2 3; do
        "$here/device_bench" "$width" "$height" "$bits" "$frames" "$@" || return 1
        [ ! -e "$here/libvmaf-cuda.so" ] ||
            "$here/libvmaf_cuda_bench" "$here/libvmaf-cuda.so" "$width" "$height" "$bits" \
                "$((frames / 4))" "$@" || return 1
    done
}

bench() {
    for bits in 8 10; do
        echo "$bits bits"
        compare 576 324 "$bits" 4000 vmaf_v0.6.1
        compare 1920 1080 "$bits" 2000 vmaf_v0.6.1
        compare 3840 2160 "$bits" 600 vmaf_v0.6.1
    done | tee "$logs/bench.txt"
    for size in "576 324" "1920 1080" "3840 2160"; do
        # shellcheck disable=SC2086 # two numbers
        "$here/device_bench" $size 8 600 vmaf_v0.6.1 vmaf_v0.6.1neg +psnr
    done | tee -a "$logs/bench.txt"
    "$here/import_bench" 1920 1080 2 | tee -a "$logs/bench.txt"
}

for what in "${@:-test}"; do
    case $what in
    test) run_tests ;;
    sanitize) sanitize ;;
    bench) bench ;;
    planted) planted ;;
    *)
        echo "run.sh: $what is none of test, sanitize, bench, planted" >&2
        exit 2
        ;;
    esac
done
! grep -q FAILED "$table"
