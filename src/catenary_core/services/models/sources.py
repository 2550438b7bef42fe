"""Receives uploaded model files, and refuses files that can't be models."""

from __future__ import annotations

import codecs
import hashlib
import itertools
import mmap
import re
import stat
import struct
import zipfile
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Protocol

from catenary_core.call.errors import DomainError, invalid

MAX_BYTES = 64 * 1024 * 1024
"""Maximum size of an uploaded file."""
MAX_UNPACKED_BYTES = 100 * 1024 * 1024
"""The bytes that a worker unpacks at most (`catenary_worker.models.archive`): a test compares the two numbers."""
MAX_ENTRIES = 1000
"""Maximum number of entries of a zip."""
FIELD = "file"
"""The field that errors name."""
_BUFFER_BYTES = 1024 * 1024
_ENCRYPTED = 0x1
_CENTRAL_HEADER = re.compile(rb"PK\x01\x02")
_UNREADABLE = (zipfile.BadZipFile, NotImplementedError, ValueError, struct.error, EOFError, OverflowError, OSError)


@dataclass(frozen=True, slots=True)
class SourceKind:
    """A kind of model file."""

    name: str
    """The kind's name in model.proto."""
    content_type: str
    """The media type of its files."""
    suffix: str
    """The suffix of its file names."""


KINDS = {
    kind.name: kind
    for kind in (
        SourceKind("python", "text/x-python", ".py"),
        SourceKind("zip", "application/zip", ".zip"),
        SourceKind("openscad", "application/x-openscad", ".scad"),
    )
}
_BY_CONTENT_TYPE = {kind.content_type: kind for kind in KINDS.values()}


class UploadMessage(Protocol):
    """A message of an upload."""

    @property
    def chunk(self) -> bytes:
        """The next bytes."""
        ...


def kind_of(content_type: str) -> SourceKind:
    """Return the kind that a media type names, without regard to its parameters.

    Raises UNSUPPORTED_MEDIA_TYPE: no kind has the media type.
    """
    kind = _BY_CONTENT_TYPE.get(content_type.partition(";")[0].strip().lower())
    if kind is None:
        raise DomainError(
            "UNSUPPORTED_MEDIA_TYPE", f"A model is uploaded as one of {', '.join(_BY_CONTENT_TYPE)}; name its type."
        )
    return kind


async def receive(parts: AsyncIterator[UploadMessage], target: Path) -> tuple[int, str]:
    """Write an upload to a file; return its size and SHA-256.

    Raises PAYLOAD_TOO_LARGE: the file is over 64 MiB. Raises VALIDATION_ERROR: the file is empty.
    """
    size, digest = 0, hashlib.sha256()
    with target.open("wb") as file:
        async for part in parts:
            size += len(part.chunk)
            if size > MAX_BYTES:
                raise DomainError(
                    "PAYLOAD_TOO_LARGE", f"A model's file has at most {MAX_BYTES >> 20} MiB; this one has more."
                )
            file.write(part.chunk)
            digest.update(part.chunk)
    if size == 0:
        raise invalid(FIELD, "{field} is empty; send the model's file as the body.", value=None, constraint="required")
    return size, digest.hexdigest()


def check(kind: SourceKind, path: Path) -> None:
    """Refuse a file that can't be of its kind, without running or unpacking any of it.

    Raises VALIDATION_ERROR: text isn't UTF-8, or a zip is unreadable, unsafe, too large or without model.py.
    """
    if kind.name == "zip":
        _check_zip(path)
    else:
        _check_text(path)


def file_name(model_name: str, number: int, kind: SourceKind) -> str:
    """Return a file name for a version, safe in every file system and header.

    It consists of ASCII letters, digits, `.`, `_` and `-`.
    """
    plain = re.sub(r"[^A-Za-z0-9._-]+", "-", model_name).strip("-.")[:80].strip("-.")
    return f"{plain or 'model'}-v{number}{kind.suffix}"


def _check_text(path: Path) -> None:
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        with path.open("rb") as file:
            while chunk := file.read(_BUFFER_BYTES):
                decoder.decode(chunk)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        raise _refused("is not UTF-8; save it in that encoding", "utf8") from None


def _check_zip(path: Path) -> None:
    # Counted before zipfile reads the directory: it keeps an object for each entry, and 64 MiB could hold a million.
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        headers = sum(1 for _ in itertools.islice(_CENTRAL_HEADER.finditer(content), MAX_ENTRIES + 1))
    if headers > MAX_ENTRIES:
        raise _refused(f"has over {MAX_ENTRIES:,} entries; pack fewer files", "entries")
    _check_entries(_directory(path))


def _directory(path: Path) -> list[zipfile.ZipInfo]:
    unreadable = _refused("is not a zip that can be read; pack it anew", "zip")
    try:
        with zipfile.ZipFile(path) as archive:
            entries = archive.infolist()
    except _UNREADABLE:
        raise unreadable from None
    # zipfile shifts offsets by the length of the data before the zip; a directory with a false position shifts them
    # below 0.
    if any(entry.header_offset < 0 for entry in entries):
        raise unreadable
    return entries


def _check_entries(entries: Sequence[zipfile.ZipInfo]) -> None:
    names: set[str] = set()
    for entry in entries:
        if not _is_safe(entry.orig_filename):
            raise _refused("has an entry whose path is absolute, has `..` or leaves the zip otherwise", "path")
        if stat.S_IFMT(entry.external_attr >> 16) not in (0, stat.S_IFREG, stat.S_IFDIR):
            raise _refused("has a link or a special file; pack plain files", "link")
        if entry.flag_bits & _ENCRYPTED:
            raise _refused("is encrypted; pack it without a password", "encrypted")
        if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise _refused("is packed by another method than deflate", "compression")
        name = str(PurePosixPath(entry.filename))
        if name in names:
            raise _refused("has an entry twice", "unique")
        names.add(name)
    if sum(entry.file_size for entry in entries) > MAX_UNPACKED_BYTES:
        raise _refused(f"unpacks to over {MAX_UNPACKED_BYTES >> 20} MiB", "unpacked_size")
    if not any(entry.filename == "model.py" for entry in entries):
        raise _refused("has no model.py at its root", "model")


def _is_safe(name: str) -> bool:
    parts = name.rstrip("/").split("/")
    return not any(part in {"", ".", ".."} or "\\" in part or "\0" in part or ":" in part for part in parts)


def _refused(problem: str, constraint: str) -> DomainError:
    return invalid(FIELD, "{field} {problem}.", value=None, constraint=constraint, problem=problem)
