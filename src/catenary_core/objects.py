"""Files by their SHA-256: model sources and geometry, in a local folder or a cloud store."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import AsyncIterator
from pathlib import Path

import obstore
from obstore.exceptions import AlreadyExistsError
from obstore.store import LocalStore, ObjectStore, from_url

CHUNK_BYTES = 256 * 1024


class Objects:
    """A content-addressed store: equal bytes are kept once, and nothing is ever overwritten."""

    def __init__(self, url: str | None, data_dir: Path | None) -> None:
        """`url`: s3://, gs://, az:// or file://; without one a folder in `data_dir`."""
        self._store: ObjectStore
        if url is not None:
            self._store = from_url(url)
        elif data_dir is not None:
            self._store = LocalStore(data_dir / "objects", mkdir=True)
        else:
            raise ValueError("no object store: set CATENARY_OBJECT_STORE or CATENARY_DATA_DIR")

    async def put(self, content: bytes | Path) -> str:
        """Keeps bytes or a file; its SHA-256 in hexadecimal, which is its address."""
        sha256 = _digest(content)
        await self.keep(sha256, content)
        return sha256

    async def keep(self, sha256: str, content: bytes | Path) -> None:
        """Keeps bytes or a file whose SHA-256 the caller has computed itself, as while they streamed in."""
        with contextlib.suppress(AlreadyExistsError):
            await obstore.put_async(self._store, _path(sha256), content, mode="create")

    async def read(self, sha256: str, start: int, length: int) -> AsyncIterator[bytes]:
        """The bytes from `start`, `length` of them, in chunks. FileNotFoundError when nothing is kept at the address."""
        while length > 0:
            size = min(length, CHUNK_BYTES)
            yield bytes(await obstore.get_range_async(self._store, _path(sha256), start=start, length=size))
            start, length = start + size, length - size

    async def get(self, sha256: str) -> bytes:
        """All bytes at an address, for small objects."""
        return bytes(await (await obstore.get_async(self._store, _path(sha256))).bytes_async())


def _digest(content: bytes | Path) -> str:
    if isinstance(content, bytes):
        return hashlib.sha256(content).hexdigest()
    with content.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _path(sha256: str) -> str:
    return f"sha256/{sha256[:2]}/{sha256[2:]}"
