"""Rights to write the rows of a project of the environment context service: the only implementation of these rules.

See guide/conventions.md, "Roles".

A project that is linked to active projects of the platform is *kept*: those write it who have the needed role in one of the
linked projects, and Admins. A project that nobody has linked is open to every user. A project is linked and unlinked by its
creator, by the owners of the projects that are linked to it already, and by Admins.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import sqlalchemy as sa
from sqlalchemy.sql.elements import ColumnElement

from catenary.platform.v1 import role_pb2
from catenary_core.access.visibility import active_project, linked_user, viewer, visible
from catenary_core.call.call import Call
from catenary_core.call.errors import DomainError
from catenary_core.database.columns import Id
from catenary_core.database.statements import Row, Statement
from catenary_core.database.transactions import Transaction
from catenary_wire.json_form import enum_names

CONTENT = role_pb2.ROLE_EDITOR
"""Role that writes a kept project's row, assets, parameters, entries and parameter sets."""
VALUES = role_pb2.ROLE_EVALUATOR
"""Role that gives values to a kept project's parameters, and reviews them."""

# A view of the projects service.
_linked_project = sa.table(
    "linked_project", sa.column("environment_project_id", Id), sa.column("project_id", Id), schema="projects"
)
_of_ids = sa.any_(sa.bindparam("ids", type_=sa.ARRAY(Id)))
_ROLES = Statement(
    sa.select(linked_user.c.environment_project_id, sa.func.max(linked_user.c.role).label("role"))
    .where(linked_user.c.environment_project_id == _of_ids, linked_user.c.user_id == sa.bindparam("user_id", type_=Id))
    .group_by(linked_user.c.environment_project_id)
)


def kept(project_id: ColumnElement[Any]) -> sa.Label[bool]:
    """Return the column `kept`: whether the project is linked, so that `check` must look up the caller's role."""
    return sa.exists().where(_linked_project.c.environment_project_id == project_id).label("kept")


async def check(tx: Transaction, call: Call, needed: int, rows: Iterable[Row]) -> None:
    """Check that the caller may write rows of these projects; one statement for all, none where no project is kept.

    Args:
        tx: transaction of the write.
        call: call that writes.
        needed: CONTENT or VALUES.
        rows: rows that the caller may see, with `project_id` and `kept`.

    Raises PERMISSION_DENIED: the caller lacks the role.
    """
    rows = list(rows)
    await _look_up(tx, call, rows)
    require(call, needed, {row["project_id"] for row in rows})


async def _look_up(tx: Transaction, call: Call, rows: Iterable[Row]) -> None:
    """Note the caller's roles in kept projects in the call, for `require`; none of an Admin, who needs none."""
    unknown = sorted({row["project_id"] for row in rows if row["kept"]} - call.linked_roles.keys())
    if call.caller.admin or not unknown:
        return
    found = await tx.all(_ROLES, ids=unknown, user_id=call.caller.user_id)
    call.linked_roles |= dict.fromkeys(unknown, 0) | {row["environment_project_id"]: row["role"] for row in found}


def require(call: Call, needed: int, ids: Iterable[str]) -> None:
    """Check the caller's role in projects for which `check` or `writable_projects` has looked up another one.

    Raises PERMISSION_DENIED: the caller lacks the role.
    """
    for id_ in sorted(ids):
        if call.linked_roles.get(id_, needed) < needed:
            raise DomainError(
                "PERMISSION_DENIED",
                "The environment project is linked to projects of the platform, so this needs the role "
                f"{enum_names(role_pb2.Role.DESCRIPTOR)[needed]} in one of them; ask an owner of one for it.",
            )


_WRITABLE = Statement(
    sa.select(active_project.c.project_id, kept(active_project.c.project_id)).where(
        active_project.c.project_id == _of_ids, visible(active_project.c.project_id)
    )
)


async def writable_projects(tx: Transaction, call: Call, needed: Mapping[str, int]) -> set[str]:
    """Return the ids of active projects visible to the caller, to which a request adds rows.

    `needed`: the role, CONTENT or VALUES, by the project's id.

    Raises PERMISSION_DENIED: the caller may see one of the projects, but lacks the role.
    """
    rows = await tx.all(_WRITABLE, ids=sorted(needed), **viewer(call))
    await _look_up(tx, call, rows)
    for row in rows:
        require(call, needed[row["project_id"]], [row["project_id"]])
    return {row["project_id"] for row in rows}


_LINK = Statement(
    sa.select(
        sa.or_(
            sa.bindparam("viewer_admin", type_=sa.Boolean),
            active_project.c.created_by == sa.bindparam("viewer_id", type_=Id),
            sa.exists().where(
                linked_user.c.environment_project_id == active_project.c.project_id,
                linked_user.c.user_id == sa.bindparam("viewer_id", type_=Id),
                linked_user.c.role == role_pb2.ROLE_OWNER,
            ),
        ).label("linkable")
    ).where(active_project.c.project_id == sa.bindparam("id", type_=Id), visible(active_project.c.project_id))
)


async def check_link(tx: Transaction, call: Call, id_: str) -> bool:
    """Check that the caller may link and unlink an environment project; return False for one that is hidden or deleted.

    Raises PERMISSION_DENIED: the caller may see the environment project, but neither link nor unlink it.
    """
    row = await tx.one_or_none(_LINK, id=id_, **viewer(call))
    if row is not None and not row["linkable"]:
        raise DomainError(
            "PERMISSION_DENIED",
            f"Only the creator of the environment project {id_}, an owner of a project that is linked to it, or an Admin "
            "may link or unlink it; ask one of them.",
        )
    return row is not None
