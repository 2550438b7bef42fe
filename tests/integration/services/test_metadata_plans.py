"""Each list page of the parameter metadata service is read by an index: its plans on 200,000 tags and links."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import sqlalchemy as sa

from catenary_core.database.statements import Statement
from catenary_core.database.transactions import Transaction
from catenary_core.frame import Frame
from factories.services.environment_projects import add_environment_project
from factories.services.metadata import NOBODY, Tagging, tagging_of

pytestmark = pytest.mark.sampled

ROWS = 200_000
PROJECTS = 200
_FILL = [
    Statement(sa.text(text))
    for text in (
        """
        INSERT INTO metadata.tag_type (id, name, allow_custom)
        SELECT gen_random_uuid(), 'type ' || n, true FROM generate_series(1, 50) n
        """,
        # A thousandth of the tags is global; the projects have a thousand tags each.
        f"""
        INSERT INTO metadata.tag (id, name, tag_type_id, tag_scope, created_at, updated_at)
        SELECT gen_random_uuid(), 'tag ' || n, t.ids[1 + n % 50],
               CASE WHEN n % 1000 <> 0 THEN p.ids[1 + n % {PROJECTS}] END, clock_timestamp(), clock_timestamp()
          FROM generate_series(1, {ROWS}) n,
               (SELECT array_agg(id ORDER BY name) AS ids FROM metadata.tag_type) t,
               (SELECT array_agg(project_id) AS ids FROM environment.project) p
        """,
        f"""
        INSERT INTO metadata.tag_link
               (tag_id, reference_id, reference_table, reference_url, created_at, updated_at)
        SELECT t.ids[1 + n % 20], gen_random_uuid(), 'asset', 'https://example.com', clock_timestamp(), clock_timestamp()
          FROM generate_series(1, {ROWS}) n, (SELECT array_agg(id) AS ids FROM (SELECT id FROM metadata.tag LIMIT 20) t) t
        """,
        "ANALYZE metadata.tag_type, metadata.tag, metadata.tag_link, environment.project",
    )
]
_SAMPLE = Statement(
    sa.text("SELECT t.id, t.tag_scope, t.tag_type_id FROM metadata.tag t WHERE t.tag_scope IS NOT NULL LIMIT 1")
)
_LINKED = Statement(sa.text("SELECT tag_id FROM metadata.tag_link LIMIT 1"))
COUNTED = 10_001
"""What a count finds at most."""


def _nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for child in plan.get("Plans", ()):
        yield from _nodes(child)


async def _plans(tagging: Tagging, method: str, **fields: Any) -> list[tuple[str, dict[str, Any]]]:
    """Return the statements that a page runs, with the plans that they have really run by."""
    run = Transaction._run
    plans: list[tuple[str, dict[str, Any]]] = []

    async def explained(self: Transaction, statement: Statement, given: Any) -> Any:
        explain = statement.explain()
        explain.sql = explain.sql.replace("(FORMAT JSON)", "(ANALYZE, FORMAT JSON)")
        if not statement.sql.startswith("EXPLAIN"):
            (plan,) = (await (await run(self, explain, given)).fetchall())[0]["QUERY PLAN"]
            plans.append((statement.sql, plan["Plan"]))
        return await run(self, statement, given)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Transaction, "_run", explained)
        await tagging.ann.call(method, **fields)
    return plans


@pytest.mark.slow
@pytest.mark.gate
async def test_each_page_is_read_by_an_index_and_not_by_the_whole_table(frame: Frame) -> None:
    tagging = await tagging_of(frame)
    for number in range(PROJECTS):
        await add_environment_project(frame.db, tagging.people["bob"], confidential=number % 4 == 0)
    async with frame.db.read() as tx:
        for statement in _FILL:
            await tx.execute(statement)
        sample = await tx.one(_SAMPLE)
        linked = await tx.one(_LINKED)
    scope, tag_type = {"tag_scope": [sample["tag_scope"]]}, {"tag_type_id": [sample["tag_type_id"]]}
    calls: list[tuple[str, dict[str, Any]]] = [
        *(("ListTags", {"sort_by": name, "order": order}) for name in ("id", "created_at", "updated_at", "name")
          for order in (1, 2)),
        ("ListTags", scope),
        ("ListTags", {**scope, "omit_global": True}),
        ("ListTags", {**scope, **tag_type}),
        ("ListTags", {"tag_scope": [""]}),
        ("ListTags", {"omit_global": True}),
        ("ListTags", {"tag_scope": [NOBODY], "omit_global": True}),
        ("ListTags", tag_type),
        ("ListTags", {"tag_type_id": [NOBODY]}),
        ("ListTags", {"tag_scope": [NOBODY]}),
        ("ListTags", {**scope, "sort_by": "name"}),
        ("ListTags", {"tag_id": [sample["id"]]}),
        *(("ListTagLinks", {"tag_id": linked["tag_id"], "sort_by": name}) for name in ("id", "created_at", "updated_at")),
    ]  # fmt: skip
    for method, fields in calls:
        first = await tagging.ann.call(method, page_limit=50, **fields)
        pages = [{}] if first["paging"]["next"] is None else [{}, {"after": first["paging"]["next"]}]
        # A scope and the global tags have no index in common that is in order: they are gathered and sorted, or picked out.
        allowed = ROWS * 0.3 if "tag_scope" in fields else 1_000
        for page in pages:
            for sql, plan in await _plans(tagging, method, page_limit=50, **fields, **page):
                counts = sql.startswith("SELECT count")
                for node in _nodes(plan):
                    if node.get("Relation Name") in ("tag", "tag_link"):
                        read = (node["Actual Rows"] + node.get("Rows Removed by Filter", 0)) * node["Actual Loops"]
                        assert read <= (2 * COUNTED if counts else allowed), (fields, page, node)
                        assert counts or node["Node Type"] != "Seq Scan", (fields, page, node)
