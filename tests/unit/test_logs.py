"""Every line that a process logs is a JSON object, whoever wrote it."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from typing import Any

import pytest

from factories.installations.installation import environment

_SCRIPT = """
from catenary_cli import logs
logs.configure("core", verbose={verbose})
{does}
"""


def _lines(does: str, *, verbose: bool = False) -> list[dict[str, Any]]:
    script = _SCRIPT.format(verbose=verbose, does=does)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=environment(), timeout=60)
    assert done.stdout == ""
    return [json.loads(line) for line in done.stderr.splitlines()]


@pytest.mark.parametrize(
    ("does", "level", "part_of_it"),
    [
        ("import structlog; structlog.get_logger('x').warning('ours', n=1)", "warning", '"n": 1'),
        ("import logging; logging.getLogger('library').error('theirs %s', 1)", "error", "theirs 1"),
        ("import warnings; warnings.warn('old\\nthing')", "warning", "old"),
        ("raise RuntimeError('two\\nlines')", "critical", '"error": "RuntimeError"'),
        ("import threading; threading.Thread(target=lambda: 1 / 0).start()", "critical", "ZeroDivisionError"),
        (
            "import asyncio\nasync def f(): asyncio.get_running_loop().call_soon(lambda: 1 / 0)\nasyncio.run(f())",
            "error",
            "ZeroDivisionError",
        ),
    ],
)
def test_a_line_is_a_json_object(does: str, level: str, part_of_it: str) -> None:
    (line,) = _lines(does)
    assert line["level"] == level
    assert line["part"] == "core"
    assert line["pid"] > 0
    assert line["timestamp"].endswith("Z")
    assert part_of_it in json.dumps(line)


def test_info_is_logged_when_verbose_only() -> None:
    does = "import structlog; structlog.get_logger('x').info('request')"
    assert _lines(does) == []
    assert [line["event"] for line in _lines(does, verbose=True)] == ["request"]


@pytest.mark.parametrize(("terminal", "verbose", "shown"), [(False, False, 1), (True, False, 0), (True, True, 1)])
def test_the_audit_trail_is_always_logged_but_at_a_terminal(terminal: bool, verbose: bool, shown: int) -> None:
    script = "from catenary_core.audit import chain; chain._log.info('audit', action='x')"
    if not terminal:
        assert len(_lines(script, verbose=verbose)) == shown
        return
    reader, writer = pty.openpty()
    line = [sys.executable, "-c", _SCRIPT.format(verbose=verbose, does=script)]
    subprocess.run(line, check=True, stderr=writer, env=environment(), timeout=60)
    os.write(writer, b".\n")
    assert os.read(reader, 10_000).count(b'"stream"') == shown
    os.close(reader)
    os.close(writer)
