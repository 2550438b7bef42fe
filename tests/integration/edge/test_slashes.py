"""Empty segments and a slash at the end of a path are passed over; `/` leads to the first page."""

from __future__ import annotations

import base64

import orjson
import pytest

from catenary_edge.exchange import without_empty_segments
from catenary_edge.pages import site
from catenary_edge.studio.sign_in import CONFIG
from fixtures.edge.stand_in import PROJECT_ID, Answer
from integration.edge.conftest import AUTHORIZED, PROJECT, Running, Start

NO_CREDENTIALS: dict[str, str] = {}
KEY = base64.b16encode(bytes(16)).decode()


@pytest.mark.parametrize(
    ("path", "short"),
    [
        ("/v1/projects", "/v1/projects"),
        ("/v1/projects/", "/v1/projects"),
        ("/v1/projects///", "/v1/projects"),
        ("//v1//projects", "/v1/projects"),
        ("/", "/"),
        ("//", "/"),
        ("*", "*"),
        ("", ""),
        ("/v1/a%2F%2Fb/", "/v1/a%2F%2Fb"),
        ("/v1/a%2F", "/v1/a%2F"),
        ("/v1/./..//x", "/v1/./../x"),
    ],
)
def test_only_slashes_that_part_nothing_are_dropped(path: str, short: str) -> None:
    assert without_empty_segments(path) == short
    assert without_empty_segments(short) == short


@pytest.mark.parametrize("mode", ["local", "grpc"])
async def test_a_base_url_that_ends_in_a_slash_takes_a_path_that_begins_with_one(start_edge: Start, mode: str) -> None:
    async with start_edge(mode) as edge:
        for path in (f"/v1//projects/{PROJECT_ID}", f"//v1/projects/{PROJECT_ID}//", f"/v1/projects/{PROJECT_ID}/?"):
            answer = await edge.raw(
                f"GET {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer good\r\nConnection: close\r\n\r\n".encode()
            )
            head, _, body = answer.partition(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 200 "), (path, head)
            assert orjson.loads(body)["data"] == {"project": PROJECT}
        requests = [request.project_id for request, _ in edge.core.made("ProjectService/GetProject")]
        assert set(requests) == {PROJECT_ID}


async def test_the_surface_decides_the_refusal_whatever_the_slashes(edge: Running) -> None:
    status, _, body = await edge.send("GET", "//comments//v2/nothing/")
    assert (status, body["msg"]) == (404, "Unknown route")
    status, headers, _ = await edge.send("PUT", "/v1/projects/")
    assert (status, headers["Allow"]) == (405, "GET, HEAD, OPTIONS, POST")
    status, headers, _ = await edge.send("OPTIONS", "/v1/projects/")
    assert (status, headers["Allow"]) == (204, "GET, HEAD, OPTIONS, POST")


async def test_a_write_of_one_object_does_not_become_one_of_its_list(edge: Running) -> None:
    """An id that a client left empty: the path is then the list's, which takes no PATCH or DELETE."""
    for method in ("PATCH", "DELETE"):
        status, _, body = await edge.send(method, "/v1/projects//")
        assert (status, body["error"]["code"]) == (405, "METHOD_NOT_ALLOWED")
    assert not edge.core.made("ProjectService/DeleteProject")


async def test_an_escaped_slash_is_part_of_a_value(edge: Running) -> None:
    edge.core.on("ParameterService/UpdateParameter", {"parameter": {"name": "a//b/"}})
    path = f"/v1/projects/{PROJECT_ID}/parameters/a%2F%2Fb%2F"
    status, _, _ = await edge.send("PATCH", path, json={"label": "x"})
    assert status == 200
    ((request, _),) = edge.core.made("ParameterService/UpdateParameter")
    assert request.name == "a//b/"
    assert (await edge.send("GET", "/v1%2Fprojects"))[0] == 404


async def test_one_resource_has_one_place_in_the_cache(edge: Running) -> None:
    edge.core.moves = False
    paths = (f"/v1/projects/{PROJECT_ID}", f"/v1//projects/{PROJECT_ID}/")
    tags = [(await edge.send("GET", path))[1]["ETag"] for path in paths]
    assert len(set(tags)) == 1
    assert len(edge.core.made("ProjectService/GetProject")) == 1, "the second is answered from the cache"


async def test_an_idempotency_key_holds_for_the_resource(edge: Running) -> None:
    edge.core.on("ProjectService/CreateProject", {"project": PROJECT})
    for path in ("/v1/projects", "/v1//projects/"):
        headers = {**AUTHORIZED, "Idempotency-Key": KEY}
        assert (await edge.send("POST", path, json={"name": "x"}, headers=headers))[0] == 201
    routes = [metadata["catenary-route"] for _, metadata in edge.core.made("ProjectService/CreateProject")]
    assert len(routes) == 2
    assert routes[0] == routes[1]


async def test_an_address_of_the_core_follows_the_version_of_the_request(edge: Running) -> None:
    edge.core.on(
        "EvaluationService/Evaluate",
        Answer({"evaluation": {"status": "queued"}}, {"catenary-status": "202", "location": "/v1/evaluations/x"}),
    )
    _, headers, _ = await edge.send("POST", f"//v1/projects/{PROJECT_ID}//evaluate/", json={})
    assert headers["Location"] == "/v1/evaluations/x"


async def test_the_socket_takes_a_slash_too(edge: Running) -> None:
    for path in ("/ws", "/ws/", "//ws"):
        status, _, body = await edge.send("GET", path, headers=NO_CREDENTIALS)
        assert (status, body["error"]["code"]) == (401, "AUTHENTICATION_REQUIRED"), path


@pytest.mark.parametrize("path", ["/", "//", "/?x=1"])
async def test_the_root_leads_to_the_first_page(edge: Running, path: str) -> None:
    for method in ("GET", "HEAD"):
        status, headers, body = await edge.send(method, path, headers=NO_CREDENTIALS, allow_redirects=False)
        assert (status, headers["Location"], body) == (302, site.home(), b"")
        assert headers["X-Request-Id"]
    assert (await edge.send("GET", path, headers=NO_CREDENTIALS))[0] == 200, "it leads to a page"
    status, headers, _ = await edge.send("POST", path, data=b"{}")
    assert (status, headers["Allow"]) == (405, "GET, HEAD, OPTIONS")
    assert (await edge.send("OPTIONS", path))[0] == 204
    assert {path for path, _, _ in edge.core.calls} <= {CONFIG}, "the page's policy alone depends on the core"


async def test_pages_take_a_slash_too(edge: Running) -> None:
    for path in ("/docs/", "/docs/guide/", "/docs//guide/models", "/openapi.json/", "/docs/errors/NOT_FOUND/"):
        assert (await edge.send("GET", path, headers=NO_CREDENTIALS))[0] == 200, path
