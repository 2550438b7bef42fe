"""Baseline: rows by hand-written SQL. aiohttp, psycopg and orjson, as someone would write it who wants it fast and plain.

It serves GET /parameter/v1/parameters, GET /parameter/v1/parameters/{id} and PUT /parameter/v1/entries on Catenary's tables with
the same answers and rules. Run it with `python raw_app.py PORT PROCESSES`; the processes share the port.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
from collections.abc import Iterable
from typing import Any
from uuid import UUID

import orjson
import uuid_utils
import uvloop
from aiohttp import web
from psycopg.rows import dict_row
from psycopg.types.json import Json
from psycopg_pool import AsyncConnectionPool
from shared import (
    DSN_VARIABLE,
    EXACT_COUNT,
    MAX_CONNECTIONS,
    Caller,
    any_twice,
    caller_of,
    cursor_of,
    fits,
    page_url,
    place_of,
)

POOL = web.AppKey("pool", AsyncConnectionPool)
CALLER = "caller"
FIELDS = {"parameter_id", "entry_id", "source_id", "values", "comment", "location_in_source"}

HIDDEN = """
    SELECT c.project_id FROM environment.project c
     WHERE c.confidential AND NOT %(admin)s AND c.created_by <> %(user_id)s
       AND NOT EXISTS (SELECT FROM projects.linked_user l
                        WHERE l.environment_project_id = c.project_id AND l.user_id = %(user_id)s)
"""
PARAMETERS = """
    SELECT p.id, p.project_id, p.parent_ids, p.parameter_type_id, p.created_at, p.updated_at, p.deleted_at,
           maker.staff_name AS maker_name, maker.email AS maker_email,
           r.entry_id, r.revision_id, r.status, r.value_id, r.value, r.created_at AS revised_at,
           reviser.staff_name AS reviser_name, reviser.email AS reviser_email,
           u.id AS unit_id, u.symbol, u.unit_type_id, u.unit_system_id,
           s.id AS source_id, s.created_at AS source_created_at, s.date_day, s.date_month, s.date_year, s.reference, s.title,
           s.url, st.id AS source_type_id, st.name AS source_type_name
      FROM parameter.parameter p
      LEFT JOIN identity."user" maker ON maker.id = p.created_by AND maker.deleted_at IS NULL
      LEFT JOIN parameter.revision r ON r.revision_id = p.revision_id
      LEFT JOIN identity."user" reviser ON reviser.id = r.created_by AND reviser.deleted_at IS NULL
      LEFT JOIN parameter.unit u ON u.id = r.unit_id
      LEFT JOIN reference.source s ON s.id = r.source_id
      LEFT JOIN reference.source_type st ON st.id = s.source_type_id
"""
GET = f"{PARAMETERS} WHERE p.id = %(id)s AND p.deleted_at IS NULL AND p.project_id NOT IN ({HIDDEN})"
ALLOWED = f"(p.project_id IS NULL OR (p.project_id NOT IN ({HIDDEN}))) AND p.deleted_at IS NULL"
PAGE = f"{PARAMETERS} WHERE {ALLOWED} ORDER BY p.created_at, p.id LIMIT %(rows)s"
PAGE_AFTER = f"""
    {PARAMETERS} WHERE {ALLOWED} AND (p.created_at, p.id) > (%(created_at)s, %(id)s)
    ORDER BY p.created_at, p.id LIMIT %(rows)s
"""
BEHIND = f"""
    SELECT 1 FROM parameter.parameter p WHERE {ALLOWED} AND (p.created_at, p.id) < (%(created_at)s, %(id)s)
    ORDER BY p.created_at DESC, p.id DESC LIMIT 1
"""
SOME = f"SELECT 1 FROM parameter.parameter p WHERE {ALLOWED}"
COUNT = f"SELECT count(*) AS n FROM ({SOME} LIMIT {EXACT_COUNT + 1}) AS found"
GUESS = f"EXPLAIN (FORMAT JSON) {SOME}"
ASSETS = """
    SELECT a.id, a.project_id, a.name, a.parent_id, a.created_at, a.updated_at, a.deleted_at,
           t.id AS type_id, t.name AS type_name, t.parent_id AS type_parent_id, t.asset_sub_type AS type_sub_type,
           t.created_at AS type_created_at, t.updated_at AS type_updated_at, t.deleted_at AS type_deleted_at,
           g.id AS group_id, g.name AS group_name,
           g.created_at AS group_created_at, g.updated_at AS group_updated_at, g.deleted_at AS group_deleted_at,
           s.id AS sub_id, s.name AS sub_name, s.asset_type_id AS sub_type_id, s.parent_asset_sub_type_id AS sub_parent_id,
           s.created_at AS sub_created_at, s.updated_at AS sub_updated_at, s.deleted_at AS sub_deleted_at,
           ARRAY (SELECT c.id FROM parameter.asset c WHERE c.parent_id = a.id AND c.deleted_at IS NULL
                   ORDER BY c.created_at, c.id) AS children
      FROM parameter.asset a JOIN parameter.asset_type t ON t.id = a.asset_type_id
      LEFT JOIN parameter.asset_type_group g ON g.id = t.asset_type_group_id
      LEFT JOIN parameter.asset_sub_type s ON s.id = a.asset_sub_type_id
     WHERE a.id = ANY (%(ids)s)
"""
TYPES = """
    SELECT t.id, t.name, t.data_type, t.global_parameter, t.unit_type_id, k.name AS unit_type_name, t.default_unit_id,
           t.created_at, t.updated_at, t.deleted_at
      FROM parameter.parameter_type t LEFT JOIN parameter.unit_type k ON k.id = t.unit_type_id
     WHERE t.id = ANY (%(ids)s)
"""
UNITS = """
    SELECT id, symbol, unit_type_id, unit_system_id, deleted_at FROM parameter.unit
     WHERE unit_type_id = ANY (%(ids)s) ORDER BY symbol, id
"""

HOLD = f"""
    SELECT p.id, p.project_id, p.parameter_type_id, p.entry_id, p.revision_id, t.data_type, t.unit_type_id
      FROM parameter.parameter p JOIN parameter.parameter_type t ON t.id = p.parameter_type_id
     WHERE p.id = %(id)s AND p.deleted_at IS NULL AND p.project_id NOT IN ({HIDDEN})
       FOR NO KEY UPDATE OF p
"""
FITS = """
    SELECT EXISTS (SELECT FROM parameter.unit WHERE id = %(unit_id)s AND unit_type_id = %(unit_type_id)s AND deleted_at IS NULL)
           AS unit,
           EXISTS (SELECT FROM reference.source WHERE id = %(source_id)s AND deleted_at IS NULL) AS source
"""
LATEST = """
    SELECT status, value, unit_id, source_id, comment, location_in_source FROM parameter.revision WHERE revision_id = %(id)s
"""
ADD_ENTRY = """
    INSERT INTO parameter.entry (entry_id, parameter_id, project_id, revision_id)
    VALUES (%(entry_id)s, %(parameter_id)s, %(project_id)s, %(revision_id)s) ON CONFLICT DO NOTHING RETURNING entry_id
"""
MOVE_ENTRY = """
    UPDATE parameter.entry SET revision_id = %(revision_id)s, updated_at = clock_timestamp() WHERE entry_id = %(entry_id)s
"""
ADD_REVISION = """
    INSERT INTO parameter.revision (revision_id, entry_id, project_id, status, value_id, value, unit_id, source_id, comment,
                                    location_in_source, created_by)
    VALUES (%(revision_id)s, %(entry_id)s, %(project_id)s, 'answered', %(value_id)s, %(value)s, %(unit_id)s, %(source_id)s,
            %(comment)s, %(location)s, %(user_id)s)
"""
POINT = """
    UPDATE parameter.parameter SET entry_id = %(entry_id)s, revision_id = %(revision_id)s, status = 'answered',
           unit_id = %(unit_id)s, source_id = %(source_id)s WHERE id = %(parameter_id)s
"""
ENTRY = """
    SELECT e.entry_id, e.parameter_id, r.revision_id, r.status, r.value_id, r.value, u.id AS unit_id, u.symbol, u.unit_type_id,
           u.unit_system_id, to_jsonb(s) - ARRAY['created_by', 'environment_project_id', 'project_id'] AS source,
           row_to_json(st) AS source_type, r.comment, r.location_in_source,
           w.staff_name, w.email, e.created_at, e.updated_at, e.deleted_at
      FROM parameter.entry e JOIN parameter.revision r ON r.revision_id = e.revision_id
      JOIN reference.source s ON s.id = r.source_id JOIN reference.source_type st ON st.id = s.source_type_id
      LEFT JOIN parameter.unit u ON u.id = r.unit_id
      LEFT JOIN identity."user" w ON w.id = r.created_by AND w.deleted_at IS NULL
     WHERE e.entry_id = %(id)s
"""
EVENT = """
    INSERT INTO events.event (id, type, environment_project_id, actor_id, subject, data)
    VALUES (%(id)s, %(type)s, %(project_id)s, %(user_id)s, %(subject)s, %(data)s)
"""


def answer(body: Any) -> web.Response:
    return web.Response(body=orjson.dumps(body, option=orjson.OPT_UTC_Z), content_type="application/json")


def refusal(status: int, text: str) -> web.Response:
    return web.json_response({"details": text, "msg": text}, status=status)


@web.middleware
async def authenticated(request: web.Request, handler: Any) -> web.StreamResponse:
    caller = caller_of(request.headers.get("Authorization"))
    if caller is None:
        return refusal(401, "Send a token.")
    request[CALLER] = caller
    return await handler(request)


def viewer(caller: Caller) -> dict[str, Any]:
    return {"user_id": caller.user_id, "admin": caller.admin}


async def rows_of(connection: Any, statement: str, **values: Any) -> list[dict[str, Any]]:
    return await (await connection.execute(statement, values)).fetchall()


async def list_parameters(request: web.Request) -> web.Response:
    query = request.query
    try:
        limit = int(query.get("page_limit", "100"))
        start = place_of(query["after"]) if "after" in query else None
    except ValueError as error:
        return refusal(400, str(error))
    if not 1 <= limit <= 1000:
        return refusal(400, "page_limit is 1..1000")
    who = viewer(request[CALLER])
    async with request.app[POOL].connection() as connection:
        if start is None:
            rows = await rows_of(connection, PAGE, rows=limit + 1, **who)
        else:
            rows = await rows_of(connection, PAGE_AFTER, rows=limit + 1, created_at=start[0], id=start[1], **who)
        more, rows = len(rows) > limit, rows[:limit]
        behind = False
        if start is not None and rows:
            first = {"created_at": rows[0]["created_at"], "id": rows[0]["id"]}
            behind = bool(await rows_of(connection, BEHIND, **first, **who))
        ((count,),) = [row.values() for row in await rows_of(connection, COUNT, **who)]
        if count > EXACT_COUNT:
            ((plan,),) = [row.values() for row in await rows_of(connection, GUESS, **who)]
            count = max(count, plan[0]["Plan"]["Plan Rows"])
        parameters = await messages(connection, rows)
    before = cursor(rows[0]) if rows else None
    after = cursor(rows[-1]) if rows else None
    host = request.host
    return answer(
        {
            "parameters": parameters,
            "paging": {
                "cursors": {"before": before, "after": after},
                "previous": page_url(host, limit, "before", before if behind else None),
                "next": page_url(host, limit, "after", after if more else None),
            },
            "summary": {"estimate_count": count},
        }
    )


def cursor(row: dict[str, Any]) -> str:
    text = row["created_at"].isoformat().removesuffix("+00:00")
    return cursor_of((text.rstrip("0") if "." in text else text) + "Z", row["id"])


async def get_parameter(request: web.Request) -> web.Response:
    try:
        id_ = UUID(request.match_info["id"])
    except ValueError:
        return refusal(400, "The id is no UUID.")
    async with request.app[POOL].connection() as connection:
        rows = await rows_of(connection, GET, id=id_, **viewer(request[CALLER]))
        if not rows:
            return refusal(404, "There is no such parameter.")
        (parameter,) = await messages(connection, rows)
    return answer({"parameter": parameter})


async def messages(connection: Any, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the parameters of rows, with the related rows of all read at once."""
    asset_ids = list({id_ for row in rows for id_ in row["parent_ids"]})
    assets = {row["id"]: asset(row) for row in await rows_of(connection, ASSETS, ids=asset_ids)}
    types = await parameter_types(connection, {row["parameter_type_id"] for row in rows})
    return [
        {
            "id": row["id"],
            "project_id": row["project_id"],
            "parents": [assets[id_] for id_ in row["parent_ids"]],
            "parameter_type": types[row["parameter_type_id"]],
            "created_by": creator(row["maker_name"], row["maker_email"]),
            "selected_entry": selected_entry(row),
            "created_at": row["created_at"],
            "updated_at": row["updated_at"],
            "deleted_at": row["deleted_at"],
        }
        for row in rows
    ]


async def parameter_types(connection: Any, ids: Iterable[UUID]) -> dict[UUID, dict[str, Any]]:
    types = await rows_of(connection, TYPES, ids=list(ids))
    kinds = list({row["unit_type_id"] for row in types if row["unit_type_id"] is not None})
    known: dict[UUID, dict[str, Any]] = {}
    of_kind: dict[UUID, list[dict[str, Any]]] = {id_: [] for id_ in kinds}
    for row in await rows_of(connection, UNITS, ids=kinds):
        known[row["id"]] = unit = {name: row[name] for name in ("id", "symbol", "unit_type_id", "unit_system_id")}
        if row["deleted_at"] is None:
            of_kind[row["unit_type_id"]].append(unit)
    return {
        row["id"]: {
            "id": row["id"],
            "name": row["name"],
            "data_type": row["data_type"],
            "global_parameter": row["global_parameter"],
            "unit_type": row["unit_type_id"] and {"id": row["unit_type_id"], "name": row["unit_type_name"]},
            "default_unit": known.get(row["default_unit_id"]),
            "units": of_kind.get(row["unit_type_id"], []),
            "created_at": row["created_at"],
            "updated_at": row["updated_at"],
            "deleted_at": row["deleted_at"],
        }
        for row in types
    }


def asset(row: dict[str, Any]) -> dict[str, Any]:
    sub = row["sub_id"] and {
        "id": row["sub_id"],
        "name": row["sub_name"],
        "asset_type_id": row["sub_type_id"],
        "parent_asset_sub_type_id": row["sub_parent_id"],
        "created_at": row["sub_created_at"],
        "updated_at": row["sub_updated_at"],
        "deleted_at": row["sub_deleted_at"],
    }
    group = row["group_id"] and {
        "id": row["group_id"],
        "name": row["group_name"],
        "created_at": row["group_created_at"],
        "updated_at": row["group_updated_at"],
        "deleted_at": row["group_deleted_at"],
    }
    return {
        "id": row["id"],
        "project_id": row["project_id"],
        "parent": row["parent_id"],
        "children": row["children"],
        "name": row["name"],
        "asset_type": {
            "id": row["type_id"],
            "name": row["type_name"],
            "asset_type_group": group,
            "parent_id": row["type_parent_id"],
            "asset_sub_type": row["type_sub_type"],
            "created_at": row["type_created_at"],
            "updated_at": row["type_updated_at"],
            "deleted_at": row["type_deleted_at"],
        },
        "asset_sub_type": sub,
        "created_at": row["created_at"],
        "updated_at": row["updated_at"],
        "deleted_at": row["deleted_at"],
    }


def selected_entry(row: dict[str, Any]) -> dict[str, Any] | None:
    if row["entry_id"] is None:
        return None
    return {
        "entry_id": row["entry_id"],
        "revision_id": row["revision_id"],
        "status": row["status"],
        "values": [{"id": row["value_id"], "value": row["value"], "unit": unit_of(row)}],
        "source": {
            "id": row["source_id"],
            "created_at": row["source_created_at"],
            "date_day": row["date_day"],
            "date_month": row["date_month"],
            "date_year": row["date_year"],
            "reference": row["reference"],
            "title": row["title"],
            "url": row["url"],
            "source_type": {"id": row["source_type_id"], "name": row["source_type_name"]},
        },
        "created_by": creator(row["reviser_name"], row["reviser_email"]),
        "created_at": row["revised_at"],
    }


def unit_of(row: dict[str, Any]) -> dict[str, Any] | None:
    return row["unit_id"] and {
        "id": row["unit_id"],
        "symbol": row["symbol"],
        "unit_type_id": row["unit_type_id"],
        "unit_system_id": row["unit_system_id"],
    }


def creator(name: str | None, email: str | None) -> dict[str, Any] | None:
    return None if name is None else {"staff_name": name, "email": email}


async def put_entries(request: web.Request) -> web.Response:
    caller = request[CALLER]
    try:
        items = [new_content(item) for item in orjson.loads(await request.read())["entries"]]
    except (KeyError, TypeError, ValueError) as error:
        return refusal(400, f"The body is no list of entries: {error}")
    if not 1 <= len(items) <= 1000:
        return refusal(400, "Send 1 to 1000 entries.")
    if any_twice((item["parameter_id"], item["entry_id"]) for item in items):
        return refusal(409, "Name each parameter and each entry once.")
    async with request.app[POOL].connection() as connection, connection.transaction():
        found = [
            await put_entry(connection, caller, item) for item in sorted(items, key=lambda one: one["parameter_id"])
        ]
        if any(isinstance(one, web.Response) for one in found):
            await connection.rollback()
            return next(one for one in found if isinstance(one, web.Response))
    return answer({"entries": found})


def new_content(item: dict[str, Any]) -> dict[str, Any]:
    (value,) = item["values"]
    unknown = (item.keys() - FIELDS) | (value.keys() - {"value", "unit_id"})
    if unknown:
        raise ValueError(f"there is no {', '.join(sorted(unknown))}")
    return {
        "parameter_id": UUID(item["parameter_id"]),
        "entry_id": UUID(item["entry_id"]),
        "source_id": UUID(item["source_id"]),
        "value": value["value"],
        "unit_id": None if value.get("unit_id") is None else UUID(value["unit_id"]),
        "comment": item.get("comment"),
        "location": item.get("location_in_source"),
    }


async def put_entry(connection: Any, caller: Caller, item: dict[str, Any]) -> dict[str, Any] | web.Response:
    held = await rows_of(connection, HOLD, id=item["parameter_id"], **viewer(caller))
    if not held:
        return refusal(400, "There is no such parameter.")
    (parameter,) = held
    if parameter["entry_id"] not in (None, item["entry_id"]):
        return refusal(409, "The parameter has another entry.")
    if not fits(item["value"], parameter["data_type"]):
        return refusal(400, f"The value is no {parameter['data_type']}.")
    kinds = {"unit_id": item["unit_id"], "unit_type_id": parameter["unit_type_id"], "source_id": item["source_id"]}
    (there,) = await rows_of(connection, FITS, **kinds)
    if not there["source"] or not (there["unit"] or item["unit_id"] is parameter["unit_type_id"] is None):
        return refusal(400, "The unit or the source doesn't fit.")
    latest = await rows_of(connection, LATEST, id=parameter["revision_id"])
    content = [item[name] for name in ("value", "unit_id", "source_id", "comment", "location")]
    changed = not latest or latest[0]["status"] == "rejected" or list(latest[0].values())[1:] != content
    if changed:
        new = item | {
            "revision_id": str(uuid_utils.uuid7()),
            "value_id": str(uuid_utils.uuid7()),
            "value": Json(item["value"], dumps=orjson.dumps),
            "project_id": parameter["project_id"],
            "user_id": caller.user_id,
        }
        if parameter["entry_id"] is not None:
            await connection.execute(MOVE_ENTRY, new)
        elif not await rows_of(connection, ADD_ENTRY, **new):
            return refusal(409, "The entry's id is taken.")
        await connection.execute(ADD_REVISION, new)
        await connection.execute(POINT, new)
    (row,) = await rows_of(connection, ENTRY, id=item["entry_id"])
    entry = {
        **{name: row[name] for name in ("entry_id", "parameter_id", "revision_id", "status")},
        "values": [{"id": row["value_id"], "value": row["value"], "unit": unit_of(row)}],
        "source": {"id": row["source"]["id"], "source_type": row["source_type"], **row["source"]},
        **{name: row[name] for name in ("comment", "location_in_source")},
        "created_by": creator(row["staff_name"], row["email"]),
        **{name: row[name] for name in ("created_at", "updated_at", "deleted_at")},
    }
    if changed:
        noted = {name: value for name, value in entry.items() if name not in ("created_by", "comment")}
        event = {
            "id": str(uuid_utils.uuid7()),
            "type": "parameter.entry.updated" if latest else "parameter.entry.created",
            "project_id": parameter["project_id"],
            "user_id": caller.user_id,
            "subject": f"/parameter/v1/entries/{item['entry_id']}",
            "data": Json({"entry": noted}, dumps=lambda value: orjson.dumps(value, option=orjson.OPT_UTC_Z)),
        }
        await connection.execute(EVENT, event)
    return entry


async def pool(app: web.Application) -> Any:
    options = {"autocommit": True, "row_factory": dict_row, "options": "-c timezone=UTC"}
    async with AsyncConnectionPool(
        os.environ[DSN_VARIABLE], min_size=2, max_size=MAX_CONNECTIONS, kwargs=options, open=False
    ) as made:
        app[POOL] = made
        yield


def serve(port: int) -> None:
    app = web.Application(middlewares=[authenticated])
    app.cleanup_ctx.append(pool)
    app.router.add_get("/parameter/v1/parameters", list_parameters)
    app.router.add_get("/parameter/v1/parameters/{id}", get_parameter)
    app.router.add_put("/parameter/v1/entries", put_entries)
    options = {"reuse_port": True, "access_log": None, "print": None}
    web.run_app(app, host="127.0.0.1", port=port, loop=uvloop.new_event_loop(), **options)


if __name__ == "__main__":
    ports, number = int(sys.argv[1]), int(sys.argv[2])
    others = [multiprocessing.Process(target=serve, args=[ports], daemon=True) for _ in range(number - 1)]
    for other in others:
        other.start()
    serve(ports)
