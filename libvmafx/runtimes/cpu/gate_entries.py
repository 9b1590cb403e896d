# SPDX-License-Identifier: BSD-2-Clause
"""Writes the exported functions of the CPU runtime, each of which goes through the gate.

usage: gate_entries.py ENTRY_POINTS_DEF OUTPUT

C++ has no way to pass on parameters that come out of a macro as one list, so that the list of entry
points is read here.
"""

import re
import sys

ENTRY = re.compile(
    r"^VMAFX_HIP_(?:OWN_)?ENTRY\((\w+), (.+?), \((.*)\), (?:required|optional)\)$", re.MULTILINE
)

HEAD = """/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Written by gate_entries.py out of entry_points.def.
 */
#include "abi/entry_points.h"
#include "gate.h"

namespace vmafx::hip
{

using cpu::Entry;
"""

FALLIBLE = """
extern "C" hipError_t inner_{name}({parameters});
extern "C" hipError_t {name}({parameters})
{{
    const hipError_t fault = cpu::pass(Entry::{name});
    return fault == hipSuccess ? inner_{name}({arguments}) : fault;
}}
"""

INFALLIBLE = """
extern "C" {result} inner_{name}({parameters});
extern "C" {result} {name}({parameters})
{{
    cpu::count(Entry::{name});
    return inner_{name}({arguments});
}}
"""


def argument_names(parameters):
    return ", ".join(re.search(r"\w+$", p.strip()).group() for p in parameters.split(",") if p.strip())


def main(definitions, output):
    with open(definitions, encoding="utf-8") as file:
        entries = ENTRY.findall(file.read())
    with open(output, "w", encoding="utf-8") as out:
        out.write(HEAD)
        for name, result, parameters in entries:
            text = FALLIBLE if result == "hipError_t" else INFALLIBLE
            out.write(text.format(name=name, result=result, parameters=parameters,
                                  arguments=argument_names(parameters)))
        out.write("\n/* An entry that the macro has and this file lacks does not compile. */\n")
        out.write(f"static_assert(cpu::kEntries == {len(entries)});\n")
        out.write("\n} // namespace vmafx::hip\n")


main(sys.argv[1], sys.argv[2])
