"""The rules for an uploaded file, before any of it is run or unpacked."""

from __future__ import annotations

import io
import re
import stat
import struct
import zipfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from catenary_core.call.errors import DomainError
from catenary_core.services.models import sources

SOURCE = b"PARAMETERS = []\n"


def zipped(*entries: tuple[str | zipfile.ZipInfo, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", method) as archive:
        for name, data in entries:
            archive.writestr(name, data)
    return content.getvalue()


def named(name: str, **attributes: Any) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo("placeholder")
    entry.filename = name
    for key, value in attributes.items():
        setattr(entry, key, value)
    return entry


def check(tmp_path: Path, content: bytes, kind: str = "zip") -> None:
    path = tmp_path / "upload"
    path.write_bytes(content)
    sources.check(sources.KINDS[kind], path)


def refusal(tmp_path: Path, content: bytes, kind: str = "zip") -> str:
    with pytest.raises(DomainError) as caught:
        check(tmp_path, content, kind)
    assert caught.value.reason == "VALIDATION_ERROR"
    assert caught.value.details["parameter"] == "file"
    return str(caught.value.details["constraint"])


MODEL = ("model.py", SOURCE)


def test_a_zip_with_folders_and_data_is_taken(tmp_path: Path) -> None:
    folder = named("data/", external_attr=(stat.S_IFDIR | 0o755) << 16)
    plain = named("data/profile.csv", external_attr=(stat.S_IFREG | 0o644) << 16)
    check(tmp_path, zipped(MODEL, (folder, b""), (plain, b"1,2\n"), ("ü/..data/x", b"")))
    check(tmp_path, zipped(MODEL, method=zipfile.ZIP_STORED))


@pytest.mark.parametrize(
    "name",
    ["../x", "a/../../x", "/etc/passwd", "C:\\x", "a\\b", "..\\x", "a//b", "./x", "..", "C:x", "a/..", "//server/x"],
)
def test_a_path_that_may_leave_the_zip_is_refused(tmp_path: Path, name: str) -> None:
    assert refusal(tmp_path, zipped(MODEL, (named(name), b""))) == "path"


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFIFO, stat.S_IFCHR, stat.S_IFBLK, stat.S_IFSOCK])
def test_a_link_or_special_file_is_refused(tmp_path: Path, kind: int) -> None:
    assert refusal(tmp_path, zipped(MODEL, (named("x", external_attr=(kind | 0o777) << 16), b"/etc/passwd"))) == "link"


def test_an_encrypted_zip_is_refused(tmp_path: Path) -> None:
    content = bytearray(zipped(MODEL))
    flags = content.index(b"PK\x01\x02") + 8
    content[flags] |= 1
    assert refusal(tmp_path, bytes(content)) == "encrypted"


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_rare_way_of_packing_is_refused(tmp_path: Path, method: int) -> None:
    assert refusal(tmp_path, zipped(MODEL, method=method)) == "compression"


def test_a_name_that_stands_twice_is_refused(tmp_path: Path) -> None:
    with pytest.warns(UserWarning, match="Duplicate name"):
        content = zipped(MODEL, MODEL)
    assert refusal(tmp_path, content) == "unique"


def test_a_bomb_is_refused_by_what_its_directory_says(tmp_path: Path) -> None:
    zeros = bytes(25 * 1024 * 1024)
    content = zipped(MODEL, *((f"{number}.bin", zeros) for number in range(4)))
    assert len(content) < 1024 * 1024
    assert refusal(tmp_path, content) == "unpacked_size"


def test_a_directory_of_a_million_entries_is_refused_without_reading_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: Any, **__: Any) -> None:
        raise AssertionError("the directory was read")

    header = b"PK\x01\x02" + bytes(42)
    monkeypatch.setattr(zipfile, "ZipFile", never)
    assert refusal(tmp_path, header * 1_000_000 + b"PK\x05\x06" + bytes(18)) == "entries"


def test_as_many_entries_as_allowed_are_taken(tmp_path: Path) -> None:
    files = [(f"{number}", b"") for number in range(sources.MAX_ENTRIES - 1)]
    check(tmp_path, zipped(MODEL, *files))
    assert refusal(tmp_path, zipped(MODEL, *files, ("more", b""))) == "entries"


@pytest.mark.parametrize("name", ["Model.py", "src/model.py", "model.py/", "model.pyc"])
def test_a_zip_needs_model_py_at_its_root(tmp_path: Path, name: str) -> None:
    assert refusal(tmp_path, zipped((name, b""))) == "model"
    assert refusal(tmp_path, zipped()) == "model"


_GOOD = zipped(MODEL, ("data/x.csv", b"1,2,3\n" * 20))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=150)
@given(
    st.lists(st.tuples(st.integers(0, len(_GOOD) - 1), st.integers(0, 255)), max_size=6),
    st.integers(0, len(_GOOD)),
)
def test_a_damaged_zip_is_taken_or_refused_and_nothing_else(
    tmp_path: Path, changes: list[tuple[int, int]], cut: int
) -> None:
    content = bytearray(_GOOD)
    for place, value in changes:
        content[place] = value
    for damaged in (bytes(content), bytes(content[: cut or 1])):
        try:
            check(tmp_path, damaged)
        except DomainError as error:
            assert error.reason == "VALIDATION_ERROR"  # noqa: PT017 (either outcome is right)


def test_a_directory_that_lies_about_its_place_is_refused(tmp_path: Path) -> None:
    content = bytearray(_GOOD)
    end = content.rindex(b"PK\x05\x06")
    struct.pack_into("<I", content, end + 16, 2**32 - 2)
    assert refusal(tmp_path, bytes(content)) == "zip"


@pytest.mark.parametrize("kind", ["python", "openscad"])
def test_text_is_utf8_across_the_borders_of_what_is_read(tmp_path: Path, kind: str) -> None:
    check(tmp_path, b"#" * (1024 * 1024 - 1) + "é".encode(), kind)
    check(tmp_path, b"\xef\xbb\xbfx = 1", kind)
    assert refusal(tmp_path, b"#" * (1024 * 1024 - 1) + b"\xc3", kind) == "utf8"
    assert refusal(tmp_path, b"\xed\xa0\x80", kind) == "utf8"


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("Arch", "Arch-v3.py"),
        ("../../etc/passwd", "etc-passwd-v3.py"),
        ('a"; filename="b', "a-filename-b-v3.py"),
        ("桥", "model-v3.py"),
        ("...", "model-v3.py"),
        ("x" * 200, "x" * 80 + "-v3.py"),
    ],
)
def test_the_name_of_a_downloaded_file_is_plain(name: str, file: str) -> None:
    assert sources.file_name(name, 3, sources.KINDS["python"]) == file


@given(st.text(max_size=200))
def test_no_name_of_a_model_breaks_the_header(name: str) -> None:
    made = sources.file_name(name, 1, sources.KINDS["zip"])
    assert re.fullmatch(r"[A-Za-z0-9_-][A-Za-z0-9._-]*-v1\.zip", made, re.ASCII)


@pytest.mark.parametrize("type_", ["text/x-python", " TEXT/X-PYTHON ;charset=utf-8"])
def test_parameters_of_a_media_type_do_not_count(type_: str) -> None:
    assert sources.kind_of(type_).name == "python"


def test_the_kinds_are_those_of_the_proto_and_the_route() -> None:
    from catenary.options.v1 import options_pb2
    from catenary.platform.v1 import model_pb2, model_service_pb2

    names = {name.removeprefix("MODEL_KIND_").lower() for name in model_pb2.ModelKind.keys()[1:]}
    assert names == set(sources.KINDS)
    method = model_service_pb2.DESCRIPTOR.services_by_name["ModelService"].methods_by_name["UploadModelVersion"]
    types = set(method.GetOptions().Extensions[options_pb2.method].upload_types)
    assert types == {kind.content_type for kind in sources.KINDS.values()} | {"multipart/form-data"}
