"""Hostile queries of every list of every surface, against the real core: each is 400 by name, and the next good one works."""

from __future__ import annotations

import base64
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
from google.protobuf.descriptor import FieldDescriptor

from buf.validate import validate_pb2
from catenary_cli.installation import clients
from catenary_core.call.errors import DomainError
from catenary_core.call.methods import Binding, bindings_of, service_descriptors
from catenary_core.call.validation import check
from catenary_edge.transcoding import routes
from factories.installations.serving import SECRET, serving

ID = "01890000-0000-7000-8000-000000000001"
LISTS = [
    route
    for route in routes.build().routes
    if route.method == "GET" and {"page_limit", "limit"} & set(route.decoder.query_fields)
]
HOSTILE = {
    "limit": ["-1", "201", str(2**31), "9" * 400, "1e3", "0x10", " 1", "1;DROP"],
    "page_limit": ["-1", "0", "1001", str(2**31), "9" * 400, "1e3", "NaN", "1 OR 1=1"],
    "sort_by": ["id;DROP TABLE parameter.parameter", "id desc", "(SELECT 1)", "deleted_at", "ID", ""],
    "order": ["asc;", "ASC", "1"],
    "before": ["", "x", "AAAA", "%00", base64.b64encode(b"[1]" * 9).decode()],
    "after": ["", "x", "AAAA", "=", base64.b64encode(b"'; DROP TABLE x; --").decode()],
    "cursor": ["x", "AAAA", base64.b64encode(b"now() x").decode()],
}


@pytest.fixture
async def http(started_dsn: str, tmp_path: Path) -> AsyncIterator[httpx.AsyncClient]:
    made = await clients.create(started_dsn, SECRET, "Attacks", admin=True)
    async with (
        serving(started_dsn, tmp_path, requests_per_hour=100_000) as node,
        httpx.AsyncClient(base_url=node.url, timeout=60) as client,
    ):
        answer = await client.post("/v1/auth/token", json={"grant_type": "client_credentials", **made})
        client.headers["Authorization"] = f"Bearer {answer.json()['access_token']}"
        yield client


@pytest.mark.slow
async def test_limits_sort_keys_and_cursors_are_refused_by_name(http: httpx.AsyncClient) -> None:
    tried = 0
    for route in LISTS:
        path = "/" + "/".join(ID if one is None else one for one in route.template.segments)
        for name in sorted(HOSTILE.keys() & set(route.decoder.query_fields)):
            for value in HOSTILE[name]:
                answer = await http.get(path, params={name: value})
                body = answer.json()
                # A project that isn't there is found out before the cursor of its list is read.
                expected = (
                    {400} if name not in ("before", "after", "cursor") or not route.template.variables else {400, 404}
                )
                if answer.status_code == 200:
                    assert value == "", f"{path}?{name}={value}"  # an empty text is an unset one
                    continue
                assert answer.status_code in expected, f"{path}?{name}={value}: {answer.text}"
                told = body["error"]["message"] if "error" in body else body["details"]
                assert answer.status_code == 404 or name in told
                tried += 1
    assert tried > 500
    assert len(LISTS) > 15
    assert (await http.get("/parameter/v1/parameters", params={"page_limit": 1})).status_code == 200


BINDINGS = [
    binding
    for binding in bindings_of(service_descriptors()).values()
    if not binding.path.startswith("/catenary.worker")
]


def _id_lists(binding: Binding) -> list[FieldDescriptor]:
    return [
        field
        for field in binding.request.DESCRIPTOR.fields
        if field.is_repeated
        and field.type == FieldDescriptor.TYPE_STRING
        and field.GetOptions().Extensions[validate_pb2.field].repeated.items.string.uuid
    ]


@pytest.mark.parametrize(
    "binding", [one for one in BINDINGS if _id_lists(one)], ids=lambda one: one.path.rsplit("/")[-1]
)
def test_ten_thousand_ids_in_a_body_or_over_grpc_are_refused(binding: Binding) -> None:
    for field in _id_lists(binding):
        with pytest.raises(DomainError) as caught:
            check(binding.request(**{field.name: [ID] * 10_000}))
        assert field.name in {violation.field for violation in caught.value.violations}
