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


def _share(results):
    """Of the instructions, in per cent, rounded down; None if nothing was executed."""
    executed = 0
    for result in results:
        executed |= int(result["executed"], 16)
    return 100 * executed.bit_count() // results[0]["instructions"] if executed else None


def _row(title, entries):
    return [f"| {title} | {len(entries)} | {', '.join(entries)} |"] if entries else []


def report(objects, results):
    """The kernels as they are now: all launches equal, and the share of instructions that they executed."""
    whole, partly, missing, wrong, launches = [], [], [], [], 0
    for kernel in next(iter(objects.values())).kernels():
        of_target = {
            target: results.of_kernel(target, kernel, code_object.digest(kernel, target))
            for target, code_object in objects.items()
        }
        everything = [r for found in of_target.values() for r in found]
        launches += len(everything)
        failed = [r for r in everything if r["result"] != "equal"]
        shares = [_share(found) if found else None for found in of_target.values()]
        if failed:
            details = (f"{r['target']} {r['result']}: {r['detail']}" for r in failed[:2])
            wrong.append(f"`{kernel}` ({'; '.join(details)})".replace("|", "/"))
        elif None in shares:
            targets = [t for t, share in zip(of_target, shares) if share is None]
            missing.append(f"`{kernel}` ({', '.join(targets)})")
        elif min(shares) == 100:
            whole.append(f"`{kernel}`")
        else:
            partly.append(f"`{kernel}` {' '.join(map(str, shares))}")
    names = ", ".join(objects)
    return [
        f"{launches} launches on {names}.",
        "",
        "| result | | kernels |",
        "|---|---|---|",
        *_row("equal, all instructions executed", whole),
        *_row(f"equal, instructions executed in % on {names}", partly),
        *_row("not executed", missing),
        *_row("not equal", wrong),
    ]
