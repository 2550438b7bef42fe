"""The hourly limits and the quotas with which `--dev` and `--demo` begin."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from catenary_cli import __main__ as main
from catenary_cli import options
from catenary_core.settings import DEFAULT_TIER, CoreSettings, Tier

STANDARD = {"evaluations": 200_000, "compute_seconds": 360_000, "storage_bytes": 50 * 1024**3}
LIMITS = ("CATENARY_REQUESTS_PER_HOUR", "CATENARY_EVALUATIONS_PER_HOUR")


@pytest.mark.parametrize(
    ("arguments", "variables", "limits"),
    [
        (("serve",), {}, (1000, 100)),
        (("serve", "--dev"), {}, (100_000, 10_000)),
        (("serve", "--demo"), {}, (100_000, 10_000)),
        (("serve",), {"CATENARY_DEV": "1"}, (100_000, 10_000)),
        (("serve", "--demo"), {LIMITS[0]: "7"}, (7, 10_000)),
        (("serve", "--demo"), {LIMITS[1]: "7"}, (100_000, 7)),
        (("serve", "--dev"), {LIMITS[0]: "1000", LIMITS[1]: "100"}, (1000, 100)),
        (("node", "--port", "0", "--grpc-port", "0", "--socket", "s", "--dev"), {}, (100_000, 10_000)),
        (("node", "--port", "0", "--grpc-port", "0", "--socket", "s"), {}, (1000, 100)),
    ],
)
def test_dev_and_demo_begin_with_high_limits_where_none_is_set(
    arguments: tuple[str, ...],
    variables: dict[str, str],
    limits: tuple[int, int],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: list[CoreSettings] = []
    core_settings = options.core_settings

    def noted(data_dir: Path | None, public_url: str | None, **given: bool) -> CoreSettings:
        made.append(core_settings(data_dir, public_url, **given))
        return made[-1]

    monkeypatch.setattr(options, "core_settings", noted)
    monkeypatch.setattr(main, "run", lambda command: command.close())
    monkeypatch.setattr(main.logs, "configure", lambda *_, **__: None)
    monkeypatch.setattr(main.processes, "die_with_parent", lambda: None)
    for name in (*LIMITS, "CATENARY_DEV", "CATENARY_TIERS"):
        monkeypatch.delenv(name, raising=False)
    done = CliRunner().invoke(main.app, arguments, env=variables)
    assert done.exit_code == 0, done.output
    (settings,) = made
    assert (settings.requests_per_hour, settings.evaluations_per_hour) == limits
    begins_without = {"--dev", "--demo", "CATENARY_DEV"} & {*arguments, *variables}
    assert settings.tiers == {DEFAULT_TIER: Tier() if begins_without else Tier(**STANDARD)}


def test_tiers_that_are_set_hold_with_dev_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CATENARY_TIERS", '{"large": {"storage_bytes": 7}}')
    for dev in (True, False):
        made = options.core_settings(dev=dev)
        assert made.tiers == {DEFAULT_TIER: Tier(**STANDARD), "large": Tier(storage_bytes=7)}
