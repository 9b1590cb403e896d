#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# rocm-check.sh BUILD [SUITE…]
# The library beside the ROCm of other Debian suites, none of which is installed: all entry points, the
# answers of a machine without an AMD GPU, and our declarations against HIP's headers. The programs run
# with the suite's own C library. The last line is "N passed, N failed".
set -eu

build=$1
shift
[ $# -gt 0 ] || set -- trixie forky
here=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$here/../.." && pwd)
: "${CXX:=c++}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

# count STATUS NAME
count() {
    if [ "$1" = 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $2"
    fi
}

# What the header declares decides which of the optional entry points can be compared.
compare_headers() {
    include=$1/usr/include
    flags="-std=gnu++20 -w -D__HIP_PLATFORM_AMD__=1 -D__HIP_DISABLE_CPP_FUNCTIONS__=1 -I$include"
    defines=
    optional=$(sed -n 's/^VMAFX_HIP_ENTRY(\([A-Za-z0-9]*\),.*, optional)$/\1/p' "$source/libvmafx/src/hip/entry_points.def")
    for name in $optional; do
        printf '#include <hip/hip_runtime_api.h>\nvoid f() {\n#ifndef %s\n(void)&%s;\n#endif\n}\n' "$name" "$name" >"$work/probe.cpp"
        line=
        # hipMallocAsync is overloaded, and compared in a line of its own.
        # shellcheck disable=SC2086  # a list of words
        if [ "$name" != hipMallocAsync ] && $CXX $flags -fsyntax-only "$work/probe.cpp" 2>/dev/null; then
            line=line
        fi
        defines="$defines -DABI_IF_$name(line)=$line"
    done
    # shellcheck disable=SC2086  # lists of words
    $CXX $flags $defines -I"$source/libvmafx/include" -I"$source/libvmafx/src" \
        "$source/tests/hip_abi/hip_abi_test.cpp" -o "$work/hip_abi_test" && "$work/hip_abi_test"
}

for suite in "$@"; do
    folder=$("$here/fetch-rocm.sh" "$suite") || {
        count 1 "$suite was not fetched"
        continue
    }
    runtime=$(find "$folder/root" -name 'libamdhip64.so.[0-9]')
    libraries=$(dirname "$runtime")
    file=$(basename "$runtime")
    version=$(cut -d. -f1,2 "$folder/version")
    echo "== $suite: $file, $(cat "$folder/version")"
    status=0
    "$(find "$libraries" -name 'ld-linux-*.so.*')" --library-path "$libraries" "$build/tests/rocm/rocm_check" "$file" "$version" || status=$?
    count "$status" "$suite: rocm_check"
    status=0
    compare_headers "$folder/root" || status=$?
    count "$status" "$suite: headers"
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
