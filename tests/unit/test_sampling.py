"""The part of the sampled tests that a commit runs."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from factories.checks.sampling import PARTS, is_drawn

NODES = [f"tests/unit/test_it.py::test_one[{number}]" for number in range(900)]
COMMITS = [f"{number:040x}" for number in range(30)]


def test_a_commit_runs_about_a_third_and_always_the_same() -> None:
    for commit in COMMITS:
        drawn = [node for node in NODES if is_drawn(node, commit)]
        assert 0.8 < len(drawn) * PARTS / len(NODES) < 1.2
        assert drawn == [node for node in NODES if is_drawn(node, commit)]


def test_each_variant_is_run_by_some_of_thirty_commits() -> None:
    assert all(any(is_drawn(node, commit) for commit in COMMITS) for node in NODES)


@pytest.mark.parametrize("commit", [None, *COMMITS[:2]])
def test_only_marked_tests_are_left_out_and_only_for_a_commit(
    commit: str | None, pytestconfig: pytest.Config, tmp_path: Path
) -> None:
    (conftest,) = (one for one in pytestconfig.pluginmanager.get_plugins() if hasattr(one, "STARTED_TEMPLATE"))
    plain = [SimpleNamespace(nodeid=node, get_closest_marker=lambda _: None) for node in NODES[:9]]
    marked = [SimpleNamespace(nodeid=node, get_closest_marker=lambda name: name == "sampled" or None) for node in NODES]
    gate = [SimpleNamespace(nodeid=f"{node}[gate]", get_closest_marker=lambda _: True) for node in NODES[:9]]
    items, left = cast("list[Any]", [*plain, *marked, *gate]), []
    options: dict[str, Any] = {"--sample-of": commit, "--reverse-files": False}
    hook = SimpleNamespace(pytest_deselected=lambda items: left.extend(items))
    config = SimpleNamespace(getoption=options.get, hook=hook)
    conftest.pytest_collection_modifyitems(config, items)
    wanted = [node for node in NODES if commit is None or is_drawn(node, commit)]
    assert [one.nodeid for one in items] == [*NODES[:9], *wanted, *(one.nodeid for one in gate)]
    assert len(left) == len(NODES) - len(wanted)
    (tmp_path / "touched").write_text("README.md\ntests/unit/test_it.py\n")
    options["--touched"] = str(tmp_path / "touched")
    conftest.pytest_collection_modifyitems(config, every := [*plain, *marked])
    assert every == [*plain, *marked]
