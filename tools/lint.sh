#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Formatting, shell scripts, and clang-tidy over the library. clang-tidy is slow: LINT=full runs it on
# every file, otherwise it sees the files that differ from the last commit.
set -u
cd "$(dirname "$0")/.." || exit 1
passed=0
failed=0

verdict() {
    if [ "$2" = 0 ]; then
        passed=$((passed + 1))
    else
        echo "FAIL: $1"
        failed=$((failed + 1))
    fi
}

sources() { git ls-files '*.h' '*.c' '*.cc' '*.cpp' | grep -v '^filters/\|^fate/\|^ffmpeg-patches/'; }

sources | xargs clang-format-19 --dry-run -Werror
verdict clang-format $?

git ls-files '*.sh' .ci/run tests/kernel/init | xargs shellcheck -x
verdict shellcheck $?

if [ -f build/compile_commands.json ]; then
    if [ "${LINT:-}" = full ]; then
        files=$(sources | grep '^libvmafx/.*\.cpp$')
    else
        files=$(git diff --name-only HEAD -- 'libvmafx/*.cpp')
    fi
    if [ -n "$files" ]; then
        echo "$files" | xargs -P "$(nproc)" -n 4 clang-tidy-19 --quiet -p build
        verdict clang-tidy $?
    fi
fi

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
