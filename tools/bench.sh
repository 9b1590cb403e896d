#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Speed and memory of libvmafx next to libvmaf's; the table goes to build/bench.md.
#   tools/bench.sh [--quick] [options of tests/bench/compare.py]
# libvmaf 3.2 comes out of the Python package "av" 19 and stays in .cache/libvmaf;
# LIBVMAF=FILE names another library of that version: that one lacks the features in floats, which
# libvmaf's own build has with -Denable_float=true. Takes about ten minutes; --rounds 2 less.
set -eu

cd "$(dirname "$0")/.."
build=${BUILD:-build}
cache=.cache/libvmaf

packaged_libvmaf() {
    find "$cache" -path '*/av.libs/libvmaf*.so*' -type f 2>/dev/null | head -n 1
}

fetch_libvmaf() {
    python3 -m pip --version >/dev/null 2>&1 || {
        echo "bench: pip is needed to get libvmaf: apt-get install python3-pip," \
            "or name a libvmaf 3.2 by LIBVMAF=FILE" >&2
        exit 1
    }
    mkdir -p "$cache"
    # The wheel is only unpacked, so that its Python version does not matter.
    python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary=:all: \
        --python-version 3.13 --dest "$cache" 'av==19.*'
    python3 - "$cache" <<'EOF'
import glob, os, sys, zipfile
folder = sys.argv[1]
wheel = max(glob.glob(os.path.join(folder, "av-19*.whl")), key=os.path.getmtime)
with zipfile.ZipFile(wheel) as archive:
    names = [n for n in archive.namelist() if "libvmaf" in n and ".so" in n]
    if len(names) != 1:
        sys.exit(f"bench: {wheel} holds {len(names)} libraries of libvmaf, not one")
    archive.extract(names[0], folder)
os.remove(wheel)
EOF
}

libvmaf=${LIBVMAF:-$(packaged_libvmaf)}
if [ -z "$libvmaf" ]; then
    fetch_libvmaf
    libvmaf=$(packaged_libvmaf)
fi

golden=${VMAFX_GOLDEN_DIR:-tests/golden/data}
[ -n "${VMAFX_GOLDEN_DIR:-}" ] || [ ! -d ../shared/golden/clips ] || golden=../shared/golden

python3 tests/bench/compare.py --program "$build/tests/bench/score_bench" \
    --libvmaf "$libvmaf" --runtime "$build/libvmafx/runtimes/cpu/libvmafx-hip-cpu.so" \
    --golden "$golden" --build "$build" "$@"

VMAFX_HIP_LIBRARY="$build/libvmafx/runtimes/cpu/libvmafx-hip-cpu.so" \
    "$build/tests/bench/import_bench" | tee -a "$build/bench.md"
