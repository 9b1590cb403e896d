#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# compile_header.sh INCLUDE_DIR HEADER C_COMPILER... -- CXX_COMPILER...
# Compiles a public header alone, as C11 and as C++20, warnings being errors.
set -eu

include=$1
header=$2
shift 2
c_compiler=""
while [ "$1" != "--" ]; do
    c_compiler="$c_compiler $1"
    shift
done
shift
cxx_compiler="$*"
flags="-Wall -Wextra -Werror -pedantic -Wundef -fsyntax-only -I$include"

# Included twice: the guard must hold. A use of the ABI attribute must survive both languages.
source_text="#include <libvmafx/$header>
#include <libvmafx/$header>
"
# shellcheck disable=SC2086  # lists of words
printf '%s' "$source_text" | $c_compiler -std=c11 $flags -Wstrict-prototypes -x c -
# shellcheck disable=SC2086
printf '%s' "$source_text" | $cxx_compiler -std=c++20 $flags -x c++ -
