"""A clock for claims about durations: it stands still while the machine does.

A shared machine may be frozen for half a minute, which is no fault of ours. A thread reads the time often, and a pause between
two readings counts for at most `MOST` seconds.
"""

from __future__ import annotations

import threading
import time

LOOK, MOST = 0.02, 0.5
_lock = threading.Lock()
_lost = 0.0
_last = time.monotonic()


def seconds() -> float:
    """Return seconds since some moment, without those in which nothing ran."""
    global _lost, _last
    with _lock:
        now = time.monotonic()
        _lost += max(0.0, now - _last - MOST)
        _last = now
        return now - _lost


def _look() -> None:
    while True:
        time.sleep(LOOK)
        seconds()


threading.Thread(target=_look, name="awake", daemon=True).start()
