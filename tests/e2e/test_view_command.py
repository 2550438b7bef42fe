"""`catenary view` against a running server, with the tower of the demo."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import orjson
import pytest

from factories.installations.installation import Running, catenary

pytestmark = pytest.mark.slow  # a dozen commands one after the other


def test_views_are_saved_shown_replaced_and_deleted(running: Running, tmp_path: Path) -> None:
    demo = running.demo
    names = {"CATENARY_URL": "base_url", "CATENARY_CLIENT_ID": "client_id", "CATENARY_CLIENT_SECRET": "client_secret"}
    project = str(demo["project_id"])

    def view(*arguments: str) -> Any:
        return catenary("view", *arguments, **{name: demo[key] for name, key in names.items()})

    facade = tmp_path / "facade.json"
    content = {"name": "Facade", "metrics": ["height"], "viewer": {"hidden_parts": ["core"]}}
    facade.write_bytes(orjson.dumps(content))
    made = view("create", project, str(facade))
    assert made.returncode == 0, made.stderr
    (view_id,) = re.findall(r"^Facade: view (\S+), saved$", made.stdout, re.MULTILINE)
    assert view("default", view_id).stdout == "Facade: the default\n"
    listed = view("list", project)
    assert re.search(rf"^Facade\s+{view_id}\s+yes\s+1 hidden, 1 metrics", listed.stdout, re.MULTILINE)
    shown = tmp_path / "shown.json"
    shown.write_text(view("show", view_id, "--json").stdout)
    assert "Metrics" in view("show", view_id).stdout
    edited = orjson.loads(shown.read_bytes())
    edited["view"]["name"] = "Front"
    shown.write_bytes(orjson.dumps(edited))
    replaced = orjson.loads(view("replace", view_id, str(shown), "--json").stdout)["view"]
    assert (replaced["name"], replaced["is_default"], replaced["metrics"]) == ("Front", True, ["height"])
    late = view("replace", view_id, str(shown))
    assert (late.returncode, late.stdout) == (1, "")
    assert "somebody changed Front meanwhile" in " ".join(late.stderr.split())
    facade.write_bytes(orjson.dumps({**content, "metrics": ["weight"]}))
    refused = view("create", project, str(facade))
    assert (refused.returncode, refused.stdout) == (1, "")
    assert "metrics[0]" in refused.stderr
    facade.write_text("[]")
    assert "must have one view" in view("replace", view_id, str(facade)).stderr
    assert view("default", view_id, "--off").stdout == "Front: not the default\n"
    assert view("delete", view_id, "--yes").stdout == "Front: deleted\n"
    assert view("show", view_id).returncode == 1
