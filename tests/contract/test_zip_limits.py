"""Uploads are admitted by the limits by which a worker unpacks; the two may not import each other."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest

from catenary_core.call.errors import DomainError
from catenary_core.services.models import sources
from catenary_worker.models import archive
from catenary_worker.task import ModelFaultError


def test_both_sides_have_the_same_limits_and_the_proto_tells_them() -> None:
    assert sources.MAX_UNPACKED_BYTES == archive.UNPACKED_BYTES
    assert sources.MAX_ENTRIES == archive.MOST_FILES
    proto = Path(__file__).parents[2] / "protos/catenary/platform/v1/model_service.proto"
    said = f"unpacked, at most {archive.UNPACKED_BYTES >> 20} MiB in {archive.MOST_FILES:,} entries"
    assert said in proto.read_text()


@pytest.mark.parametrize(("over", "taken"), [(0, True), (1, False)])
def test_a_zip_at_the_limit_is_taken_by_both_and_one_byte_more_by_neither(
    tmp_path: Path, over: int, taken: bool
) -> None:
    model = b"def evaluate(p):\n    return {}\n"
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as made:
        made.writestr("model.py", model)
        made.writestr("zeros.bin", bytes(archive.UNPACKED_BYTES - len(model) + over))
    file, folder = tmp_path / "upload", tmp_path / "unpacked"
    file.write_bytes(packed.getvalue())
    folder.mkdir()
    assert _admits(file) is taken
    assert _unpacks(packed.getvalue(), folder) is taken


def _admits(file: Path) -> bool:
    try:
        sources.check(sources.KINDS["zip"], file)
    except DomainError:
        return False
    return True


def _unpacks(content: bytes, folder: Path) -> bool:
    try:
        archive.unpack(content, folder)
    except ModelFaultError:
        return False
    return True
