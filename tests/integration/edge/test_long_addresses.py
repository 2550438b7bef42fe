"""Filters take 1,000 ids; an address that is longer than any such filter is refused in the body of its surface."""

from __future__ import annotations

import uuid

import orjson
import pytest

from integration.edge.conftest import Running

LIST = "/catenary.parameter.v1.ParameterService/ListParameters"
EMPTY = {"parameters": [], "paging": None, "summary": None}


def _ids(count: int) -> list[str]:
    return [str(uuid.UUID(int=number)) for number in range(count)]


@pytest.mark.parametrize("separator", [",", "&parameter_type_id="])
async def test_a_filter_takes_a_thousand_ids_however_they_are_written(either: Running, separator: str) -> None:
    either.core.on(LIST, EMPTY)
    ids = _ids(1000)
    status, _, body = await either.send("GET", f"/parameter/v1/parameters?parameter_type_id={separator.join(ids)}")
    assert (status, body["parameters"]) == (200, [])
    ((request, _),) = either.core.made(LIST)
    assert list(request.parameter_type_id) == ids


@pytest.mark.parametrize(
    ("path", "keys"),
    [
        ("/parameter/v1/parameters?parameter_id=", {"details", "msg"}),
        ("/comments/v2/comments?comment_id=", {"details", "msg"}),
        ("/v1/projects?cursor=", {"success", "error", "metadata"}),
        ("/nowhere?x=", {"success", "error", "metadata"}),
    ],
)
async def test_ten_thousand_ids_are_refused_in_the_body_of_the_surface(
    edge: Running, path: str, keys: set[str]
) -> None:
    line = f"GET {path}{','.join(_ids(10_000))} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
    answer = await edge.raw(line)
    head, _, body = answer.partition(b"\r\n\r\n")
    assert b" 400 " in head.split(b"\r\n")[0]
    assert set(orjson.loads(body)) == keys
    assert b"too long" in body
    assert not any(str(one).encode() in answer for one in _ids(3))
    assert edge.core.made(LIST) == []
    assert await edge.is_well()
