"""`catenary variant` against a running server, with the tower of the demo."""

from __future__ import annotations

import re
from pathlib import Path

import orjson
import pytest

from factories.installations.installation import Running, catenary

pytestmark = pytest.mark.slow  # ten commands one after the other


def test_designs_are_saved_shown_compared_and_deleted(running: Running, tmp_path: Path) -> None:
    demo = running.demo
    names = {"CATENARY_URL": "base_url", "CATENARY_CLIENT_ID": "client_id", "CATENARY_CLIENT_SECRET": "client_secret"}
    variables = {name: demo[key] for name, key in names.items()}
    project = str(demo["project_id"])
    first = catenary("variant", "save", project, "Slender", "storeys=40", "--note", "two\nlines", **variables)
    assert first.returncode == 0, first.stderr
    (slender,) = re.findall(r"Slender: variant (\S+), ready", first.stdout)
    evaluated = catenary("evaluate", project, "storeys=44", "--json", **variables)
    evaluation = orjson.loads(evaluated.stdout)["evaluation"]
    second = catenary(
        "variant", "save", project, "High", "--evaluation", evaluation["evaluation_id"], "--json", **variables
    )
    high = orjson.loads(second.stdout)["variant"]["variant_id"]
    listed = catenary("variant", "list", project, "--search", "slen", **variables)
    assert [line.split()[:2] for line in listed.stdout.splitlines()[1:]] == [["Slender", slender]]
    picture = tmp_path / "slender.png"
    shown = catenary("variant", "show", slender, "--picture", str(picture), **variables)
    assert "two\nlines" in shown.stdout
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert f"Wrote {picture} ({picture.stat().st_size:,} bytes)" in shown.stdout
    assert [one.name for one in tmp_path.iterdir()] == ["slender.png"]
    compared = catenary("variant", "compare", project, slender, high, **variables)
    assert re.search(r"^storeys\s+40\s+44 \(\+4\)$", compared.stdout, re.MULTILINE)
    assert "twist " not in compared.stdout, "it is equal in both"
    assert "twist " in catenary("variant", "compare", project, slender, high, "--all", **variables).stdout
    assert catenary("variant", "delete", high, "--yes", **variables).stdout == "High: deleted\n"
    gone = catenary("variant", "show", high, "--picture", str(tmp_path / "gone.png"), **variables)
    assert (gone.returncode, gone.stdout) == (1, "")
    refused = catenary("variant", "save", project, "Too high", "storeys=4000", **variables)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert "PARAMETER_OUT_OF_RANGE" in refused.stderr
