"""The check of an uploaded zip by the core, and its unpacking by a worker.

An input is a file. The worker unpacks at most 1 MiB here, so that a run is short.
"""

from __future__ import annotations

import atexit
import shutil
import tempfile
from pathlib import Path
from unittest import mock

from catenary_core.call.errors import DomainError
from catenary_core.services.models import sources
from catenary_worker.models import archive
from catenary_worker.task import ModelFaultError

UNPACKED_BYTES = 1 << 20
KIND = sources.kind_of("application/zip")
_FOLDER = Path(tempfile.mkdtemp(prefix="catenary-fuzz-zip-"))
atexit.register(shutil.rmtree, _FOLDER)


def run(data: bytes) -> str:
    """Check and unpack one file: it makes plain files below its folder only, of at most the bytes allowed."""
    inner = _FOLDER / "outer" / "inner"
    inner.mkdir(parents=True)
    file = _FOLDER / "file.zip"
    file.write_bytes(data or b"\0")
    taken = True
    try:
        try:
            sources.check(KIND, file)
        except DomainError as refused:
            assert refused.reason == "VALIDATION_ERROR", refused.reason
            taken = False
        try:
            with mock.patch.object(archive, "UNPACKED_BYTES", UNPACKED_BYTES):  # other tests of the process need theirs
                archive.unpack(data, inner)
        except ModelFaultError:
            taken = False
        assert [one.name for one in inner.parent.iterdir()] == [inner.name]
        made = [one for one in inner.rglob("*") if not one.is_dir()]
        assert all(one.is_file() and not one.is_symlink() for one in made)
        assert sum(one.stat().st_size for one in made) <= UNPACKED_BYTES + 1
    finally:
        shutil.rmtree(_FOLDER / "outer")
    return "taken" if taken else "refused"
