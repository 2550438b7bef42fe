"""`catenary usage` shows what is used of the quotas."""

from __future__ import annotations

import csv

import orjson
import pytest

from factories.installations.installation import Running, catenary

pytestmark = pytest.mark.slow

_NAMES = ["evaluations", "compute_seconds", "storage"]


def _as(running: Running) -> dict[str, str]:
    demo = running.demo
    names = {"CATENARY_URL": "base_url", "CATENARY_CLIENT_ID": "client_id", "CATENARY_CLIENT_SECRET": "client_secret"}
    return {name: demo[key] for name, key in names.items()}


def test_the_usage_of_all_projects_and_of_one_is_a_table_json_and_csv(running: Running) -> None:
    made = running.http.post("projects", json={"name": "Usage"}).json()["data"]["project"]["project_id"]
    shown = catenary("usage", "--json", **_as(running))
    assert shown.returncode == 0, shown.stderr
    usage = orjson.loads(shown.stdout)["usage"]
    assert usage["project_id"] is None
    assert usage["evaluations"] >= 1, "the demo's checks"
    table = catenary("usage", **_as(running)).stdout.splitlines()
    assert table[0] == f"{usage['month']}, all projects for which the client pays, tier standard"
    assert [line.split("  ")[0] for line in table[2:]] == ["Evaluations", "Compute seconds", "Storage (bytes)"]
    assert all(line.endswith("none") for line in table[2:]), "the demo has no quotas"
    rows = list(csv.DictReader(catenary("usage", made, "--csv", **_as(running)).stdout.splitlines()))
    assert [(row["name"], float(row["used"]), row["quota"]) for row in rows] == [(name, 0, "") for name in _NAMES]
    assert {(row["month"], row["project_id"], row["tier"]) for row in rows} == {(usage["month"], made, "standard")}
    earlier = orjson.loads(catenary("usage", "--month", "2026-01", "--json", **_as(running)).stdout)["usage"]
    assert (earlier["month"], earlier["evaluations"]) == ("2026-01", 0)


def test_a_wrong_month_or_project_is_refused_in_one_sentence(running: Running) -> None:
    for arguments, told in ((("--month", "november"), "VALIDATION_ERROR"), (("0" * 8,), "VALIDATION_ERROR"),
                            (("--json", "--csv"), "one of --json and --csv only")):  # fmt: skip
        refused = catenary("usage", *arguments, **_as(running))
        assert refused.returncode != 0
        assert told in refused.stderr
        assert "Traceback" not in refused.stderr
