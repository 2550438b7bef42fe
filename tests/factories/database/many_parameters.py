"""A great many parameters with assets, entries and revisions, put straight into the tables: for plans and measurements."""

from __future__ import annotations

import psycopg

PROJECTS = 20
ASSETS = 20_000
TYPES = 500

_ID = "('00000000-0000-7000-{kind}-' || lpad(to_hex({n}), 12, '0'))::uuid"


def made_id(kind: str, n: int) -> str:
    """Return the id of the n-th row of a kind, from 0.

    Kinds: `8001` user, `8002` project, `8003` source, `8004` unit, `8005` parameter type,
    `8006` asset, `8007` parameter, `8008` entry, `8009` revision, `800a` asset type, `800b` tag.
    """
    return f"00000000-0000-7000-{kind}-{n:012x}"


def _id(kind: str, n: str) -> str:
    return _ID.format(kind=kind, n=f"({n})::int")


def fill(dsn: str, parameters: int = 200_000) -> None:
    """Fill a migrated, empty database with parameters.

    Every asset above the lowest has eight below it, and every parameter an entry with one
    revision or two, but for one in fifty; one in four has a tag. The first project is confidential.
    """
    moment = "timestamptz '2026-01-01' + g * interval '1 millisecond'"
    statements = [
        f"""INSERT INTO identity."user" (id, staff_name, email)
            SELECT {_id("8001", "g")}, 'User ' || g, 'user' || g || '@example.com' FROM generate_series(0, 9) g""",
        f"""INSERT INTO environment.project (project_id, project_number, confidential, created_by)
            SELECT {_id("8002", "g")}, 'P' || g, g = 0, {_id("8001", "0")} FROM generate_series(0, {PROJECTS - 1}) g""",
        f"""INSERT INTO reference.source_type (id, name, visible)
            SELECT {_id("8003", "g + 65536")}, 'Kind ' || g, true FROM generate_series(0, 8) g""",
        f"""INSERT INTO reference.source (id, source_type_id, title, reference)
            SELECT {_id("8003", "g")}, {_id("8003", "g % 9 + 65536")}, 'Source ' || g, 'DOC-' || g
              FROM generate_series(0, 1999) g""",
        f"INSERT INTO parameter.unit_system (id, name, short_name) VALUES ({_id('8004', '0')}, 'SI', 'SI')",
        f"""INSERT INTO parameter.unit_type (id, name)
            SELECT {_id("8004", "g + 256")}, 'Kind ' || g FROM generate_series(0, 49) g""",
        f"""INSERT INTO parameter.unit (id, symbol, unit_type_id, unit_system_id)
            SELECT {_id("8004", "g + 65536")}, 'u' || g, {_id("8004", "g % 50 + 256")}, {_id("8004", "0")}
              FROM generate_series(0, 299) g""",
        f"""INSERT INTO parameter.parameter_type (id, name, data_type, global_parameter, unit_type_id, default_unit_id)
            SELECT {_id("8005", "g")}, 'Quantity ' || g, 'number', false, {_id("8004", "g % 50 + 256")},
                   {_id("8004", "g % 50 + 65536")} FROM generate_series(0, {TYPES - 1}) g""",
        f"INSERT INTO parameter.asset_type_group (id, name) VALUES ({_id('800a', '65536')}, 'Buildings')",
        f"""INSERT INTO parameter.asset_type (id, name, asset_type_group_id, asset_sub_type)
            SELECT {_id("800a", "g")}, 'Type ' || g, {_id("800a", "65536")}, false FROM generate_series(0, 19) g""",
        f"""INSERT INTO parameter.asset (id, project_id, parent_id, name, asset_type_id, created_at)
            SELECT {_id("8006", "g")}, {_id("8002", f"g % {PROJECTS}")},
                   CASE WHEN g >= {PROJECTS} THEN {_id("8006", f"(g / {PROJECTS} - 1) / 8 * {PROJECTS} + g % {PROJECTS}")} END,
                   'Asset ' || g, {_id("800a", "g % 20")}, {moment}
              FROM generate_series(0, {ASSETS - 1}) g""",
        f"""INSERT INTO parameter.parameter (id, project_id, parameter_type_id, parent_ids, entry_id, revision_id, status,
                                             unit_id, source_id, created_by, created_at, updated_at)
            SELECT {_id("8007", "g")}, {_id("8002", f"g % {PROJECTS}")}, {_id("8005", f"g / {ASSETS} * 7 % {TYPES}")},
                   ARRAY[{_id("8006", f"g % {ASSETS}")}],
                   CASE WHEN g % 50 > 0 THEN {_id("8008", "g")} END,
                   CASE WHEN g % 50 > 0 THEN {_id("8009", "g * 2 + g % 2")} END,
                   CASE WHEN g % 1000 = 1 THEN 'rejected' WHEN g % 50 > 0 THEN 'answered' END,
                   CASE WHEN g % 50 > 0 THEN {_id("8004", f"(g / {ASSETS} * 7 % {TYPES}) % 50 + 65536")} END,
                   CASE WHEN g % 50 > 0 THEN {_id("8003", "g % 2000")} END,
                   {_id("8001", "g % 10")}, {moment}, {moment}
              FROM generate_series(0, {parameters - 1}) g""",
        "INSERT INTO parameter.parameter_parent SELECT id, unnest(parent_ids) FROM parameter.parameter",
        f"""INSERT INTO parameter.entry (entry_id, parameter_id, project_id, revision_id, created_at, updated_at)
            SELECT {_id("8008", "g")}, {_id("8007", "g")}, {_id("8002", f"g % {PROJECTS}")},
                   {_id("8009", "g * 2 + g % 2")}, {moment}, {moment}
              FROM generate_series(0, {parameters - 1}) g WHERE g % 50 > 0""",
        f"""INSERT INTO parameter.revision (revision_id, entry_id, project_id, status, value_id, value, unit_id, source_id,
                                            created_by, created_at, updated_at)
            SELECT {_id("8009", "g * 2 + turn")}, {_id("8008", "g")}, {_id("8002", f"g % {PROJECTS}")},
                   CASE WHEN g % 1000 = 1 THEN 'rejected' ELSE 'answered' END,
                   gen_random_uuid(), to_json(g * 1.5), {_id("8004", f"(g / {ASSETS} * 7 % {TYPES}) % 50 + 65536")},
                   {_id("8003", "g % 2000")}, {_id("8001", "g % 10")}, {moment}, {moment}
              FROM generate_series(0, {parameters - 1}) g, generate_series(0, g % 2) turn WHERE g % 50 > 0""",
        f"INSERT INTO metadata.tag_type (id, name, allow_custom) VALUES ({_id('800b', '65536')}, 'Stage', true)",
        f"""INSERT INTO metadata.tag (id, name, tag_type_id) SELECT {_id("800b", "g")}, 'Stage ' || g, {_id("800b", "65536")}
              FROM generate_series(0, 49) g""",
        f"""INSERT INTO metadata.tag_link (tag_id, reference_id, reference_table, reference_url)
            SELECT {_id("800b", "g / 4 % 50")}, {_id("8007", "g")}, 'parameter',
                   'https://catenary.example/parameter/v1/parameters/' || {_id("8007", "g")}
              FROM generate_series(0, {parameters - 1}, 4) g""",
    ]
    with psycopg.connect(dsn, autocommit=True) as connection:
        for statement in statements:
            connection.execute(statement.encode())
        connection.execute("VACUUM ANALYZE")
