#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Runs meson's tests of a build folder and ends with the line "N passed, N failed".

usage: meson-test.py BUILD [arguments of `meson test`]
"""
import json
import pathlib
import subprocess
import sys


def main() -> int:
    build, *arguments = sys.argv[1:]
    log = pathlib.Path(build, "meson-logs", "testlog.json")
    log.unlink(missing_ok=True)
    status = subprocess.run(
        ["meson", "test", "-C", build, "--print-errorlogs", *arguments],
        check=False).returncode
    results = []
    if log.exists():
        results = [json.loads(line) for line in log.read_text().splitlines() if line]
    passed = sum(r["result"] in ("OK", "EXPECTEDFAIL") for r in results)
    skipped = [r["name"] for r in results if r["result"] == "SKIP"]
    failed = len(results) - passed - len(skipped)
    if skipped:
        print("skipped:", ", ".join(skipped))
    if not results or (status and not failed):
        print("meson test ended with status", status, "and", len(results), "results")
        failed = max(failed, 1)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
