"""Content codings."""

from __future__ import annotations

import gzip
import zlib

import pytest
from backports import zstd
from hypothesis import given
from hypothesis import strategies as st

from catenary_edge.errors.problem import Problem
from catenary_edge.http import content_encoding


def inflate(data: bytes, name: str, step: int = 1000) -> bytes:
    engine = content_encoding.inflater(name)
    assert engine is not None
    out = b""
    for start in range(0, len(data), step):
        piece = engine.feed(data[start : start + step], 64)
        while piece:
            assert len(piece) <= 64
            out += piece
            piece = engine.feed(b"", 64)
    engine.finish()
    return out


@given(
    data=st.binary(min_size=0, max_size=3000), name=st.sampled_from(content_encoding.CODINGS), step=st.integers(1, 500)
)
def test_what_is_compressed_is_inflated(data: bytes, name: str, step: int) -> None:
    assert inflate(content_encoding.compress(data, name), name, step) == data


def test_members_that_follow_each_other_are_one_body() -> None:
    assert inflate(gzip.compress(b"a") + gzip.compress(b"") + gzip.compress(b"b" * 500), "gzip", 7) == b"a" + b"b" * 500
    assert inflate(zstd.compress(b"a") + zstd.compress(b"b"), "zstd") == b"ab"


def test_deflate_without_the_zlib_header_is_taken() -> None:
    bare = zlib.compressobj(wbits=-15)
    assert inflate(bare.compress(b"hello" * 50) + bare.flush(), "deflate") == b"hello" * 50


@pytest.mark.parametrize("name", content_encoding.CODINGS)
@pytest.mark.parametrize("damage", [lambda data: data[:-1], lambda data: data[:3], lambda data: b"junk" + data,
                                    lambda data: data + b"junk"])  # fmt: skip
def test_a_damaged_body_is_refused(name: str, damage: object) -> None:
    data = damage(content_encoding.compress(b"hello" * 100, name))  # type: ignore[operator]
    with pytest.raises(Problem) as caught:
        inflate(data, name)
    assert caught.value.status == 400


def test_endless_members_are_refused() -> None:
    with pytest.raises(Problem):
        inflate(gzip.compress(b"") * 200, "gzip")


def test_a_zstd_frame_that_asks_for_a_huge_window_is_refused() -> None:
    options = {zstd.CompressionParameter.window_log: 27, zstd.CompressionParameter.content_size_flag: 0}
    huge = zstd.ZstdCompressor(options=options)
    data = huge.compress(b"x" * 1000) + huge.flush()
    assert zstd.ZstdDecompressor().decompress(data) == b"x" * 1000
    with pytest.raises(Problem):
        inflate(data, "zstd")


def test_an_unknown_coding_is_415_and_names_ours() -> None:
    for name in ("br", "gzip, gzip", "x"):
        with pytest.raises(Problem) as caught:
            content_encoding.inflater(name)
        assert caught.value.status == 415
        assert caught.value.headers == {"Accept-Encoding": "zstd, gzip, deflate"}
    assert content_encoding.inflater("identity") is None


@pytest.mark.parametrize(
    ("header", "name"),
    [
        ("", ""), ("gzip", "gzip"), ("GZIP", "gzip"), ("gzip, deflate, zstd", "zstd"),
        ("gzip;q=1.0, zstd;q=0.5", "gzip"),
        ("zstd;q=0, gzip;q=0.1", "gzip"), ("*", "zstd"), ("*;q=0", ""), ("*;q=0.5, gzip", "gzip"), ("br", ""),
        ("identity, gzip;q=0.5", ""), ("gzip;q=2", ""), ("gzip;q=x", ""), ("gzip;q=0.000", ""), (",,;", ""),
    ],
)  # fmt: skip
def test_the_coding_of_an_answer_is_the_best_that_is_accepted(header: str, name: str) -> None:
    assert content_encoding.accepted(header) == name
