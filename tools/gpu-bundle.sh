#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# gpu-bundle.sh BUILD_DIR FOLDER [GOLDEN_FOLDER]
# Puts libvmafx, its runtimes, the tests that any device has to pass and the golden clips into one
# folder. Copied to a machine with a GPU, `FOLDER/run.sh cuda` (or rocm) runs them there; that
# machine needs its driver and a C library as new as the one here, nothing else.
set -eu

build=$1
folder=$2
source=$(cd "$(dirname "$0")/.." && pwd)
golden=${3:-$source/tests/golden/data}

rm -rf "$folder"
mkdir -p "$folder/golden"
copy() {
    cp -L "$1" "$folder/$(basename "$2")"
    strip "$folder/$(basename "$2")"
}
copy "$build/libvmafx/src/libvmafx.so" libvmafx.so.0
for runtime in cpu cuda; do
    copy "$build/libvmafx/runtimes/$runtime/libvmafx-hip-$runtime.so" "libvmafx-hip-$runtime.so.0"
done
for test in hip_device/hip_device_test golden/golden_test import/import_layouts_test import/import_buffers_test \
    import/import_cache_test import/import_surfaces_test import/import_release_test import/import_arrays_test \
    import/import_pool_test profile/profile_test \
    api/session_stress tiling/tiling_import_test bench/device_bench bench/import_bench bench/libvmaf_cuda_bench \
    hostile/import_pool_planted_test hostile/import_release_planted_test; do
    copy "$build/tests/$test" "$test"
    # What tests need beside the C and C++ libraries.
    ldd "$build/tests/$test" | awk '/liblzma|libsubunit|libz\.so/ { print $3 }' | while read -r library; do
        cp -L "$library" "$folder/"
    done
done
# A libvmaf 3.2 with CUDA, for `bench`.
[ -z "${LIBVMAF_CUDA:-}" ] || cp -L "$LIBVMAF_CUDA" "$folder/libvmaf-cuda.so"
# Vulkan's loader, and what NVIDIA's driver wants of OpenGL and X even where there is neither.
if [ -x "$build/tests/gpu/vulkan_producer_test" ]; then
    copy "$build/tests/gpu/vulkan_producer_test" vulkan_producer_test
    cp "$source/tests/gpu/vulkan.sh" "$folder/"
    libraries=$(ldconfig -p)
    for library in libvulkan.so.1 libGLX.so.0 libGLdispatch.so.0 libEGL.so.1 libX11.so.6 libXext.so.6 libxcb.so.1 libXau.so.6 libXdmcp.so.6 libbsd.so.0 libmd.so.0; do
        file=$(echo "$libraries" | awk -v name="$library" '$1 == name && /x86-64/ && !found { found = 1; print $NF }')
        [ -z "$file" ] || cp -L "$file" "$folder/"
    done
fi
cp -r "$golden/clips" "$golden/scores" "$folder/golden/"
cp -r "$source/tests/tiling/data" "$folder/golden/tiling"
cp "$source/tests/gpu/run.sh" "$folder/"
du -sh "$folder"
