#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# install_test.sh SOURCE_DIR BUILD_DIR NM C_COMPILER...
# Installs into an empty folder, looks at what is there, builds the example against it with pkg-config
# and compares its score with the golden one.
set -eu

source=$1
build=$2
nm=$3
shift 3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
    echo "$*" >&2
    exit 1
}

meson install -C "$build" --no-rebuild --quiet --destdir "$work/root"
pc=$(find "$work/root" -name libvmafx.pc)
[ -n "$pc" ] || fail "no libvmafx.pc is installed"
export PKG_CONFIG_SYSROOT_DIR="$work/root"
PKG_CONFIG_PATH=$(dirname "$pc")
export PKG_CONFIG_PATH
libdir=$(dirname "$PKG_CONFIG_PATH")

for file in libvmafx.so libvmafx-hip-cpu.so libvmafx-hip-cuda.so; do
    [ -e "$libdir/$file" ] || fail "$file is not installed"
done
for header in "$source"/libvmafx/include/libvmafx/*.h; do
    name=$(basename "$header")
    find "$work/root" -path "*/libvmafx/$name" | grep -q . || fail "$name is not installed"
done

# What a program can link to is the API and nothing else (A: name of a version).
$nm -D --defined-only "$libdir/libvmafx.so" | awk '$2 != "A" { print $3 }' | sed 's/@.*//' >"$work/symbols"
grep -q '^vmafx_device_open$' "$work/symbols" || fail "vmafx_device_open is not exported"
if grep -v '^vmafx_' "$work/symbols"; then
    fail "these symbols are exported beside vmafx_*"
fi
grep -rhoE '\bvmafx_[a-z_]+\(' "$source"/libvmafx/include/libvmafx/ | tr -d '(' | sort -u |
    while read -r name; do
        grep -q "^$name\$" "$work/symbols" || fail "$name is declared, but not exported"
    done

# shellcheck disable=SC2046  # lists of words
"$@" -Wall -Wextra -Werror "$source/docs/examples/score_y4m.c" -o "$work/score_y4m" \
    $(pkg-config --cflags --libs libvmafx)

clips=$source/tests/golden/data/clips
xz -dc "$clips/nat576.y4m.xz" >"$work/reference.y4m"
xz -dc "$clips/nat576_x264q40.y4m.xz" >"$work/distorted.y4m"
score=$(LD_LIBRARY_PATH=$libdir "$work/score_y4m" "$work/reference.y4m" "$work/distorted.y4m")
golden=$(python3 -c '
import json, sys
print("%.17g" % json.load(open(sys.argv[1]))["pooled"]["vmaf_v0.6.1"]["mean"])
' "$source/tests/golden/data/scores/nat576_x264q40.vmaf.json")
[ "$score" = "$golden" ] || fail "the example prints $score, golden is $golden"
echo "$score"
