"""Each list page of the parameter service is read by an index: its plans on 200,000 parameters with entries and revisions."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest

from catenary_core.call.call import Identity
from catenary_core.database.statements import Statement
from catenary_core.database.transactions import Transaction
from catenary_core.frame import Frame
from catenary_core.services.parameter.assembly import ASSEMBLY
from factories.database.many_parameters import fill, made_id
from factories.database.plans import nodes_of, plan_of
from factories.services.calls import Caller
from factories.services.dispatchers import ALL_SCOPES, dispatch_of
from integration.services.data_world import NOBODY, assembled

pytestmark = pytest.mark.sampled

ROWS = 200_000
LARGE = {"parameter", "entry", "revision", "parameter_parent"}
OF_SINGLE = {*LARGE, "source"}
"""What calls for single rows don't read whole; a page of a list may read all sources."""
LARGE_TAG, SMALL_TAG = made_id("800c", 1), made_id("800c", 2)
_TAGS = f"""
    INSERT INTO metadata.tag_type (id, name, allow_custom) VALUES ('{made_id("800c", 0)}', 'Kind of tag', false);
    INSERT INTO metadata.tag (id, name, tag_type_id)
    VALUES ('{LARGE_TAG}', 'large', '{made_id("800c", 0)}'), ('{SMALL_TAG}', 'small', '{made_id("800c", 0)}');
    INSERT INTO metadata.tag_link (tag_id, reference_id, reference_table, reference_url)
    SELECT '{LARGE_TAG}', id, 'parameter', 'https://example.com' FROM parameter.parameter ORDER BY id LIMIT 20000;
    INSERT INTO metadata.tag_link (tag_id, reference_id, reference_table, reference_url)
    SELECT '{SMALL_TAG}', id, 'parameter', 'https://example.com' FROM parameter.parameter ORDER BY id DESC LIMIT 100;
    ANALYZE metadata.tag_type, metadata.tag, metadata.tag_link
"""


def entry(n: int) -> dict[str, Any]:
    """Return a new content for an entry of the filled tables."""
    value = {"value": {"double_value": n + 0.25}, "unit_id": made_id("8004", 65536)}
    return {
        "parameter_id": made_id("8007", n),
        "entry_id": made_id("8008", n),
        "source_id": made_id("8003", n),
        "values": [value],
    }


CALLS: list[tuple[str, dict[str, Any]]] = [
    *(("ListParameters", {"sort_by": name, "order": order}) for name in ("id", "created_at", "updated_at") for order in (1, 2)),
    ("ListParameters", {"show_deleted": True}),
    ("ListParameters", {"parameter_id": [made_id("8007", 21)]}),
    ("ListParameters", {"project_id": [made_id("8002", 3)]}),
    ("ListParameters", {"project_id": [made_id("8002", 3), made_id("8002", 4)]}),
    ("ListParameters", {"asset_id": [made_id("8006", 7)]}),
    ("ListParameters", {"asset_id": [made_id("8006", n) for n in range(1, 20)]}),
    ("ListParameters", {"asset_type_id": [made_id("800a", 3)]}),
    ("ListParameters", {"asset_type_id": [made_id("800a", 3), made_id("800a", 4)]}),
    ("ListParameters", {"asset_type_id": [made_id("800a", 3)], "project_id": [made_id("8002", 3)]}),
    ("ListParameters", {"asset_type_id": [NOBODY]}),
    ("ListParameters", {"source_type_id": [NOBODY]}),
    ("ListParameters", {"tag_id": [LARGE_TAG]}),
    ("ListParameters", {"tag_id": [SMALL_TAG]}),
    ("ListParameters", {"category_id": [SMALL_TAG], "report_id": [LARGE_TAG]}),
    ("ListParameters", {"project_parameter": True}),
    ("ListParameters", {"project_parameter": True, "project_id": [made_id("8002", 3)]}),
    ("ListParameters", {"project_parameter": False, "project_id": [made_id("8002", 3)]}),
    ("ListParameters", {"parameter_type_id": [made_id("8005", 7)]}),
    ("ListParameters", {"source_id": [made_id("8003", 7)]}),
    ("ListParameters", {"source_type_id": [made_id("8003", 65537)]}),
    ("ListParameters", {"unit_id": [made_id("8004", 65543)]}),
    *(("ListParameters", {"qa_status": states}) for states in ([1], [4], [5], [4, 5], [3])),
    ("ListAssets", {}),
    ("ListAssets", {"sort_by": "name"}),
    ("ListAssets", {"project_id": [made_id("8002", 3)]}),
    ("ListAssets", {"parent_id": [made_id("8006", 7)]}),
    ("ListAssets", {"asset_type_id": [made_id("800a", 3)]}),
    ("ListAssets", {"descendants_of": [made_id("8006", 7)]}),
    ("ListAssets", {"search": "asset 7"}),
    ("ListAssetTypes", {"parent_asset_id": [made_id("8006", 7)]}),
    ("ListParameterTypes", {"not_asset_id": made_id("8006", 7)}),
    ("ListParameterTypes", {"not_project_id": made_id("8002", 3)}),
    *(("ListEntries", {"page_limit": 100, "sort_by": name}) for name in ("id", "created_at", "updated_at")),
    ("ListEntries", {"page_limit": 100, "parameter_id": [made_id("8007", 21)]}),
    ("ListRevisions", {"page_limit": 100, "entry_id": made_id("8008", 21)}),
    ("GetParameter", {"parameter_id": made_id("8007", 21)}),
    ("PutEntries", {"entries": [entry(n) for n in range(21, 40)]}),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.gate
async def test_pages_and_writes_are_read_by_an_index_and_not_by_the_whole_table(frame: Frame, dsn: str) -> None:
    fill(dsn, ROWS)
    with psycopg.connect(dsn, autocommit=True) as connection:
        for text in _TAGS.split(";"):
            connection.execute(text.encode())
    user = Identity(made_id("8001", 1), "person", scopes=ALL_SCOPES)
    caller = Caller(dispatch_of(assembled(frame, ASSEMBLY), {"u": user}, lambda *_: None), "u")  # type: ignore[arg-type]
    await caller.call("ListParameters", page_limit=1)
    assert (await caller.call("ListParameters"))["summary"]["estimate_count"] > ROWS // 4
    assert len(await _statements(caller, "ListParameters", {})) == 1, "a large list isn't counted anew for every page"
    for method, fields in CALLS:
        ran = await _statements(caller, method, fields)
        assert ran, (method, fields)
        large = LARGE if method.startswith("List") else OF_SINGLE
        with psycopg.connect(dsn, autocommit=True, options="-c timezone=UTC") as connection:
            for statement, given in ran:
                counts = "count(*) AS n" in statement.sql
                for node in nodes_of(plan_of(connection, statement, given)):
                    if node.get("Relation Name") in large:
                        read = (node["Actual Rows"] + node.get("Rows Removed by Filter", 0)) * node["Actual Loops"]
                        assert read <= ROWS * 0.1, (method, fields, node)
                        # A count may read the first rows of a table until it has enough.
                        assert counts or node["Node Type"] != "Seq Scan", (method, fields, node)


async def _statements(caller: Caller, method: str, fields: dict[str, Any]) -> list[tuple[Statement, dict[str, Any]]]:
    """Return the statements that a call runs, but for explanations."""
    run = Transaction._run
    seen: list[tuple[Statement, dict[str, Any]]] = []

    async def noting(self: Transaction, statement: Statement, given: Any) -> Any:
        if not statement.sql.startswith("EXPLAIN"):
            seen.append((statement, dict(given)))
        return await run(self, statement, given)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Transaction, "_run", noting)
        if method in ("ListEntries", "ListRevisions"):
            await caller.list(method, **fields)
        else:
            await caller.call(method, **fields)
    return seen
