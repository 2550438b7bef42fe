"""Receives the bytes of artefacts, and stores them only if size and SHA-256 are as announced."""

from __future__ import annotations

import asyncio
import hashlib
import tempfile
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from catenary.worker.v1 import worker_service_pb2 as pb
from catenary_core.background.failures import end
from catenary_core.call.errors import DomainError, invalid
from catenary_core.jobs.queue import Artefact, OutputFile
from catenary_core.objects import Objects

IN_MEMORY = 1024 * 1024
"""Bytes up to which an artefact is kept in memory; larger ones go through a temporary file."""


async def receive(
    objects: Objects | None,
    artefacts: Sequence[Artefact | OutputFile],
    first: bytes,
    rest: AsyncIterator[pb.CompleteRequest],
) -> None:
    """Store the artefacts' bytes, which follow each other in `first` and then `rest`; without `objects` only read them.

    An artefact may begin and end anywhere in a message.

    Raises VALIDATION_ERROR: the bytes are too few, too many, or not those announced.
    """
    stream = _Stream(first, rest)
    for artefact in artefacts:
        await _keep(objects, artefact, stream)
    await stream.end()


async def read_all(
    artefacts: Sequence[Artefact | OutputFile], first: bytes, rest: AsyncIterator[pb.CompleteRequest]
) -> dict[str, bytes]:
    """Return the artefacts' bytes by SHA-256; for artefacts whose bytes are all in `first`.

    Raises VALIDATION_ERROR: as in `receive`.
    """
    stream = _Stream(first, rest)
    contents = {one.sha256: b"".join([bytes(piece) async for piece in stream.pieces(one)]) for one in artefacts}
    await stream.end()
    return contents


@asynccontextmanager
async def stored(objects: Objects, contents: Mapping[str, bytes]) -> AsyncIterator[None]:
    """Store the contents that `whole` returned while the block runs; wait for the store at its end.

    If the block raises, its error wins over one of the store.
    """
    keeping = asyncio.create_task(_keep_all(objects, contents))
    try:
        yield
    except BaseException:
        with suppress(Exception):
            await end(keeping)
        raise
    await keeping


async def _keep_all(objects: Objects, contents: Mapping[str, bytes]) -> None:
    await asyncio.gather(*(objects.put_hashed(sha256, content, durable=False) for sha256, content in contents.items()))


async def _keep(objects: Objects | None, artefact: Artefact | OutputFile, stream: _Stream) -> None:
    if objects is None:
        async for _ in stream.pieces(artefact):
            pass
        return
    if artefact.size <= IN_MEMORY:
        content = bytearray()
        async for piece in stream.pieces(artefact):
            content += piece
        await objects.put_hashed(artefact.sha256, bytes(content), durable=False)
        return
    with tempfile.NamedTemporaryFile(prefix="catenary-artefact-") as file:
        async for piece in stream.pieces(artefact):
            file.write(piece)
        file.flush()
        await objects.put_hashed(artefact.sha256, Path(file.name), durable=False)


class _Stream:
    """The bytes of a client's messages."""

    def __init__(self, first: bytes, rest: AsyncIterator[pb.CompleteRequest]) -> None:
        self._held = memoryview(first)
        self._rest = rest

    async def take(self, most: int) -> memoryview:
        """Return the next bytes, at most `most`, or none at the end."""
        while not self._held:
            message = await anext(self._rest, None)
            if message is None:
                break
            self._held = memoryview(message.chunk)
        taken, self._held = self._held[:most], self._held[most:]
        return taken

    async def end(self) -> None:
        """Wait for the end of the messages.

        Raises VALIDATION_ERROR: more bytes came.
        """
        if await self.take(1):
            raise invalid("chunk", "More bytes came than the artefacts have.", value=None, constraint="size")

    async def pieces(self, artefact: Artefact | OutputFile) -> AsyncIterator[memoryview]:
        """Yield an artefact's bytes; after the last, check them.

        Raises VALIDATION_ERROR: the bytes aren't those announced.
        """
        left, digest = artefact.size, hashlib.sha256()
        while left:
            piece = await self.take(left)
            if not piece:
                raise _refused(artefact, "ended early")
            digest.update(piece)
            left -= len(piece)
            yield piece
        if digest.hexdigest() != artefact.sha256:
            raise _refused(artefact, "have another SHA-256 than announced")


def _refused(artefact: Artefact | OutputFile, why: str) -> DomainError:
    return invalid(
        "chunk",
        "The bytes of {name} ({format}) {why}.",
        value=None,
        constraint="artefact",
        name=artefact.name,
        format=artefact.format,
        why=why,
    )
