"""A command in a pseudo-terminal, as a person has it."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import termios
import time
from collections.abc import Mapping, Sequence

LINES, COLUMNS = 24, 80
_SECONDS = 60


class Terminal:
    """A pseudo-terminal in which a command runs."""

    def __init__(self, line: Sequence[str], variables: Mapping[str, str]) -> None:
        self.ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
        self.before = termios.tcgetattr(theirs)
        self.theirs = theirs
        plain = {name: value for name, value in variables.items() if name not in ("COLUMNS", "LINES")}
        self.process = subprocess.Popen(
            line, stdin=theirs, stdout=theirs, stderr=theirs, env={**plain, "TERM": "xterm"}
        )

    def press(self, keys: str) -> None:
        """Type keys."""
        os.write(self.ours, keys.encode())

    def until(self, wanted: str) -> str:
        """Read until a screen has the text; return what was written since the call."""
        return self.matched(re.escape(wanted)).string

    def matched(self, pattern: str) -> re.Match[str]:
        """Read until what was written since the call has the pattern; return its match."""
        found, end = b"", time.monotonic() + _SECONDS
        while (match := re.search(pattern, found.decode(errors="ignore"))) is None:
            assert time.monotonic() < end, f"{pattern!r} is not in {found.decode(errors='ignore')!r}"
            if select.select([self.ours], [], [], 0.1)[0]:
                found += os.read(self.ours, 65536)
        return match

    def close(self) -> None:
        """End the command."""
        self.process.kill()
        self.process.wait()
        os.close(self.ours)
        os.close(self.theirs)
