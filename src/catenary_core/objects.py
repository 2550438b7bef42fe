"""Files by their SHA-256: model sources and geometry, in a local folder or a cloud store.

What nobody could make again (a model's source) is kept `durable`: on the disk, with its folders, before the call returns. The
geometry of an evaluation isn't: waiting for the disk costs as long as the evaluation itself, and after a power cut the same
evaluation with `force` makes the same bytes, which take the place of what was damaged. A cloud store acknowledges what is safe.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
from collections.abc import AsyncIterator
from pathlib import Path

import obstore
from obstore.store import LocalStore, ObjectStore, from_url

CHUNK_BYTES = 256 * 1024
_LARGE = 256 * 1024
"""Bytes from which hashing is done in a thread, so that the loop goes on."""


class Objects:
    """A content-addressed store: equal bytes are kept once, and an address only ever gets the same bytes again."""

    def __init__(self, url: str | None, data_dir: Path | None) -> None:
        """`url`: s3://, gs://, az:// or file://; without one a folder in `data_dir`."""
        self._store: ObjectStore
        if url is not None:
            self._store = from_url(url)
        elif data_dir is not None:
            self._store = LocalStore(data_dir / "objects", mkdir=True)
        else:
            raise ValueError("no object store: set CATENARY_OBJECT_STORE or CATENARY_DATA_DIR")

    @property
    def is_local(self) -> bool:
        """Whether it is a folder, in which a small file is kept within about a millisecond."""
        return isinstance(self._store, LocalStore)

    async def put(self, content: bytes, *, durable: bool) -> str:
        """Keeps bytes; their SHA-256 in hexadecimal, which is their address."""
        if len(content) < _LARGE:
            sha256 = hashlib.sha256(content).hexdigest()
        else:
            sha256 = (await asyncio.to_thread(hashlib.sha256, content)).hexdigest()
        await self.keep(sha256, content, durable=durable)
        return sha256

    async def keep(self, sha256: str, content: bytes | Path, *, durable: bool) -> None:
        """Keeps bytes or a file whose SHA-256 the caller has computed itself, as while they streamed in."""
        # Over what is there, which may be what a power cut left of them: the store changes a file as a whole.
        await obstore.put_async(self._store, _path(sha256), content, mode="overwrite")
        if durable and isinstance(self._store, LocalStore):
            await asyncio.to_thread(_sync, Path(self._store.prefix or "/"), _path(sha256))

    async def read(self, sha256: str, start: int, length: int) -> AsyncIterator[bytes]:
        """The bytes from `start`, `length` of them, in chunks. FileNotFoundError when nothing is kept at the address."""
        while length > 0:
            size = min(length, CHUNK_BYTES)
            yield bytes(await obstore.get_range_async(self._store, _path(sha256), start=start, length=size))
            start, length = start + size, length - size

    async def get(self, sha256: str) -> bytes:
        """All bytes at an address, for small objects."""
        return bytes(await (await obstore.get_async(self._store, _path(sha256))).bytes_async())


def _sync(root: Path, path: str) -> None:
    """Waits until a file, and its entry in each folder below and of `root`, are on the disk."""
    file = root / path
    for step in (file, *(folder for folder in file.parents if folder.is_relative_to(root)), root.parent):
        descriptor = os.open(step, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _path(sha256: str) -> str:
    return f"sha256/{sha256[:2]}/{sha256[2:]}"
