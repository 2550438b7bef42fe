"""The condition of visibility in statements on single rows."""

from __future__ import annotations

import psycopg

from catenary_core.database.statements import json_value
from catenary_core.services.parameter.entries.queries import PUT
from factories.database.many_parameters import fill, made_id
from factories.database.plans import nodes_of, plan_of

ANN, BOB = "00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000002"
_PROJECTS = """INSERT INTO environment.project (project_id, project_number, confidential, created_by)
               SELECT gen_random_uuid(), gen_random_uuid()::text, true, %s FROM generate_series(1, %s) n"""


def test_a_written_row_is_compared_with_its_own_project_and_not_with_every_confidential_one(dsn: str) -> None:
    with psycopg.connect(dsn, autocommit=True) as connection:
        fill(dsn, 200)
        connection.execute(_PROJECTS, [ANN, 1])
        connection.execute("ANALYZE environment.project")
        # Statistics of few confidential projects, as they are when many were made since.
        connection.execute(_PROJECTS, [ANN, 100])
        given = {"items": json_value([{"parameter_id": made_id("8007", 21)}]), "viewer_id": BOB, "viewer_admin": False}
        read = [
            (node["Actual Rows"] + node.get("Rows Removed by Filter", 0)) * node["Actual Loops"]
            for node in nodes_of(plan_of(connection, PUT, given))
            if node.get("Relation Name") == "project"
        ]
    assert sum(read) == 0
