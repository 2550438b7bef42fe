"""What the runtime of models is loaded with, before anything of a model runs."""

from __future__ import annotations

import os
import pwd
from pathlib import Path

import pytest

import catenary_wire
from catenary_worker.sandbox import runtime


def test_the_digest_covers_the_shared_rules_on_which_results_depend() -> None:
    shared = Path(catenary_wire.__file__).parent
    assert all(list(shared.glob(pattern)) for pattern in runtime._RULES)
    assert {file.parent for pattern in runtime._RULES for file in shared.glob(pattern)} == {
        shared,
        shared / "expressions",
        shared / "units",
    }


def test_a_package_that_asks_for_its_home_while_it_is_imported_gets_one_without_a_table_of_users(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def no_users(_: int) -> pwd.struct_passwd:
        raise KeyError

    monkeypatch.setattr(pwd, "getpwuid", no_users)  # the sandbox's root has no /etc/passwd
    monkeypatch.setattr(os, "environ", runtime.environment())
    assert not Path("~").expanduser().exists(), "nobody's files are there"
