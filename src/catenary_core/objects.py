"""Content-addressed files: model sources and geometry by their SHA-256, in a local folder or a cloud store.

Content that nobody can produce again (a model's source) is stored `durable`: on the disk, with its folders, before the
call returns. An evaluation's geometry isn't: waiting for the disk takes as long as the evaluation itself, and after a
power cut the same evaluation with `force` produces the same bytes, which replace the damaged ones. A cloud store
acknowledges only what is safe.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import re
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path

import obstore
from obstore.store import LocalStore, ObjectStore, from_url

CHUNK_BYTES = 256 * 1024
"""Size of a chunk of `Objects.read`."""
_LARGE = 256 * 1024
"""Size in bytes from which hashing runs in a thread, so that the event loop isn't blocked."""

_STORED = re.compile(r"sha256/([0-9a-f]{2})/([0-9a-f]{62})\Z")


class Objects:
    """A content-addressed store: equal bytes are stored once, and an address only ever gets the same bytes again."""

    def __init__(self, url: str | None, data_dir: Path | None) -> None:
        """Open the store.

        Args:
            url: s3://, gs://, az:// or file://; None: a folder in `data_dir`.
            data_dir: the data directory.

        Raises:
            ValueError: both are None.
        """
        self._store: ObjectStore
        if url is not None:
            self._store = from_url(url)
        elif data_dir is not None:
            self._store = LocalStore(data_dir / "objects", mkdir=True)
        else:
            raise ValueError("no object store: set CATENARY_OBJECT_STORE or CATENARY_DATA_DIR")

    @property
    def is_local(self) -> bool:
        """True if the store is a folder, which stores a small file within about a millisecond."""
        return isinstance(self._store, LocalStore)

    async def put(self, content: bytes, *, durable: bool) -> str:
        """Store bytes; return their address, the SHA-256 in hexadecimal."""
        if len(content) < _LARGE:
            sha256 = hashlib.sha256(content).hexdigest()
        else:
            sha256 = (await asyncio.to_thread(hashlib.sha256, content)).hexdigest()
        await self.put_hashed(sha256, content, durable=durable)
        return sha256

    async def put_hashed(self, sha256: str, content: bytes | Path, *, durable: bool) -> None:
        """Store bytes or a file under a SHA-256 computed by the caller, for example during an upload."""
        # Overwrite an existing file, which a power cut may have damaged: the store replaces a file as a whole.
        await obstore.put_async(self._store, _path(sha256), content, mode="overwrite")
        if durable and isinstance(self._store, LocalStore):
            await asyncio.to_thread(_sync, Path(self._store.prefix or "/"), _path(sha256))

    async def read(self, sha256: str, start: int, length: int) -> AsyncIterator[bytes]:
        """Yield `length` bytes from `start`, in chunks.

        Raises:
            FileNotFoundError: nothing is stored at the address.
        """
        while length > 0:
            size = min(length, CHUNK_BYTES)
            yield bytes(await obstore.get_range_async(self._store, _path(sha256), start=start, length=size))
            start, length = start + size, length - size

    async def delete(self, sha256: str) -> None:
        """Remove the bytes at an address, of which nothing may be left."""
        with suppress(FileNotFoundError):
            await obstore.delete_async(self._store, _path(sha256))

    async def sizes(self) -> AsyncIterator[tuple[str, int]]:
        """Yield address and size of everything stored."""
        async for batch in obstore.list(self._store, prefix="sha256"):
            for found in batch:
                if (match := _STORED.search(found["path"])) is not None:
                    yield "".join(match.groups()), found["size"]

    async def is_stored(self, sha256: str) -> bool:
        """Return whether there are bytes at an address."""
        try:
            await obstore.head_async(self._store, _path(sha256))
        except FileNotFoundError:
            return False
        return True

    async def get(self, sha256: str) -> bytes:
        """Return all bytes at an address, for small objects."""
        return bytes(await (await obstore.get_async(self._store, _path(sha256))).bytes_async())


def _sync(root: Path, path: str) -> None:
    """Wait until a file and its entries in all folders, up to the entry of `root`, are on disk."""
    file = root / path
    for step in (file, *(folder for folder in file.parents if folder.is_relative_to(root)), root.parent):
        descriptor = os.open(step, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _path(sha256: str) -> str:
    return f"sha256/{sha256[:2]}/{sha256[2:]}"
