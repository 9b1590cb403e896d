#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# vulkan.sh FOLDER: runs the Vulkan producer's test with whatever driver there is. NVIDIA's driver has
# two libraries with Vulkan in them, and a machine without a desktop often no file that names them.
here=$1
icd=$(mktemp)
trap 'rm -f "$icd"' EXIT
export VK_LOADER_DEBUG=error
"$here/vulkan_producer_test"
status=$?
for library in libGLX_nvidia.so.0 libEGL_nvidia.so.0; do
    [ $status = 77 ] || break
    echo "again with $library:"
    echo "{\"file_format_version\": \"1.0.0\", \"ICD\": {\"library_path\": \"$library\", \"api_version\": \"1.3.0\"}}" >"$icd"
    VK_DRIVER_FILES=$icd VK_ICD_FILENAMES=$icd "$here/vulkan_producer_test"
    status=$?
done
exit $status
