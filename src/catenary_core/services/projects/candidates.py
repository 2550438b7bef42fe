"""Users and teams that may become members of a project.

The lock on a user or team prevents deletion before the membership is stored, and must come before the lock on the project.
"""

from __future__ import annotations

from typing import Literal

from catenary.platform.v1 import project_service_pb2
from catenary_core.call.call import Identity
from catenary_core.call.errors import DomainError, Violation, invalid
from catenary_core.database.transactions import Transaction
from catenary_core.services.projects import queries
from catenary_wire.sentences import Fields, ResourceName, Sentence

Named = Literal["user_id", "team_id", "email"]
"""A field that names a new member."""
_FIELDS: tuple[Named, ...] = ("user_id", "team_id", "email")


def naming_field(request: project_service_pb2.AddProjectMemberRequest) -> Named:
    """Return the field that names the new member.

    Raises VALIDATION_ERROR: none or several do.
    """
    given = [field for field in _FIELDS if request.HasField(field)]
    if len(given) == 1:
        return given[0]
    fields = Sentence("Give exactly one of {fields}.", {"fields": Fields(*_FIELDS)})
    named = given[1] if given else _FIELDS[0]
    shown = None if named == "email" else getattr(request, named) or None  # an address is of a person
    raise DomainError(
        "VALIDATION_ERROR",
        fields,
        details={"parameter": named, "value": shown, "constraint": "oneof"},
        violations=[Violation(field, fields, "oneof") for field in given[1:] or _FIELDS[:1]],
    )


async def hold_named(
    tx: Transaction, request: project_service_pb2.AddProjectMemberRequest, field: Named, caller: Identity
) -> str:
    """Lock the user or the visible team that a request names, as `hold` does; return the id.

    Raises VALIDATION_ERROR: none is named, or the e-mail address names several users.
    """
    if field == "email":
        users = await tx.all(queries.HOLD_USERS_OF_EMAIL, email=request.email)
        if len(users) == 1:
            return str(users[0]["user_id"])
        if users:
            raise invalid(
                field,
                "{field} belongs to several users; give a {id}.",
                value=None,
                constraint="unique",
                id=Fields("user_id"),
            )
        raise invalid(
            field,
            "{field} belongs to no user; a person becomes a user with the first sign-in.",
            value=None,  # of a person
            constraint="unknown",
        )
    return await hold_member(tx, field, getattr(request, field), caller)


async def hold_member(tx: Transaction, field: Literal["user_id", "team_id"], member_id: str, caller: Identity) -> str:
    """Lock the user or the visible team with this id, as `hold` does; return the id.

    Raises VALIDATION_ERROR: there is none; `field` is the field that gave the id.
    """
    if await hold(tx, member_id, caller) is not (field == "team_id"):
        raise invalid(
            field,
            "{field} names no {resource} that you may see; give the id of one.",
            value=member_id,
            constraint="unknown",
            resource=ResourceName(field.removesuffix("_id")),
        )
    return member_id


async def hold(tx: Transaction, member_id: str, caller: Identity) -> bool | None:
    """Lock the user or visible team with this id; return whether a team has the id, None if neither exists.

    The lock prevents deletion before the membership is stored, and must come before the lock on the project.
    """
    if await tx.one_or_none(queries.HOLD_USER, member_id=member_id) is not None:
        return False
    viewer = {"user_id": caller.user_id, "admin": caller.admin}
    if await tx.one_or_none(queries.HOLD_TEAM, member_id=member_id, **viewer) is not None:
        return True
    return None
