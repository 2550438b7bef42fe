"""Hidden rows change nothing that an outsider reads: lists, counts, cursors, trees, hierarchies, filters, single rows.

Every read of every surface is answered before and after a hidden side comes to stand in the middle of what the outsider sees.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path

import pytest

from catenary.options.v1 import options_pb2
from catenary_edge.transcoding.routes import NEXT_CURSOR
from factories.installations.serving import PUBLIC_URL
from factories.isolation.operations import Operation, Request, all_operations, other_operations
from factories.isolation.principals import OUTSIDERS
from factories.isolation.world import CANARY, World, running_world
from factories.services.evaluations import run_sql

CURRENT = all_operations()
ROWS = {operation.name: operation.row for operation in (*CURRENT, *other_operations())}


def _reads(operations: Sequence[Operation]) -> list[Operation]:
    return [
        operation
        for operation in operations
        if operation.reads
        and operation.privilege not in (options_pb2.PRIVILEGE_ADMIN, options_pb2.PRIVILEGE_PUBLIC)
        # Another user's record is an Admin's to read.
        and operation.row != "GET /v1/users/{user_id}"
        and not operation.route.subscription
    ]


# The rows of projects, and of what else not everybody may see.
TABLES = (
    "environment.project", "parameter.asset", "parameter.parameter", "parameter.entry", "parameter.parameter_set",
    "metadata.tag", "metadata.tag_link", "projects.project", "identity.team", "identity.api_key",
    "notifications.notification", "comments.comment", "qa.record", "reference.source", "evaluations.batch",
    "evaluations.plan", "evaluations.input_file", "variants.variant", "comments.project_comment", "views.view",
    "projects.share", "projects.invitation",
)  # fmt: skip
MOST_PAGES = 10
MORE = (
    "environment_project", "project", "asset", "parameter", "parameter_set", "tag", "linked", "team", "api_key",
    "notification", "comment", "record", "source", "batch", "plan", "file", "variant", "project_comment", "view", "share",
    "invitation",
)  # fmt: skip
_USED = re.compile(r'"last_used_at":("[^"]*"|null)')
LISTS = {
    "GET /comments/v2/comments",
    "GET /qa/v2/records",
    "GET /reference/v2/sources",
    "GET /environment/v2/projects",
    "GET /environment/v2/ads/projects",
    "GET /metadata/v1/tags",
    "GET /parameter/v1/assets",
    "GET /parameter/v1/entries",
    "GET /parameter/v1/parameters",
    "GET /parameter/v1/parameter_sets",
}
"""The lists that the rule of confidential projects takes rows out of."""
Answers = dict[tuple[str, str, str], str]
"""The text of each page by principal, operation and address."""


def _requests(world: World, operation: Operation, principal: str) -> Iterator[Request]:
    """Yield reads of the open side: plain, with each filter, and a list in each order and with deleted rows."""
    plain = operation.request(world.ids("open"))
    yield plain
    if principal != "outsider" or operation.row != operation.name:
        return
    for place in operation.places:
        if place.filters:
            yield operation.request(world.ids("open"), filtered=place)
    fields = operation.route.rpc.input.fields_by_name
    variants = ["show_deleted=true"] if "show_deleted" in fields else []
    if "page_limit" in fields:
        sorts = fields["sort_by"].GetOptions()
        variants += ["page_limit=1", "page_limit=1&order=desc&show_deleted=true", "page_limit=2&sort_by=updated_at"]
        variants += ["sort_by=name"] if '"name"' in str(sorts) else []
    if "limit" in fields:
        variants.append("limit=1")
    for variant in variants:
        yield Request("GET", f"{plain.url}{'&' if '?' in plain.url else '?'}{variant}")


async def _pages(
    world: World, principal: str, operation: Operation, request: Request
) -> AsyncIterator[tuple[str, str]]:
    """Yield the answer to a request and the next pages, by a name without a cursor.

    Of a catalogue only the first pages are read.
    """
    url: str | None = request.url
    for number in range(MOST_PAGES):
        answer = await world.call(principal, Request("GET", str(url)))
        yield f"{request.url} page {number}", f"{answer.status} {_USED.sub('', answer.text)}"
        if answer.status != 200 or not (operation.route.is_list or operation.route.paged):
            return
        body = answer.json
        if operation.route.is_list:
            cursor = body["metadata"][NEXT_CURSOR]
            url = cursor and f"{request.url}{'&' if '?' in request.url else '?'}cursor={cursor}"
        else:
            following = (body.get("paging") or {}).get("next")
            url = following and following.removeprefix(PUBLIC_URL)
        if url is None:
            return


async def _read(world: World, reads: Sequence[Operation], principals: Sequence[str] = OUTSIDERS) -> Answers:
    return {
        (principal, operation.name, name): text
        for principal in principals
        for operation in reads
        for request in _requests(world, operation, principal)
        async for name, text in _pages(world, principal, operation, request)
    }


async def _own(world: World) -> dict[str, str]:
    """Return the lists that need no id, as the owner of the hidden side has them."""
    whole = [one for one in _reads(CURRENT) if all(place.filters for place in one.places)]
    return {one.row: (await world.call("owner", one.request(world.ids("open")))).text for one in whole}


async def _bring_in_the_hidden_side(world: World, moment: str) -> None:
    """Add the hidden side, with deleted rows and rows of a deleted project.

    All are from the moment given.
    """
    db = world.core.frame.db
    (row,) = await run_sql(db, "SELECT CAST(clock_timestamp() AS text) AS now")
    await world.add_side("hidden")
    await world.add_deleted("hidden")
    kept = dict(world.things["hidden"])
    world.things["hidden"]["environment_project"] = gone = await world.make("environment_project", "hidden")
    del world.things["hidden"]["asset"]
    world.things["hidden"]["asset"] = await world.make("asset", "hidden")
    for kind in ("parameter", "parameter_set", "tag"):
        await world.make(kind, "hidden")
    await world.ok("admin", "DELETE", f"/environment/v2/projects/{gone}")
    world.things["hidden"] = kept
    for table in TABLES:
        moved = (
            f"UPDATE {table} SET created_at = CAST(:moment AS timestamptz) WHERE created_at > CAST(:now AS timestamptz)"
        )
        assert (await run_sql(db, moved, moment=moment, now=row["now"]))[0]["n"] > 0, table


@pytest.mark.slow
@pytest.mark.parametrize("versions", [pytest.param("current", marks=pytest.mark.gate), "older"])
async def test_what_is_hidden_changes_no_answer_that_an_outsider_reads(
    started_dsn: str, tmp_path: Path, versions: str
) -> None:
    reads = _reads(CURRENT if versions == "current" else other_operations())
    async with running_world(started_dsn, tmp_path) as world:
        await world.add_common()
        await world.add_side("open")
        (row,) = await run_sql(world.core.frame.db, "SELECT CAST(clock_timestamp() AS text) AS now")
        for kind in MORE:
            await world.make(kind, "open")
        before = await _read(world, reads)
        refused = {ROWS[key[1]] for key, text in before.items() if key[0] == "outsider" and not text.startswith("200 ")}
        assert refused == {
            "GET /parameter/v1/units/convert",  # units that users make have no conversion
            "GET /v1/evaluations/{evaluation_id}/geometry/{name}",  # the evaluation waits for a worker
            "GET /v1/evaluations/{evaluation_id}/files/{name}",  # as above
            "GET /v1/variants/{variant_id}/thumbnail",  # as above
            "GET /v1/users",  # without a search
            "GET /v1/shares/current",  # of links alone
        }
        own = await _own(world)
        await _bring_in_the_hidden_side(world, row["now"])
        after = await _read(world, reads)
        assert [key for key in before if after.get(key) != before[key]] == []
        assert after.keys() == before.keys()
        assert [key for key, text in after.items() if CANARY in text] == []
        # The owner of the hidden side sees it in the same lists, and so does everybody when the rule is off.
        shown = {name for name, text in (await _own(world)).items() if text != own[name]}
        assert shown == LISTS | {
            "GET /v1/projects", "GET /v1/teams", "GET /v1/api_keys", "GET /v1/notifications", "GET /v1/webhooks",
            "GET /v1/usage",
        }  # fmt: skip
        async with world.guard_off():
            unguarded = await _read(world, reads, ["outsider"])
        changed = {ROWS[key[1]] for key, text in unguarded.items() if text != before.get(key)}
        assert changed == LISTS & {operation.row for operation in reads}
