"""Parts of an installation that run apart, as processes."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from factories.installations.installation import environment

START_SECONDS = 60.0
CATENARY = (sys.executable, "-m", "catenary_cli")


class Part:
    """A running `catenary COMMAND`; what it prints and what it logs are apart."""

    def __init__(
        self, folder: Path, name: str, *arguments: str, program: Sequence[str] = CATENARY, **variables: str
    ) -> None:
        self.is_killed = False
        self.out, self.log = folder / f"{name}.out", folder / f"{name}.log"
        with self.out.open("wb") as out, self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [*program, *arguments],
                stdout=out,
                stderr=log,
                env={**environment(), "CATENARY_ADMIN_PORT": "0", **variables},
                start_new_session=True,
            )

    def wait_for(self, pattern: str, file: Path | None = None, seconds: float = START_SECONDS) -> re.Match[str]:
        """Wait until its output (or its log) matches and return the first match."""
        deadline = time.monotonic() + seconds
        while True:
            text = (file or self.out).read_text(errors="replace")
            found = re.search(pattern, text)
            if found:
                return found
            assert self.process.poll() is None, f"ended with {self.process.returncode}: {self.log.read_text()}"
            assert time.monotonic() < deadline, f"no {pattern!r} in {text!r}; log: {self.log.read_text()}"
            time.sleep(0.05)

    def lines(self) -> list[dict[str, Any]]:
        """Return its log, of which every line must be a JSON object."""
        found = []
        for line in self.log.read_text().splitlines():
            try:
                found.append(json.loads(line))
            except ValueError:
                raise AssertionError(f"not a JSON line: {line!r}") from None
        return found

    def kill(self) -> None:
        """End the process as a fault does."""
        self.process.kill()
        self.process.wait(60)
        self.is_killed = True

    def stop(self, number: int = signal.SIGTERM, seconds: float = 120) -> int:
        """Send a signal and return the exit code."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        try:
            return self.process.wait(seconds)
        finally:
            if self.process.poll() is None:
                os.killpg(self.process.pid, signal.SIGKILL)


@contextmanager
def running(folder: Path, name: str, *arguments: str, **variables: str) -> Iterator[Part]:
    """Run a part until the block ends; unless it was killed it must stop by SIGTERM with exit code 0."""
    part = Part(folder, name, *arguments, **variables)
    try:
        yield part
    finally:
        code = part.stop()
    assert code == 0 or part.is_killed, part.log.read_text()
