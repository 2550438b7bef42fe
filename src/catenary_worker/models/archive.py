"""The unpacking of a zipped model into the working folder; nothing in the zip is trusted."""

import io
import lzma
import stat
import struct
import zipfile
import zlib
from pathlib import Path, PurePosixPath

from catenary_worker.models.entries import format_value
from catenary_worker.task import MEBIBYTE, ModelFaultError

MODEL = "model.py"
MOST_FILES = 1_000
UNPACKED_BYTES = 100 * MEBIBYTE
_UNIX = 3
_UNREADABLE = (
    *(zipfile.BadZipFile, zipfile.LargeZipFile, zlib.error, lzma.LZMAError, struct.error),
    *(NotImplementedError, EOFError, ValueError, OverflowError),
)
"""Errors of damaged zips; `zipfile` passes on those of what it calls."""


def unpack(source: bytes, folder: Path) -> None:
    """Write the files of a zip under `folder`.

    Links, absolute and `..` paths, encryption, too many files and too many bytes are refused. Bytes are counted as they
    are inflated, whatever sizes the zip states.

    Raises:
        ModelFaultError: The zip is refused or damaged, or has no model.py at its root.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(source)) as archive:
            entries = archive.infolist()
            if len(entries) > MOST_FILES:
                raise ModelFaultError(f"The zip has {len(entries)} files; at most {MOST_FILES} are allowed.")
            left = UNPACKED_BYTES
            for entry in entries:
                left = _write(archive, entry, folder, left)
    except _UNREADABLE as error:
        raise ModelFaultError(f"The zip cannot be read: {error}.") from None
    if not (folder / MODEL).is_file():
        raise ModelFaultError(f"The zip has no {MODEL} at its root.")


def _write(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, folder: Path, left: int) -> int:
    name = PurePosixPath(entry.filename)
    parts = name.parts
    if name.is_absolute() or ".." in parts or not parts or "\\" in entry.filename or len(entry.filename) > 500:
        raise ModelFaultError(f"The zip holds the unsafe path {format_value(entry.filename)}.")
    mode = entry.external_attr >> 16 if entry.create_system == _UNIX else 0
    if stat.S_IFMT(mode) not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise ModelFaultError(f"The zip holds {format_value(entry.filename)}, which is a link or a special file.")
    if entry.flag_bits & 1:
        raise ModelFaultError("The zip is encrypted.")
    target = folder.joinpath(*parts)
    try:
        if entry.is_dir():
            target.mkdir(parents=True, exist_ok=True)
            return left
        target.parent.mkdir(parents=True, exist_ok=True)
        with archive.open(entry) as packed, target.open("xb") as file:
            while piece := packed.read(min(left + 1, MEBIBYTE)):
                left -= len(piece)
                if left < 0:
                    raise ModelFaultError(f"The zip unpacks to more than {UNPACKED_BYTES // MEBIBYTE} MiB.")
                file.write(piece)
    except FileExistsError:
        raise ModelFaultError(f"The zip holds {format_value(entry.filename)} twice.") from None
    except OSError as error:  # a name that is too long, a file that is a folder of others, damaged content of bzip2
        raise ModelFaultError(f"The zip holds {format_value(entry.filename)}: {error.strerror or error}.") from None
    return left
