# SPDX-License-Identifier: BSD-2-Clause
"""What was executed, one line of JSON for each launch, and the table of it."""

import json


class Results:
    def __init__(self, path):
        self._path, self._all = path, {}
        if path.exists():
            for line in path.read_text().splitlines():
                self._keep(json.loads(line))

    @staticmethod
    def _key(result):
        return result["target"], result["code"], result["launch"]

    def _keep(self, result):
        self._all[self._key(result)] = result

    def find(self, key):
        return self._all.get(self._key(key))

    def add(self, result):
        bits = "".join("1" if flag else "0" for flag in result["executed"])
        kept = {**result, "executed": f"{int(bits or '0', 2):x}", "instructions": len(bits)}
        self._keep(kept)
        with self._path.open("a") as file:
            file.write(json.dumps(kept) + "\n")

    def of_kernel(self, target, kernel, code):
        return [r for r in self._all.values() if (r["target"], r["kernel"], r["code"]) == (target, kernel, code)]


def _cell(results):
    if not results:
        return "not executed"
    failed = [r for r in results if r["result"] != "equal"]
    if failed:
        return failed[0]["result"] + ": " + failed[0]["detail"].replace("|", "/")[:120]
    executed = 0
    for result in results:
        executed |= int(result["executed"], 16)
    count = results[0]["instructions"]
    return f"{len(results)}, {100 * executed.bit_count() // count} %"


def report(objects, results):
    """The kernels as they are now: number of launches, all equal, and share of instructions executed."""
    lines = ["| kernel | " + " | ".join(objects) + " |", "|---" * (1 + len(objects)) + "|"]
    for kernel in next(iter(objects.values())).kernels():
        cells = [
            _cell(results.of_kernel(target, kernel, code_object.digest(kernel, target)))
            for target, code_object in objects.items()
        ]
        lines.append(f"| {kernel} | " + " | ".join(cells) + " |")
    return lines
