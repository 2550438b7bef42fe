"""A test that hangs shows where, and ends."""

from __future__ import annotations

import os
import subprocess
import sys

from factories.checks import time_limits
from factories.installations.installation import ROOT

_HANGING = """
import asyncio
from factories.checks.time_limits import bounded

async def waits_in_vain():
    await asyncio.Event().wait()

async def work():
    await waits_in_vain()

async def main():
    await asyncio.create_task(work(), name="the one that hangs")

with bounded("fine", 60, 2):
    pass
with bounded("a test", 0.5, 2):
    asyncio.run(main())
"""


def test_a_hang_ends_its_process_and_tells_where_every_task_waits() -> None:
    variables = {**os.environ, "PYTHONPATH": str(ROOT / "tests")}
    done = subprocess.run(
        [sys.executable, "-c", _HANGING], env=variables, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == time_limits.EXIT_CODE, done.stderr
    assert done.stderr.startswith("a test hangs for 0.5 s\n")
    told = done.stderr.partition("task the one that hangs waits in\n")[2].splitlines()
    assert [line.rpartition(" ")[2] for line in told[:3]] == ["work", "waits_in_vain", "Event.wait"]
    assert "in select" in done.stderr, "what the thread does"
