"""The edge in the core's process and the edge behind gRPC answer with the same bytes, on every route."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import psycopg
import pytest

from catenary_cli.installation import clients
from catenary_core.bootstrap import UNWATCHED
from catenary_core.call.methods import bindings_of, service_descriptors
from catenary_core.database.change_counts import READ_BY
from catenary_edge.settings import EdgeSettings
from catenary_edge.transcoding import routes
from factories.database.tables_read import Reads
from factories.installations.installation import ANSWER_SECONDS
from factories.installations.serving import PUBLIC_URL, SECRET, serving, working
from factories.walks.conformance import Conformance
from factories.walks.data import walk_data
from factories.walks.platform import walk
from factories.walks.preconditions import Conditional, takes_if_match
from factories.walks.recording import Walk
from factories.walks.tabled import Tabled

TABLE = routes.build()


@asynccontextmanager
async def _serving(dsn: str, folder: Path, *, remote: bool) -> AsyncIterator[httpx.AsyncClient]:
    conforms = Conformance(TABLE)
    conditional = Conditional(TABLE, conforms)
    tabled = Tabled(TABLE, conforms, conditional)
    edge = EdgeSettings(dev=True, public_url=PUBLIC_URL)
    async with (
        serving(
            dsn,
            folder,
            remote=remote,
            edge=edge,
            public_url=PUBLIC_URL,
            webhook_allow_private=True,
            requests_per_hour=5000,  # one client walks over every route
        ) as node,
        working(node),
        httpx.AsyncClient(
            base_url=node.url, timeout=ANSWER_SECONDS, event_hooks={"response": [conforms.check]}, transport=tabled
        ) as http,
    ):
        yield http
    assert conforms.checked > 100, "the walk's answers are held against the OpenAPI documents"
    _check_conditions(conditional)
    _check_tables(tabled)


def _check_conditions(conditional: Conditional) -> None:
    """Check each method's answer to a condition.

    Every method that writes one object kept If-Match, every other PATCH and PUT refused it, and every GET knew its own
    tag.
    """
    bindings = bindings_of(service_descriptors())
    assert conditional.kept == {path for path, one in bindings.items() if takes_if_match(one)} - UNREACHED
    assert conditional.refused == {
        path for path, one in bindings.items() if one.verb in ("put", "patch") and not takes_if_match(one)
    }
    readable = {route.rpc.path for route in TABLE.routes if route.has_etag and not route.public}
    assert readable == conditional.unmodified


def _check_tables(tabled: Tabled) -> None:
    """Check that every list has been compared with its table, and most of them with rows."""
    lists = {route for route in TABLE.routes if route.has_table}
    assert {route.template.text for route in lists - tabled.compared} == set()
    assert {route.template.text for route in tabled.compared - tabled.filled} == WITHOUT_ROWS


def _check_what_versions_count(dsn: str, reads: Reads) -> None:
    """Check that an edge keeps an answer while nothing changed in its surface's schemas.

    The statements of a surface read only those schemas, and changes in all of them are watched.
    """
    read = reads.tables(dsn)
    assert read.keys() == READ_BY.keys()
    for surface, tables in read.items():
        assert {table.partition(".")[0] for table in tables} <= set(READ_BY[surface]), surface
    assert (set().union(*read.values()) & UNWATCHED.keys()) <= {"projects.access"}
    with psycopg.connect(dsn) as connection:
        rows = connection.execute(
            "SELECT tgrelid::regclass::text FROM pg_trigger WHERE tgname = 'caching_count'"
        ).fetchall()
    assert set().union(*read.values()) - UNWATCHED.keys() <= {name.replace('"', "") for (name,) in rows}


def _new(folder: Path) -> Path:
    folder.mkdir()
    return folder


async def _recorded(dsn: str, folder: Path, *, remote: bool) -> Walk:
    made = await clients.create(dsn, SECRET, "Contract", admin=True)
    async with _serving(dsn, folder, remote=remote) as http:
        return await walk(http, made["client_id"], made["client_secret"], walk_data)


async def test_every_route_answers_as_the_documents_say(
    started_dsn: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        reads = Reads(patched)
        here = await _recorded(started_dsn, tmp_path, remote=False)
    _check_what_versions_count(started_dsn, reads)
    called = {step for step, status, _, _ in here.recorded if status < 300}
    reached = {
        match.route.rpc.path
        for step in called
        if (match := TABLE.match(step.split(" ")[0], step.split(" ", 1)[1].replace("<id ", "").replace(">", "")))
        is not None
    }
    served = {route.rpc.path for route in TABLE.routes}
    assert served - reached == UNREACHED


@pytest.mark.slow
async def test_both_modes_answer_every_route_with_the_same_bytes(
    started_dsn: str, second_dsn: str, tmp_path: Path
) -> None:
    here = await _recorded(started_dsn, _new(tmp_path / "here"), remote=False)
    there = await _recorded(second_dsn, _new(tmp_path / "there"), remote=True)
    for mine, other in zip(here.recorded, there.recorded, strict=True):
        assert mine == other


WITHOUT_ROWS = {
    "/qa/v2/records",  # the walk over its older version has rows
    "/v1/studies/{study_id}/indices",  # the study of the walk is a search
}
UNREACHED = {
    # It needs a node with the demo; tests/integration/identity/test_studio_sign_in.py tries both modes.
    "/catenary.platform.v1.AuthService/IssueDemoToken",
    # Its answer has no end; tests/integration/events compares the bytes of both modes.
    "/catenary.platform.v1.EventService/Subscribe",
    # Its items come in parts as the points end; tests/integration/events compares both modes.
    "/catenary.platform.v1.BatchService/StreamBatchResults",
}
