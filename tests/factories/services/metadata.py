"""The parameter metadata service over a dispatcher: ann and bob, who are users, and ada, who is Admin."""

from __future__ import annotations

from typing import Any

import uuid_utils

from catenary_core.call.call import Identity
from catenary_core.database.transactions import Database
from catenary_core.frame import Frame
from catenary_core.server.dispatch import Dispatch
from catenary_core.services.metadata.tag_link_servicer import TagLinkServicer
from catenary_core.services.metadata.tag_servicer import TagServicer
from catenary_core.services.metadata.tag_type_servicer import TagTypeServicer
from factories.services.calls import Caller, events_of
from factories.services.dispatchers import dispatch_of
from factories.services.people import add_user

PACKAGE = "catenary.metadata.v1"
NOBODY = "00000000-0000-7000-8000-000000000000"
URL = "https://example.com/slab"


class Tagging:
    """The service with its people."""

    def __init__(self, db: Database, dispatch: Dispatch, people: dict[str, Identity]) -> None:
        self.db = db
        self.dispatch = dispatch
        self.people = people
        self.ann, self.bob, self.ada = (Caller(dispatch, name) for name in ("ann", "bob", "ada"))

    async def tag_type(self, name: str = "Discipline", *, allow_custom: bool = True) -> dict[str, Any]:
        """Make a new tag type."""
        return dict((await self.ada.call("CreateTagType", name=name, allow_custom=allow_custom))["tag_type"])

    async def tag(self, name: str, tag_type_id: str, tag_scope: str | None = None) -> dict[str, Any]:
        """Make a new tag as the Admin."""
        scope = {} if tag_scope is None else {"tag_scope": tag_scope}
        return dict((await self.ada.call("CreateTag", name=name, tag_type_id=tag_type_id, **scope))["tag"])

    async def put(self, *links: dict[str, str], by: Caller | None = None) -> list[dict[str, Any]]:
        """Put links, by ann unless another is given."""
        return list((await (by or self.ann).call("PutTagLinks", tag_links=links))["tag_links"])

    async def event_types(self) -> list[str]:
        """Return the types of the events so far, without the service's name."""
        return [event["type"].removeprefix("metadata.") for event in await events_of(self.db)]


async def tagging_of(frame: Frame) -> Tagging:
    """Return the service on the frame's database."""
    people = {name: await add_user(frame.db, name, admin=name == "ada") for name in ("ann", "bob", "ada")}
    servicers = {
        f"{PACKAGE}.TagTypeService": TagTypeServicer(frame),
        f"{PACKAGE}.TagService": TagServicer(frame),
        f"{PACKAGE}.TagLinkService": TagLinkServicer(frame),
    }
    return Tagging(frame.db, dispatch_of(servicers, people, _no_role), people)


def new_id() -> str:
    """Return a fresh id."""
    return str(uuid_utils.uuid7())


def link(tag_id: str, reference_id: str | None = None, **fields: str) -> dict[str, str]:
    """Return an item of PutTagLinks."""
    reference_id = reference_id or new_id()
    return {
        "tag_id": tag_id,
        "reference_id": reference_id,
        "reference_table": "asset",
        "reference_url": URL,
        **fields,
    }


async def _no_role(project_id: str, caller: Identity) -> int | None:
    return None
