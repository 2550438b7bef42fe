"""Methods write the events that their options name, and no others; no event holds a person's data, a comment or a secret.

Both are read off the log after a walk over every route.
"""

from __future__ import annotations

import re
from collections import defaultdict
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import orjson
import pytest
import sqlalchemy as sa
from google.protobuf.descriptor import Descriptor

from catenary_cli.installation import clients
from catenary_core.call.methods import bindings_of, service_descriptors
from catenary_core.database.statements import Row, Statement
from catenary_core.event_log import event_types, events, notifications
from catenary_core.server.dispatch import Dispatch
from catenary_core.services.notifications.rules import RULES
from catenary_edge.settings import EdgeSettings
from catenary_edge.transcoding import services
from catenary_edge.transcoding.fields import is_confidential
from factories.installations.installation import ANSWER_SECONDS
from factories.installations.serving import PUBLIC_URL, SECRET, serving, working
from factories.walks.consequences import CANARY, walk_ends_of_jobs, walk_rows_of_a_project
from factories.walks.data import walk_data
from factories.walks.platform import walk
from factories.walks.recording import Walk

BINDINGS = bindings_of(service_descriptors())
DECLARED = {path: set(binding.options.events) for path, binding in BINDINGS.items()}
_LOG = Statement(sa.text("SELECT id, type, project_id, actor_id, subject, data FROM events.event ORDER BY number"))
_calling: ContextVar[str] = ContextVar("calling", default="")


async def _further(call: Walk) -> None:
    await walk_data(call)
    project = (await call("POST", "/environment/v2/projects", 201, json={"number": "700-1"}))["project"]["project_id"]
    await walk_rows_of_a_project(call, project)
    await walk_ends_of_jobs(call)


@dataclass
class Log:
    """The events of a walk, and by which method each was written (empty: by none)."""

    rows: list[Row] = field(default_factory=list)
    method_of: dict[str, str] = field(default_factory=dict)
    called: set[str] = field(default_factory=set)

    @property
    def written(self) -> dict[str, set[str]]:
        """The types that each method wrote, of what was committed."""
        found: dict[str, set[str]] = defaultdict(set)
        for row in self.rows:
            found[self.method_of.get(row["id"], "")].add(row["type"])
        return found


async def _walked(dsn: str, folder: Path, log: Log, patch: pytest.MonkeyPatch) -> None:
    run, row_of = Dispatch._run, events._row

    async def noted_run(self: Dispatch, call: Any, request: Any) -> Any:
        log.called.add(call.method)
        _calling.set(call.method)
        return await run(self, call, request)

    def noted_row(*given: Any) -> dict[str, Any]:
        row = row_of(*given)
        log.method_of[row["id"]] = _calling.get()
        return row

    patch.setattr(Dispatch, "_run", noted_run)
    patch.setattr(events, "_row", noted_row)
    made = await clients.create(dsn, SECRET, "Contract", admin=True)
    edge = EdgeSettings(dev=True, public_url=PUBLIC_URL)
    async with (
        # One client walks over every route.
        serving(
            dsn,
            folder,
            edge=edge,
            demo=True,
            public_url=PUBLIC_URL,
            webhook_allow_private=True,
            requests_per_hour=5000,
        ) as node,
        working(node),
    ):
        async with httpx.AsyncClient(base_url=node.url, timeout=ANSWER_SECONDS) as http:
            await walk(http, made["client_id"], made["client_secret"], _further)
            await clients.ensure_guest(dsn, SECRET)
            assert (await http.post("/v1/auth/demo", json={})).status_code == 200
        async with node.core.frame.db.read() as tx:
            log.rows = await tx.all(_LOG)


@pytest.fixture
async def log(started_dsn: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Log:
    made = Log()
    await _walked(started_dsn, tmp_path, made, monkeypatch)
    return made


COMPLETE = "/catenary.worker.v1.WorkerService/Complete"
# A worker ends what these begin, so their events are written by its call.
ENDED_BY_WORKER = {
    "/catenary.platform.v1.EvaluationService/Evaluate",
    "/catenary.platform.v1.ModelService/UploadModelVersion",
}


OF_STUDIES = {"model.study.progressed", "model.study.completed"}
# The leader of studies writes the events of what these begin, without a call.
ENDED_BY_LEADER = {
    "/catenary.platform.v1.StudyService/CreateStudy",
    "/catenary.platform.v1.StudyService/ResumeStudy",
}


@pytest.mark.slow
async def test_each_method_writes_the_events_of_its_option_and_no_event_has_a_person_a_comment_or_a_secret(
    log: Log,
) -> None:
    """One walk, since it takes long."""
    written = log.written
    assert undeclared(written) == []
    assert unwritten(written) == []
    assert {path for path, types in DECLARED.items() if types} <= log.called
    assert len(log.rows) > 100
    told = {row["type"] for row in log.rows if row["type"] in RULES and RULES[row["type"]](row)}
    assert told == RULES.keys(), "each rule finds in the event what it looks for"
    assert {(row["type"], fault) for row in log.rows for fault in unfit(row)} == set()
    assert CANARY not in orjson.dumps([row["data"] for row in log.rows]).decode()


def undeclared(written: dict[str, set[str]]) -> list[tuple[str, str]]:
    """Types that a method wrote without naming them.

    No method writes that a release starts for the first time, how studies go on, nor notifications that follow from events.
    """
    named = {"": {"system.service.updated", notifications.CREATED, *OF_STUDIES}, **DECLARED}
    return [(path, type_) for path, types in written.items() for type_ in types - named.get(path, set())]


def unwritten(written: dict[str, set[str]]) -> list[tuple[str, str]]:
    """Types that a method names and didn't write."""
    found = []
    for path, types in DECLARED.items():
        wrote = written.get(path, set()) | (written.get(COMPLETE, set()) if path in ENDED_BY_WORKER else set())
        wrote |= written.get("", set()) if path in ENDED_BY_LEADER else set()
        found += [(path, type_) for type_ in types - wrote]
    return found


def unfit(row: Row) -> list[str]:
    """List the faults of an event's data.

    The data has one resource under its singular name, without forbidden values.
    """
    (name, resource), *more = row["data"].items()
    if more or not row["subject"].startswith("/"):
        return ["shape"]
    package = event_types.surface_of(row["type"])
    message = NAMED.get((package, name), "".join(word.capitalize() for word in name.split("_")))
    mine = [one for one in _MESSAGES.get(message, []) if f".{package}." in one.full_name]
    return [f"no message {name}"] if not mine else _faults(resource, mine[0], name)


def _faults(value: Any, message: Descriptor, path: str) -> list[str]:
    """List the keys that aren't fields of the message, and forbidden fields that have a value.

    Forbidden are fields of a person, of a comment's text or with a secret.
    """
    if message.full_name in ("catenary.type.v1.Json", "catenary.type.v1.Value", "google.protobuf.Timestamp"):
        return []
    found = []
    for key, item in value.items():
        one = message.fields_by_name.get(key)
        if one is None:
            found.append(f"{path}.{key} is no field of {message.full_name}")
        elif is_confidential(one) or (message.name, key) in TEXTS:
            found.append(f"{path}.{key}")
        elif one.message_type is not None and not one.message_type.GetOptions().map_entry:
            for part in item if isinstance(item, list) else [item]:
                if isinstance(part, dict):
                    found += _faults(part, one.message_type, f"{path}.{key}")
    return found


NAMED = {("platform", "member"): "ProjectMember", ("platform", "parameter"): "ModelParameter"}
"""Messages whose name is longer than their key."""
TEXTS = {("Comment", "content"), ("Entry", "comment"), ("Revision", "comment"), ("Variant", "note")}
"""Texts of comments and notes, which a proto doesn't mark."""


def _messages() -> dict[str, list[Descriptor]]:
    found: dict[str, list[Descriptor]] = defaultdict(list)
    for file in services.generated_files():
        for message in file.message_types_by_name.values():
            found[message.name].append(message)
    return found


_MESSAGES = _messages()


def test_the_checks_find_what_they_look_for() -> None:
    whole = {path: set(types) for path, types in DECLARED.items()}
    assert undeclared(whole) == unwritten(whole) == []
    path = "/catenary.platform.v1.ProjectService/CreateProject"
    assert undeclared({**whole, path: {"project.created", "project.deleted"}}) == [(path, "project.deleted")]
    assert unwritten({**whole, path: set()}) == [(path, "project.created")]
    made = {"subject": "/x", "type": "comments.comment.created"}
    good = {"id": "x", "reference_table": "t"}
    assert unfit({**made, "data": {"comment": good}}) == []
    assert unfit({**made, "data": {"comment": {**good, "content": "x"}}}) == ["comment.content"]
    creator = {"staff_name": "x", "email": "y"}
    assert unfit({**made, "data": {"comment": {**good, "created_by": creator}}}) == [
        "comment.created_by.staff_name",
        "comment.created_by.email",
    ]
    assert unfit({**made, "data": {"comment": {**good, "colour": "red"}}}) != []
    assert unfit({**made, "data": {"comment": good, "more": {}}}) == ["shape"]


OF_OTHERS = {
    ("/catenary.parameter.v1.EntryService/UpdateRevisions", "qa.record.created"),
    ("/catenary.comments.v2.CommentService/UpdateComment", "comment.updated"),
    ("/catenary.comments.v2.CommentService/DeleteComment", "comment.deleted"),
    ("/catenary.platform.v1.CommentService/CreateComment", "comments.comment.created"),
    ("/catenary.platform.v1.CommentService/UpdateComment", "comments.comment.updated"),
    ("/catenary.platform.v1.CommentService/DeleteComment", "comments.comment.deleted"),
}
"""What a method writes of another service: a review leaves a QA record, a project's comments are rows of the comments service."""


def test_every_type_that_a_method_names_is_known_and_has_a_category() -> None:
    known = event_types.known_types(BINDINGS)
    surfaces = {binding.surface for binding in BINDINGS.values() if binding.surface}
    for path, types in DECLARED.items():
        service = BINDINGS[path].surface
        for type_ in types:
            assert type_ in known
            assert event_types.surface_of(type_) in surfaces
            if (path, type_) in OF_OTHERS:
                continue
            if service not in ("platform", None):
                assert re.fullmatch(rf"{service}\.[a-z_]+\.(created|updated|deleted)", type_), type_
            else:
                assert type_ in event_types.PLATFORM, type_


def test_the_platforms_types_are_those_of_the_contract_that_methods_write_and_that_come_later() -> None:
    later = {
        "model.input.changed",
        "project.variant.published",
    }
    assert event_types.PLATFORM - set().union(*DECLARED.values()) == later
