"""The one setting that lets webhooks go to private addresses, from the flag to the processes that deliver."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from catenary_cli import __main__ as main
from catenary_cli import options
from catenary_cli.installation.prepared import Prepared
from catenary_core.settings import CoreSettings

VARIABLE = "CATENARY_WEBHOOK_ALLOW_PRIVATE"


@pytest.mark.parametrize("command", ["serve", "core"])
@pytest.mark.parametrize(
    ("arguments", "variable", "allowed"),
    [
        ((), None, False),
        (("--webhook-allow-private",), None, True),
        ((), "1", True),
        ((), "false", False),
    ],
)
def test_the_flag_or_its_variable_alone_allows_it(
    command: str, arguments: tuple[str, ...], variable: str | None, allowed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert _settings(command, arguments, variable, monkeypatch).webhook_allow_private is allowed


@pytest.mark.parametrize("arguments", [("--dev",), ("--demo",), ("--dev", "--demo", "--once")])
def test_neither_dev_nor_demo_implies_it(arguments: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    assert _settings("serve", arguments, None, monkeypatch).webhook_allow_private is False


@pytest.mark.parametrize("allowed", [False, True])
def test_nodes_get_what_serve_was_given(allowed: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    settings = CoreSettings(webhook_allow_private=allowed)
    for name, text in Prepared(tmp_path, bytes(32), "catw_", settings, "", None).environment.items():
        monkeypatch.setenv(name, text)
    assert CoreSettings().webhook_allow_private is allowed


def _settings(
    command: str, arguments: tuple[str, ...], variable: str | None, monkeypatch: pytest.MonkeyPatch
) -> CoreSettings:
    """Return the settings that a command line makes; the command itself doesn't run."""
    made: list[CoreSettings] = []
    core_settings = options.core_settings

    def noted(
        data_dir: Path | None, public_url: str | None, *, webhook_allow_private: bool, dev: bool = False
    ) -> CoreSettings:
        made.append(core_settings(data_dir, public_url, webhook_allow_private=webhook_allow_private, dev=dev))
        return made[-1]

    monkeypatch.setattr(options, "core_settings", noted)
    monkeypatch.setattr(main, "run", lambda command: command.close())
    monkeypatch.setattr(main.logs, "configure", lambda *_, **__: None)
    monkeypatch.delenv(VARIABLE, raising=False)
    environment = {} if variable is None else {VARIABLE: variable}
    assert CliRunner().invoke(main.app, [command, *arguments], env=environment).exit_code == 0
    return made[0]
