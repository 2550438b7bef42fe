"""`catenary file` against a running server."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import orjson
import pytest

from factories.installations.installation import Running, catenary, environment

pytestmark = pytest.mark.slow  # ten commands one after the other


def _as(running: Running) -> dict[str, str]:
    demo = running.demo
    names = {"CATENARY_URL": "base_url", "CATENARY_CLIENT_ID": "client_id", "CATENARY_CLIENT_SECRET": "client_secret"}
    return {name: demo[key] for name, key in names.items()}


def _in(folder: Path, running: Running, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command whose current folder is the one given."""
    line = [sys.executable, "-m", "catenary_cli", *arguments]
    variables = {**environment(), **_as(running)}
    return subprocess.run(line, capture_output=True, text=True, timeout=120, check=False, cwd=folder, env=variables)


def test_a_file_is_uploaded_listed_shown_downloaded_and_deleted(running: Running, tmp_path: Path) -> None:
    variables, content = _as(running), b"x,y\r\n1,2\r\n\xff"
    project = running.http.post("projects", json={"name": "Files"}).json()["data"]["project"]["project_id"]
    empty = catenary("file", "list", project, **variables)
    assert (empty.stdout, empty.stderr) == ("", "The project has no files.\n")
    source = tmp_path / "section & profile.csv"
    source.write_bytes(content)
    made = catenary("file", "upload", str(source), "-p", project, "--json", **variables)
    assert made.returncode == 0, made.stderr
    file = orjson.loads(made.stdout)["file"]
    assert (file["name"], file["size"]) == (source.name, len(content))
    renamed = catenary("file", "upload", str(source), "-p", project, "--name", "profile.csv", **variables)
    assert renamed.stdout.startswith("profile.csv: file ")
    second = renamed.stdout.split("file ")[1].split(",")[0]
    listed = orjson.loads(catenary("file", "list", project, "--json", **variables).stdout)["files"]
    assert [one["file_id"] for one in listed] == [second, file["file_id"]]
    assert "section & profile.csv" in catenary("file", "list", project, **variables).stdout
    assert file["value"] in catenary("file", "show", file["file_id"], **variables).stdout
    folder = tmp_path / "downloads"
    folder.mkdir()
    wrote = _in(folder, running, "file", "download", second)
    assert wrote.returncode == 0, wrote.stderr
    assert (folder / "profile.csv").read_bytes() == content
    again = _in(folder, running, "file", "download", second)
    assert (again.returncode, again.stdout) == (1, "")
    assert "is there already; give another place with --out" in " ".join(again.stderr.split())
    other = _in(folder, running, "file", "download", file["file_id"], "--out", "other.csv")
    assert other.returncode == 0, other.stderr
    assert (folder / "other.csv").read_bytes() == content
    deleted = catenary("file", "delete", second, "--yes", **variables)
    assert deleted.stdout == "profile.csv: deleted\n"
    assert catenary("file", "show", second, **variables).returncode == 1


def test_what_no_file_may_be_is_refused_in_one_sentence(running: Running, tmp_path: Path) -> None:
    variables = _as(running)
    project = running.http.post("projects", json={"name": "Refused files"}).json()["data"]["project"]["project_id"]
    large, nothing = tmp_path / "large.csv", tmp_path / "nothing.csv"
    with large.open("wb") as out:
        out.truncate(16 * 1024 * 1024 + 1)
    nothing.touch()
    for file, told in ((large, "at most 16 MiB"), (nothing, "VALIDATION_ERROR")):
        refused = catenary("file", "upload", str(file), "-p", project, **variables)
        assert (refused.returncode, refused.stdout) == (1, ""), file
        assert told in " ".join(refused.stderr.split())
        assert "Traceback" not in refused.stderr
    content = {"content": b"x", "headers": {"Content-Type": "application/octet-stream"}}
    made = running.http.post(f"projects/{project}/files", params={"name": "../../away.csv"}, **content)
    assert made.status_code == 201, made.text
    led = _in(tmp_path, running, "file", "download", made.json()["data"]["file"]["file_id"])
    assert (led.returncode, led.stdout) == (1, "")
    assert "give the place with --out" in " ".join(led.stderr.split())
    assert not (tmp_path.parent.parent / "away.csv").exists()
