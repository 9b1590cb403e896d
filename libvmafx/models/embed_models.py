#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Writes a C++ source that holds model files as text.

    embed_models.py OUTPUT.cpp MODEL.json... [NAME=MODEL...]

NAME is a model with the figures of MODEL, but for features in floats.
"""
import json
import os
import sys

CHUNK = 4096  # characters of one string literal


def main():
    output = sys.argv[1]
    files = [argument for argument in sys.argv[2:] if "=" not in argument]
    floats = [argument.split("=") for argument in sys.argv[2:] if "=" in argument]
    lines = ['#include "model/builtin.h"', "", "namespace vmafx {", "", "namespace {", ""]
    names = []
    for i, path in enumerate(files):
        with open(path, encoding="ascii") as file:
            text = json.dumps(json.load(file), separators=(",", ":"))
        lines.append(f"constexpr char kText{i}[] =")
        lines += [f'    R"({text[at:at + CHUNK]})"' for at in range(0, len(text), CHUNK)]
        lines[-1] += ";"
        names.append(os.path.splitext(os.path.basename(path))[0])
    lines += ["", "constexpr BuiltinModel kModels[] = {"]
    entries = [(name, name, "false") for name in names]
    entries += [(name, figures, "true") for name, figures in floats]
    for name, figures, in_floats in entries:
        text = f"kText{names.index(figures)}"
        lines.append(f'    {{"{name}", {{{text}, sizeof({text}) - 1}}, {in_floats}}},')
    lines += ["};", "", "} // namespace", "",
              "std::span<const BuiltinModel> builtin_models()", "{", "    return kModels;", "}", "",
              "} // namespace vmafx", ""]
    with open(output, "w", encoding="ascii") as file:
        file.write("\n".join(lines))


if __name__ == "__main__":
    main()
