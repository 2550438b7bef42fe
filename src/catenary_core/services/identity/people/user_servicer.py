"""UserService: the caller's own record, and all records for Admins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from catenary.platform.v1 import user_service_pb2 as pb
from catenary.platform.v1 import user_service_shapes as shapes
from catenary.platform.v1.user_shapes import User
from catenary_core.call import preconditions
from catenary_core.call.call import Call
from catenary_core.call.errors import DomainError, invalid, not_found
from catenary_core.call.field_masks import changed_fields
from catenary_core.database.statements import Row, shaped
from catenary_core.database.transactions import Transaction
from catenary_core.frame import Eraser, Frame
from catenary_core.resources.platform_pages import PlatformPage, page_of
from catenary_core.services.identity import queries
from catenary_core.services.identity.people import demo_guest, rules
from catenary_core.services.identity.people.erasure import Erasure

MAX_FOUND = 20
"""Largest number of users that a search by other callers than Admins gives."""
_HIDDEN = dict.fromkeys(User.__annotations__)
"""A user of whom a caller sees nothing."""
_TEXTS = ("location_name", "company_centre_unit", "my_people_page_url")


class UserServicer:
    """`catenary.platform.v1.UserService`."""

    def __init__(self, frame: Frame, erasers: Sequence[Eraser] = ()) -> None:
        """Create the servicer; `erasers` erase a person from the tables of other services."""
        self._db = frame.db
        self._erasure = Erasure(frame.secrets, erasers)
        self._tiers = frame.settings.tiers

    async def get_me(self, request: pb.GetMeRequest, call: Call) -> shapes.GetMeResponse:
        """Return the caller's own record."""
        return {"user": await self._one(call.caller.user_id)}

    async def update_me(self, request: pb.UpdateMeRequest, call: Call) -> shapes.UpdateMeResponse:
        """Change the caller's own record."""
        return {"user": await self._change(call, call.caller.user_id, _changes(request))}

    async def list_users(self, request: pb.ListUsersRequest, call: Call) -> shapes.ListUsersResponse:
        """List a page of all users, or of those that match a search; a caller other than an Admin must search."""
        page, searching = page_of(request), request.HasField("search")
        if not call.caller.admin:
            return {"users": await self._found(request, page), "next_cursor": None}
        given = {"search": request.search} if searching else {}
        async with self._db.read() as tx:
            users, next_cursor = await queries.USERS[searching].read(tx, page, **given)
        return {"users": [shaped(User, row) for row in users], "next_cursor": next_cursor}

    async def get_user(self, request: pb.GetUserRequest, call: Call) -> shapes.GetUserResponse:
        """Return one user: the caller, or any user for an Admin."""
        if request.user_id != call.caller.user_id and not call.caller.admin:
            raise DomainError("PERMISSION_DENIED", "Only an Admin may read another user's record.")
        return {"user": await self._one(request.user_id)}

    async def update_user(self, request: pb.UpdateUserRequest, call: Call) -> shapes.UpdateUserResponse:
        """Change a user."""
        if request.HasField("tier") and request.tier not in self._tiers:
            raise invalid(
                "tier",
                "{field} names no tier of this installation; give one of {known}.",
                value=request.tier,
                constraint="known",
                known=", ".join(sorted(self._tiers)),
            )
        return {"user": await self._change(call, request.user_id, _changes(request))}

    async def delete_user(self, request: pb.DeleteUserRequest, call: Call) -> shapes.DeleteUserResponse:
        """Delete a user, and erase the person."""
        async with self._db.transaction() as tx:
            if call.condition is not None:
                await _held(tx, call, request.user_id)
            row = await self._erasure.erase(tx, call, request.user_id)
        return {"user": shaped(User, row)}

    async def _found(self, request: pb.ListUsersRequest, page: PlatformPage) -> list[User]:
        """Return the users that match the search, with the fields that every caller may see.

        Raises PERMISSION_DENIED: there is no search. Raises VALIDATION_ERROR: there is a cursor.
        """
        if not request.HasField("search"):
            raise DomainError(
                "PERMISSION_DENIED",
                "Only an Admin may list all users; give search, 3 or more characters of a name or e-mail address.",
            )
        if page.id is not None:
            raise invalid(
                "cursor",
                "{field} is not taken with a search by other callers than Admins; search for more characters.",
                value=request.cursor,
                constraint="cursor",
            )
        async with self._db.read() as tx:
            rows = await tx.all(queries.FOUND_USERS, search=request.search, page_rows=min(page.limit, MAX_FOUND))
        return [shaped(User, {**_HIDDEN, **row}) for row in rows]

    async def _one(self, user_id: str) -> User:
        async with self._db.read() as tx:
            return _found(await tx.one_or_none(queries.USER, user_id=user_id))

    async def _change(self, call: Call, user_id: str, changes: dict[str, Any]) -> User:
        demo_guest.keep_from_admin(user_id, changes)
        if not changes and call.condition is None:
            return await self._one(user_id)
        async with self._db.transaction() as tx:
            if call.condition is not None:
                user = await _held(tx, call, user_id)
                if not changes:
                    return user
            if changes.get("admin") is False or changes.get("disabled"):
                await rules.keep_an_admin(tx, user_id)
            return _found(await tx.one_or_none(queries.update_user(changes), user_id=user_id, **changes))


async def _held(tx: Transaction, call: Call, user_id: str) -> User:
    """Lock an active user, compare the user with If-Match and return it.

    Raises NOT_FOUND: no such active user. Raises PRECONDITION_FAILED: the user differs from If-Match.
    """
    await rules.lock_user(tx, user_id)
    user = _found(await tx.one_or_none(queries.USER, user_id=user_id))
    preconditions.check(call, user)
    return user


def _changes(request: pb.UpdateMeRequest | pb.UpdateUserRequest) -> dict[str, Any]:
    """Return the columns to set: null clears a text or a grade and is refused for a flag."""
    changed = changed_fields(request)
    if "my_people_page_url" in changed:
        rules.check_page_url("my_people_page_url", request.my_people_page_url)
    return {
        name: getattr(request, name) if request.HasField(name) else ("" if name in _TEXTS else None) for name in changed
    }


def _found(row: Row | None) -> User:
    if row is None:
        raise not_found("user")
    return shaped(User, row)
