"""Conversions of a stored GLB, each in a process of its own; users take turns, and failures are remembered."""

from __future__ import annotations

import asyncio
import hashlib
import sys
import tempfile
import time
from collections import OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import IO, Any, Literal

import structlog

from catenary_core.database.transactions import Database
from catenary_core.limits.free_space import FreeSpace
from catenary_core.objects import Objects
from catenary_core.services.evaluations import glb_conversion, queries
from catenary_core.storage import holdings
from catenary_wire.model_limits import GEOMETRY_UNITS

_log = structlog.get_logger(__name__)
CONVERSION_SECONDS = 60.0
"""Time limit of one conversion."""
REMEMBERED_SECONDS = 3_600.0
"""The time for which a failure is given again without another try."""
_MOST_FAILURES = 10_000
AT_ONCE = 2
"""Conversions of a process at one time; a user has one of them."""
Failure = Literal["no triangles", "failed"]
_ENVIRONMENT = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "PATH": "/usr/bin:/bin"}


class NotConvertedError(Exception):
    """A GLB that can't be given in a format; `failure` tells why."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure)
        self.failure = failure


class Turns:
    """Turns of users at something that a process does a few times at once; a user has one turn at a time."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._active: set[str] = set()
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    @asynccontextmanager
    async def turn(self, principal_id: str) -> AsyncIterator[None]:
        """Wait for a turn of the user, and hold it while the block runs."""
        mine: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(principal_id, deque()).append(mine)
        self._give()
        try:
            await mine
            yield
        finally:
            if mine.done() and not mine.cancelled():
                self._active.discard(principal_id)
                if principal_id in self._waiting:
                    self._waiting.move_to_end(principal_id)
            else:
                self._forget(principal_id, mine)
            self._give()

    def _give(self) -> None:
        """Give the free turns to the users who have waited longest since their last one."""
        for principal_id in [principal_id for principal_id in self._waiting if principal_id not in self._active]:
            if len(self._active) >= self._most:
                return
            first = self._waiting[principal_id][0]
            self._forget(principal_id, first)
            if not first.done():  # else its call was cancelled, and gives again
                self._active.add(principal_id)
                first.set_result(None)

    def _forget(self, principal_id: str, waiting: asyncio.Future[None]) -> None:
        """Remove a call that waits no longer, if it is still there."""
        calls = self._waiting.get(principal_id, deque())
        if waiting in calls:
            calls.remove(waiting)
        if not calls:
            self._waiting.pop(principal_id, None)


class Conversions:
    """Converted files, which are stored beside the originals."""

    def __init__(self, db: Database, objects: Objects, space: FreeSpace) -> None:
        self._db = db
        self._objects = objects
        self._space = space
        self._turns = Turns(AT_ONCE)
        self._failures: OrderedDict[tuple[str, str], tuple[float, Failure]] = OrderedDict()
        self._running: dict[tuple[str, str], asyncio.Event] = {}

    async def converted(
        self, source_sha256: str, size: int, form: str, unit: str, principal_id: str
    ) -> tuple[str, int]:
        """Return SHA-256 and size of a GLB in another format.

        Args:
            source_sha256: Address of the GLB.
            size: Its bytes.
            form: `stl`, `3mf` or `png`.
            unit: Unit of an STL, a key of GEOMETRY_UNITS; empty for others.
            principal_id: The caller.

        Raises:
            NotConvertedError: The GLB has no triangles, or can't be converted.

        Raises UNAVAILABLE: too little disk space is free.
        """
        kind = f"{form} {unit}".strip()
        while (found := await self._known(source_sha256, kind)) is None:
            self._refuse_again(source_sha256, form)
            if (running := self._running.get((source_sha256, kind))) is not None:
                await running.wait()  # without a turn: another caller's conversion has one
                continue
            async with self._turns.turn(principal_id):
                # Asked last: nothing may be awaited between this look and `_noted`.
                if await self._known(source_sha256, kind) is None and (source_sha256, kind) not in self._running:
                    self._refuse_again(source_sha256, form)
                    self._space.require()
                    async with self._noted(source_sha256, kind):
                        return await self._convert(source_sha256, size, form, unit)
        return found

    @asynccontextmanager
    async def _noted(self, source_sha256: str, kind: str) -> AsyncIterator[None]:
        """Let equal calls wait for the conversion in the block, however it ends."""
        ended = self._running[source_sha256, kind] = asyncio.Event()
        try:
            yield
        finally:
            del self._running[source_sha256, kind]
            ended.set()

    async def _known(self, source_sha256: str, kind: str) -> tuple[str, int] | None:
        async with self._db.read() as tx:
            row = await tx.one_or_none(queries.CONVERSION, source_sha256=source_sha256, format=kind)
        return None if row is None else (row["sha256"], row["size"])

    def _refuse_again(self, source_sha256: str, form: str) -> None:
        """Refuse what failed lately."""
        until, failure = self._failures.get((source_sha256, form), (0.0, "failed"))
        if time.monotonic() < until:
            raise NotConvertedError(failure)

    async def _convert(self, source_sha256: str, size: int, form: str, unit: str) -> tuple[str, int]:
        with tempfile.NamedTemporaryFile(prefix="catenary-conversion-") as file:
            failure = await _run(self._objects.read(source_sha256, 0, size), form, unit, file)
            if failure is not None:
                self._failures[source_sha256, form] = (time.monotonic() + REMEMBERED_SECONDS, failure)
                if len(self._failures) > _MOST_FAILURES:
                    self._failures.popitem(last=False)
                raise NotConvertedError(failure)
            length = file.seek(0, 2)
            sha256 = await asyncio.to_thread(_digest, file)
            async with self._db.transaction() as tx:
                # Else a conversion whose file was collected would be found again before the file is there.
                await tx.execute(queries.DROP_COLLECTED_CONVERSIONS, sha256=sha256)
                await holdings.claim(tx, [sha256], made_of=source_sha256)
            # Durable, because the stored row prevents another conversion.
            await self._objects.put_hashed(sha256, Path(file.name), durable=True)
        async with self._db.transaction() as tx:
            await tx.execute(
                queries.ADD_CONVERSION,
                source_sha256=source_sha256,
                format=f"{form} {unit}".strip(),
                sha256=sha256,
                size=length,
            )
        return sha256, length


def _digest(file: IO[bytes]) -> str:
    file.seek(0)
    return hashlib.file_digest(file, "sha256").hexdigest()  # type: ignore[arg-type] # a real file


async def _run(glb: AsyncIterator[bytes], form: str, unit: str, out: IO[bytes]) -> Failure | None:
    """Convert in a process, which ends with the call or after CONVERSION_SECONDS; return why there is no result."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-I", str(Path(glb_conversion.__file__)), form, *_of_unit(unit)),
        stdin=asyncio.subprocess.PIPE,
        stdout=out.fileno(),
        stderr=asyncio.subprocess.PIPE,
        env=_ENVIRONMENT,
        cwd="/",
    )
    reading = asyncio.create_task(_read_last(process.stderr), name="conversion errors")
    try:
        async with asyncio.timeout(CONVERSION_SECONDS):
            await _feed(process.stdin, glb)
            await process.wait()
        error = await reading
    except TimeoutError:
        error = b"it took too long"
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
        reading.cancel()
    if process.returncode == 0:
        return None
    if process.returncode == glb_conversion.NO_TRIANGLES:
        return "no triangles"
    _log.warning(
        "a geometry could not be converted",
        format=form,
        status=process.returncode,
        stderr=error.decode(errors="replace"),
    )
    return "failed"


def _of_unit(unit: str) -> list[str]:
    return [unit, repr(GEOMETRY_UNITS[unit])] if unit else []


async def _feed(pipe: Any, glb: AsyncIterator[bytes]) -> None:
    try:
        async for chunk in glb:
            pipe.write(chunk)
            await pipe.drain()
        pipe.close()
    except (BrokenPipeError, ConnectionResetError):
        return  # the process has ended, and its status says why


async def _read_last(stream: Any) -> bytes:
    """Return the last bytes of a stream that may be long."""
    last = b""
    while piece := await stream.read(4_096):
        last = (last + piece)[-500:]
    return last
