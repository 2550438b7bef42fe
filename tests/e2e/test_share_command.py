"""`catenary share` against a running server."""

from __future__ import annotations

import httpx
import orjson
import pytest

from factories.installations.installation import Running, catenary

pytestmark = pytest.mark.slow  # several commands one after the other


def _as(running: Running) -> dict[str, str]:
    demo = running.demo
    names = {"CATENARY_URL": "base_url", "CATENARY_CLIENT_ID": "client_id", "CATENARY_CLIENT_SECRET": "client_secret"}
    return {name: demo[key] for name, key in names.items()}


def test_a_link_is_made_listed_and_removed_by_commands(running: Running) -> None:
    variables = _as(running)
    project = running.http.post("projects", json={"name": "Shared"}).json()["data"]["project"]["project_id"]
    empty = catenary("share", "list", project, **variables)
    assert (empty.stdout, empty.stderr) == ("", "The project has no shares.\n")
    made = catenary("share", "add", "-p", project, "--link", "--until", "2099-01-31T12:00:00Z", "--json", **variables)
    assert made.returncode == 0, made.stderr
    data = orjson.loads(made.stdout)
    token = data["url"].partition("#share=")[2]
    url = f"{running.demo['base_url'].rstrip('/')}/projects/{project}"
    assert httpx.get(url, headers={"X-Share-Token": token}, timeout=60).status_code == 200
    assert "link" in catenary("share", "list", project, **variables).stdout
    ended = catenary("share", "remove", data["share"]["share_id"], "-p", project, **variables)
    assert ended.stdout == f"{data['share']['share_id']}: removed\n"
    assert catenary("share", "list", project, **variables).stdout == ""


def test_a_share_with_nobody_is_refused_in_one_sentence(running: Running) -> None:
    variables = _as(running)
    project = running.demo["project_id"]
    for arguments, told in (
        ([], "give exactly one of --user, --team and --link"),
        (["--user", "x", "--link"], "give exactly one of --user, --team and --link"),
        (["--user", "nobody@example.com"], "no user has the e-mail address nobody@example.com"),
        (["--link", "--role", "editor"], "must be viewer"),
    ):
        refused = catenary("share", "add", "-p", project, *arguments, **variables)
        assert (refused.returncode, refused.stdout) == (1, "")
        assert told in " ".join(refused.stderr.split())
