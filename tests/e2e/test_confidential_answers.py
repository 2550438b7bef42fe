"""Answers with confidential data forbid every store to keep them, and no edge keeps them."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest

from catenary_edge.response_cache.store import ResponseStore
from factories.installations.two_edges import TwoEdges, two_edges

DEFAULT, NEVER = "private, max-age=300", "no-store"


@pytest.fixture
def edges(dsn: str, tmp_path: Path) -> Iterator[TwoEdges]:
    with two_edges(dsn, tmp_path) as running:
        yield running


def _made(http: httpx.Client, path: str, given: Any) -> Any:
    answer = http.post(path, json=given)
    assert answer.status_code == 201, answer.text
    (found,) = answer.json().values()
    return found[0] if isinstance(found, list) else found


def _filled(http: httpx.Client, environment: str) -> dict[str, str]:
    """Paths of everything that stands in a project of the environment service."""
    parameter, metadata = "/parameter/v1", "/metadata/v1"

    def name() -> str:
        return uuid.uuid4().hex

    group = _made(http, f"{parameter}/asset_type_groups", {"name": name()})["id"]
    given = {"name": name(), "asset_type_group_id": group, "asset_sub_type": False}
    asset_type = _made(http, f"{parameter}/asset_types", given)["id"]
    given = {"name": "Deck", "project_id": environment, "asset_type_id": asset_type}
    asset = _made(http, f"{parameter}/assets", given)["id"]
    parameter_type = _made(http, f"{parameter}/parameter_types", {"name": name(), "data_type": "number"})["id"]
    kind = _made(http, "/reference/v2/source_types", {"name": name()})["id"]
    source = _made(http, "/reference/v2/sources", {"title": "Survey", "source_type_id": kind})["id"]
    entry = {"source_id": source, "values": [{"value": 1.5}]}
    given = {
        "project_id": environment,
        "parameter_type_id": parameter_type,
        "parent_ids": [asset],
        "entries": [entry],
    }
    made = _made(http, f"{parameter}/parameters", given)
    entry_id = made["selected_entry"]["entry_id"]
    tag_type = _made(http, f"{metadata}/tag_types", {"name": name(), "allow_custom": True})["id"]
    tag = _made(http, f"{metadata}/tags", {"name": name(), "tag_type_id": tag_type, "tag_scope": environment})["id"]
    link = {"tag_id": tag, "reference_id": asset, "reference_table": "asset", "reference_url": "https://example.com/a"}
    assert http.put(f"{metadata}/tag_links", json={"tag_links": [link]}).status_code == 200
    item = {"asset_type_id": asset_type, "parameter_type_id": parameter_type}
    item_type = _made(http, f"{parameter}/item_types", item)["id"]
    # These belong to no project, but refer to something of it.
    reference = {name: link[name] for name in ("reference_id", "reference_table", "reference_url")}
    comment = _made(http, "/comments/v2/comments", [{**reference, "content": "Seen"}])["id"]
    record_type = _made(http, "/qa/v2/record_types", {"name": name()})["id"]
    record = _made(http, "/qa/v2/records", [{**reference, "type_id": record_type}])["id"]
    given = {**reference, "title": "Survey", "source_type_id": kind}
    referring = _made(http, "/reference/v2/sources", given)["id"]
    category = _made(http, f"{parameter}/parameter_set_categories", {"name": name()})["id"]
    given = {"name": name(), "parameter_set_category_id": category, "item_type_ids": [item_type]}
    set_type = _made(http, f"{parameter}/parameter_set_types", given)["id"]
    given = {"name": name(), "parameter_set_type_id": set_type, "project_id": environment, "asset_id": asset}
    parameter_set = _made(http, f"{parameter}/parameter_sets", given)["id"]
    return {
        "project": f"/environment/v2/projects/{environment}",
        "projects": f"/environment/v2/projects?project_id={environment}",
        "a page of projects": f"/environment/v2/projects?project_id={environment}&page_limit=5",
        "asset": f"{parameter}/assets/{asset}",
        "assets": f"{parameter}/assets?project_id={environment}",
        "hierarchy": f"{parameter}/assets/{asset}/hierarchy",
        "tree": f"{parameter}/asset_tree?asset_id={asset}",
        "parameter": f"{parameter}/parameters/{made['id']}",
        "parameters": f"{parameter}/parameters?project_id={environment}",
        "entries": f"{parameter}/entries?parameter_id={made['id']}",
        "revisions": f"{parameter}/entries/{entry_id}/revisions",
        "set": f"{parameter}/parameter_sets/{parameter_set}",
        "sets": f"{parameter}/parameter_sets?parameter_set_type_id={set_type}",
        "set parameters": f"{parameter}/parameter_sets/{parameter_set}/parameters",
        "tag": f"{metadata}/tags/{tag}",
        "tags": f"{metadata}/tags?tag_scope={environment}",
        "links": f"{metadata}/tags/{tag}/links",
        "link": f"{metadata}/tags/{tag}/links/{asset}",
        "comment": f"/comments/v2/comments/{comment}",
        "comments": f"/comments/v2/comments?reference_id={asset}",
        "a page of comments": f"/comments/v2/comments?reference_id={asset}&page_limit=5",
        "record": f"/qa/v2/records/{record}",
        "records": f"/qa/v2/records?reference_id={asset}",
        "source": f"/reference/v2/sources/{referring}",
        "sources": f"/reference/v2/sources?reference_id={asset}",
    }


def test_every_answer_that_shows_confidential_data_may_be_stored_by_nobody(
    edges: TwoEdges, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept: list[str] = []
    keep = ResponseStore.store

    def noted(self: ResponseStore, key: Any, version: str, content: Any) -> None:
        kept.append(key[-1])
        keep(self, key, version, content)

    monkeypatch.setattr(ResponseStore, "store", noted)
    admin = edges.person("admin", admin=True)
    http = admin.edges[0]
    project = _made(http, "/environment/v2/projects", {"project_number": uuid.uuid4().hex})
    paths = _filled(http, project["project_id"])
    for confidential, expected in ((False, DEFAULT), (True, NEVER), (False, DEFAULT)):
        assert http.patch(paths["project"], json={"confidential": confidential}).status_code == 200
        kept.clear()
        for one in admin.edges:
            for what, path in paths.items():
                answer = one.get(path)
                assert answer.status_code == 200, answer.text
                assert answer.headers["Cache-Control"] == expected, what
                again = one.get(path, headers={"If-None-Match": answer.headers["ETag"]})
                assert (again.status_code, again.headers["Cache-Control"]) == (304, expected), what
        assert (set(kept) & set(paths.values()) == set()) is confidential


def test_a_list_in_parts_is_confidential_by_what_its_later_parts_may_show(edges: TwoEdges, dsn: str) -> None:
    admin, stranger = edges.person("admin", admin=True), edges.person("stranger")
    with psycopg.connect(dsn) as connection:
        connection.execute(
            "INSERT INTO environment.project (project_id, project_number, confidential, created_by)"
            " SELECT gen_random_uuid(), 'P' || g, g = 600, gen_random_uuid() FROM generate_series(1, 600) g"
        )
    for edge in (0, 1):
        shown, hidden = (one.edges[edge].get("/environment/v2/projects") for one in (admin, stranger))
        assert (len(shown.json()["projects"]), shown.headers["Cache-Control"]) == (600, NEVER)
        assert (len(hidden.json()["projects"]), hidden.headers["Cache-Control"]) == (599, DEFAULT)
