"""The engine of a study in a process of its own, as the rest of the core speaks to it."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Mapping, Sequence
from typing import Any, Self

import orjson
import structlog

from catenary_core.studies.definition import Definition
from catenary_core.studies.searches import SampleChangedError

_log = structlog.get_logger(__name__)
ANSWER_SECONDS = 120.0
"""Time limit of one answer; a generation takes tenths of a second, indices of the greatest budget some seconds."""
LONGEST_ANSWER = 64 * 1024**2
"""Most bytes of one answer."""
ENVIRONMENT: Mapping[str, str] = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "PATH": "/usr/bin:/bin"}
"""Everything that the process finds in its environment."""
_COMMAND = (sys.executable, "-I", "-B", "-m", "catenary_core.studies.engine_program")
"""Without bytecode: under its limit on files the process would write truncated modules, which nobody could load again."""


class EngineFailedError(Exception):
    """The engine gave no answer; a new one that is told the same outcomes goes on."""


class EngineProcess:
    """One engine, used as `async with EngineProcess(definition) as engine`; its process ends with the block."""

    def __init__(self, definition: Definition, process: asyncio.subprocess.Process | None = None) -> None:
        """Describe the engine.

        Args:
            definition: the study.
            process: a process of `start` that has begun no study; None starts one.
        """
        self._definition = definition
        self._process = process
        self._errors: asyncio.Task[bytes] | None = None

    @property
    def pid(self) -> int | None:
        """The process id while it runs."""
        return None if self._process is None else self._process.pid

    async def __aenter__(self) -> Self:
        """Start the process, unless there is one, and begin the study.

        Raises:
            EngineFailedError: the process did not start, or the algorithm refuses the definition.
        """
        if self._process is None:
            self._process = await start()
        self._errors = asyncio.create_task(_read_last(self._process.stderr), name="study engine errors")
        try:
            await self._request({"do": "begin", "definition": self._definition.to_json()})
        except BaseException:
            await self.__aexit__()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        """End the process, also where the wait for its end is cancelled."""
        ending = asyncio.create_task(self._end(), name="end of a study engine")
        try:
            await asyncio.shield(ending)
        except asyncio.CancelledError:
            await ending
            raise

    async def _end(self) -> None:
        if self._process is not None and self._process.returncode is None:
            self._process.kill()
            await self._process.wait()
        if self._errors is not None:
            await self._errors

    async def ask(self) -> dict[str, Any]:
        """Return the next generation as `generation`, `first` and `points`; no points: there are no more.

        A point has the values of the variables alone: a fixed table would stand in each of thousands.
        """
        return await self._request({"do": "ask"})

    async def tell(self, outcomes: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """Give the varied `parameters` and the `metrics` of each point of the generation; return scores and progress.

        Raises:
            SampleChangedError: the points of a sensitivity are none of its sample.
        """
        return await self._request({"do": "tell", "outcomes": list(outcomes)})

    async def ranks(self) -> tuple[list[int], list[int]]:
        """Return the numbers of the feasible points, and the rank of each among all."""
        answer = await self._request({"do": "ranks"})
        return answer["points"], answer["ranks"]

    async def indices(self) -> list[dict[str, Any]]:
        """Return the indices of each objective of a sensitivity."""
        return list((await self._request({"do": "indices"}))["indices"])

    async def _request(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Send a request and return its answer.

        Raises:
            EngineFailedError: there is no answer within ANSWER_SECONDS, the process has ended, or the engine failed.
            SampleChangedError: the engine said so.
        """
        process = self._process
        if process is None or process.stdin is None or process.stdout is None:
            raise EngineFailedError("the engine was not started")
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                process.stdin.write(orjson.dumps(request) + b"\n")
                await process.stdin.drain()
                line = await process.stdout.readline()
        except (TimeoutError, ConnectionError, ValueError) as error:  # ValueError: the answer is over the limit
            process.kill()
            raise EngineFailedError(type(error).__name__) from error
        answer: dict[str, Any] = orjson.loads(line) if line.endswith(b"\n") else {"error": "the process ended"}
        if "error" in answer:
            _log.warning("a study's engine failed", request=request["do"], error=answer["error"])
            raise (
                SampleChangedError
                if answer["error"] == SampleChangedError.__name__
                else EngineFailedError(answer["error"])
            )
        return answer


async def start(*options: str) -> asyncio.subprocess.Process:
    """Start the process of an engine; with `--prepared` it loads the libraries of searches at once."""
    return await asyncio.create_subprocess_exec(
        *_COMMAND,
        *options,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        limit=LONGEST_ANSWER,
        env=ENVIRONMENT,
        cwd="/",
    )


async def _read_last(stream: asyncio.StreamReader | None) -> bytes:
    """Read a stream to its end, so that the process never waits; return its last bytes."""
    last = b""
    while stream is not None and (piece := await stream.read(4_096)):
        last = (last + piece)[-500:]
    return last
