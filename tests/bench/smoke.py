"""Run every program of this folder briefly, to see that it still works; the figures of such a run mean nothing.

Run it as `python tests/bench/smoke.py` with the extras `test` and `bench`; with names of programs it runs those alone.
Each program takes its counts by `few`. Exit code 1 and the names of the programs if some failed.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
LIBRARIES = {"load.py", "smoke.py"}
"""Modules of this folder that measure nothing by themselves."""
SECONDS = 300
_BRIEFLY = "CATENARY_BENCH_BRIEFLY"
IS_BRIEF = os.environ.get(_BRIEFLY) == "true"
"""Whether this is a smoke run, whose figures mean nothing."""


def few(full: int, brief: int = 1) -> int:
    """Return a count of a measurement: `full`, or `brief` in a smoke run."""
    return brief if IS_BRIEF else full


def line_of(program: Path) -> list[str]:
    """Return the command that runs a program of this folder."""
    if "pytest.mark.bench" in program.read_text():
        return [sys.executable, "-m", "pytest", "-q", "-m", "bench", "-n", "0", "-s", str(program)]
    return [sys.executable, str(program)]


def main() -> int:
    """Run the programs one after the other."""
    wanted = {*sys.argv[1:]}
    red = []
    for program in sorted(HERE.glob("*.py")):
        if program.name in LIBRARIES or (wanted and program.name not in wanted):
            continue
        began = time.monotonic()
        print(f"-- {program.name}", flush=True)
        try:
            ended = subprocess.run(line_of(program), env={**os.environ, _BRIEFLY: "true"}, timeout=SECONDS).returncode
        except subprocess.TimeoutExpired:
            ended = -1
        print(f"-- {program.name} ended with {ended} in {time.monotonic() - began:.0f} s", flush=True)
        if ended != 0:
            red.append(program.name)
    for name in red:
        print(f"RED: {name}")
    return 1 if red else 0


if __name__ == "__main__":
    sys.exit(main())
