"""The content of the object store, which is on the disk before the store says so."""

from __future__ import annotations

import asyncio
import hashlib
import os
import threading
from pathlib import Path
from typing import Any

import pytest

from catenary_core.objects import Objects

CONTENT = b"PARAMETERS = []"
SHA256 = hashlib.sha256(CONTENT).hexdigest()


@pytest.fixture
def synced(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that gets the synced paths, in order."""
    paths: list[str] = []
    fsync = os.fsync

    def noted(descriptor: int) -> None:
        paths.append(str(Path(f"/proc/self/fd/{descriptor}").readlink()))
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", noted)
    return paths


@pytest.mark.parametrize("by_url", [False, True])
async def test_a_durable_file_and_its_folders_are_on_the_disk_before_it_is_acknowledged(
    tmp_path: Path, synced: list[str], by_url: bool
) -> None:
    root = tmp_path / "objects"
    if by_url:
        root.mkdir()
    objects = Objects(f"file://{root}" if by_url else None, tmp_path)
    assert await objects.put(CONTENT, durable=True) == SHA256
    folder = root / "sha256" / SHA256[:2]
    assert synced == [str(path) for path in (folder / SHA256[2:], folder, root / "sha256", root, root.parent)]
    # Equal bytes may have been kept by one who isn't acknowledged yet.
    await objects.put(CONTENT, durable=True)
    assert len(synced) == 10


async def test_what_can_be_made_again_does_not_wait_for_the_disk(tmp_path: Path, synced: list[str]) -> None:
    await Objects(None, tmp_path).put(CONTENT, durable=False)
    assert synced == []


async def test_a_disk_that_fails_is_no_success(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(_: int) -> None:
        raise OSError("on purpose")

    monkeypatch.setattr(os, "fsync", fails)
    with pytest.raises(OSError, match="on purpose"):
        await Objects(None, tmp_path).put(CONTENT, durable=True)


async def test_what_a_power_cut_damaged_is_whole_after_the_same_bytes_come_again(tmp_path: Path) -> None:
    objects = Objects(None, tmp_path)
    await objects.put(CONTENT, durable=False)
    (tmp_path / "objects/sha256" / SHA256[:2] / SHA256[2:]).write_bytes(b"")
    await objects.put(CONTENT, durable=False)
    assert await objects.get(SHA256) == CONTENT


async def test_equal_bytes_that_come_at_once_are_kept_once(tmp_path: Path) -> None:
    objects = Objects(None, tmp_path)
    content = os.urandom(300_000)
    assert len(set(await asyncio.gather(*(objects.put(content, durable=True) for _ in range(10))))) == 1
    assert [path.stat().st_size for path in (tmp_path / "objects").rglob("*") if path.is_file()] == [300_000]


async def test_large_content_is_hashed_beside_the_loop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    threads = []
    sha256 = hashlib.sha256

    def noted(content: bytes) -> Any:
        threads.append(threading.current_thread() is threading.main_thread())
        return sha256(content)

    monkeypatch.setattr(hashlib, "sha256", noted)
    objects = Objects(None, tmp_path)
    await objects.put(bytes(1024 * 1024), durable=False)
    await objects.put(b"small", durable=False)
    assert threads == [False, True]


@pytest.mark.parametrize("kind", ["folder", "file URL", "memory"])
async def test_what_is_stored_is_listed_until_it_is_deleted(tmp_path: Path, kind: str) -> None:
    urls = {"folder": None, "file URL": tmp_path.as_uri(), "memory": "memory:///"}
    objects = Objects(urls[kind], tmp_path)
    assert not await objects.is_stored(SHA256)
    large = await objects.put(bytes(300_000), durable=False)
    await objects.put(CONTENT, durable=False)
    assert {one async for one in objects.sizes()} == {(SHA256, len(CONTENT)), (large, 300_000)}
    for _ in range(2):  # what is gone already is no fault
        await objects.delete(SHA256)
    assert [one async for one in objects.sizes()] == [(large, 300_000)]
    assert (await objects.is_stored(SHA256), await objects.is_stored(large)) == (False, True)
