"""The help of the commands, and their messages to those who mistype them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import metadata
from typing import Any

import pytest
import typer
from click.testing import CliRunner

from catenary_cli import __main__ as main
from catenary_cli import author_commands, logs
from catenary_cli.__main__ import app
from catenary_cli.remote import geometry_files

ACCESS = ("--url", "http://127.0.0.1:1/v1/", "--client-id", "x", "--client-secret", "y")


def _commands(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    yield path
    for name, child in getattr(command, "commands", {}).items():
        if not child.hidden:
            yield from _commands(child, (*path, name))


COMMAND: Any = typer.main.get_command(app)
COMMANDS = list(_commands(COMMAND))


@pytest.fixture(autouse=True)
def nothing_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Start no server here when a command line is taken all the same."""

    def refuse(command: Any) -> None:
        command.close()
        raise AssertionError("the command was taken")

    monkeypatch.setattr(main, "run", refuse)
    monkeypatch.setattr(author_commands, "run", refuse)
    monkeypatch.setattr(logs, "configure", lambda *_, **__: None)


def _run(*arguments: str) -> Any:
    return CliRunner().invoke(COMMAND, list(arguments), prog_name="catenary", env={"COLUMNS": "80", "TERM": "dumb"})


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_help_reads_well_at_80_columns(command: tuple[str, ...]) -> None:
    shown = _run(*command, "--help")
    assert shown.exit_code == 0
    assert shown.stdout.startswith(f"Usage: {' '.join(('catenary', *command))}")
    assert ("completion" in shown.stdout) == (not command)
    lines = shown.stdout.splitlines()
    assert max(map(len, lines)) <= 80
    # An explanation begins on its option's line or the next, and none is squeezed into a narrow column.
    assert not [line for line in lines if line and len(line) - len(line.lstrip()) > 36]


@pytest.mark.parametrize("command", [path for path in COMMANDS if path], ids=" ".join)
def test_every_option_and_argument_is_explained(command: tuple[str, ...]) -> None:
    found = COMMAND
    for name in command:
        found = found.commands[name]
    assert found.help
    for parameter in found.params:
        assert parameter.help, f"{' '.join(command)}: {parameter.name}"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nothing"], "No such command 'nothing'"),
        (["serve", "--nothing"], "No such option: --nothing"),
        (["serve", "--port", "seven"], "should be a valid integer"),
        (["serve", "--port", "70000"], "less than or equal to 65535"),
        (["serve", "--nodes", "0"], "greater than or equal to 1"),
        (["serve", "--tls-cert", "/nowhere.pem"], "does not exist"),
        (["serve", "--cors-origin", "https://a.example/path"], "CORS origin"),
        (["serve", "--trusted-proxy", "here"], "trusted_proxies must be networks"),
        (["serve", "--public-url", "catenary.example"], "must start with http"),
        (["edge"], "Missing option '--core'"),
        (["worker", "--core", "localhost:1"], "Missing option '--token'"),
        (["evaluate"], "Missing argument"),
        (["client", "create"], "Missing argument"),
        (["model", "push", "/nowhere.py", "-p", "x"], "does not exist"),
        (["import", "/nowhere.csv"], "does not exist"),
        (["file", "upload", "/nowhere.csv", "-p", "x"], "does not exist"),
        (["file", "upload", "/etc/hostname"], "Missing option '--project'"),
        (["file", "download"], "Missing argument 'FILE'"),
        (["variant", "save", "x", "Slender", *ACCESS], "Give either values, as name=value, or --evaluation."),
        (["variant", "save", "x", "Slender", "a=1", "--evaluation", "y", *ACCESS], "Give either values"),
        (["view", "create", "x"], "Missing argument 'PATH'"),
        (["view", "replace", "x", "/nowhere.json"], "does not exist"),
        (["share", "remove", "x"], "Missing option '--project'"),
        (["user", "link"], "Missing argument 'USER'"),
        (["study", "results", "x", "--json", "--csv", *ACCESS], "one of --json and --csv only"),
        (
            ["evaluate", "x", "--out", "part.obj", *ACCESS],
            ".obj is not a format of geometry: give one of .glb, .stl, .step, .3mf",
        ),
        (["model", "deploy", "bridge"], "Missing option '--project'"),
        (["model", "show", "-p", "x"], "Missing argument 'MODEL'"),
        (["model", "delete", "bridge", "-p", "x", "--version", "0"], "greater than or equal to 1"),
        (["parameters"], "Missing argument 'PROJECT'"),
        (["import", "/etc/hostname", "--kind", "tags"], "is not one of"),
    ],
    ids=" ".join,
)
def test_a_mistyped_command_ends_with_2_and_says_why(arguments: Sequence[str], said: str) -> None:
    refused = _run(*arguments)
    assert refused.exit_code == 2
    assert isinstance(refused.exception, SystemExit)
    assert said in " ".join(refused.stderr.split())
    assert "Traceback" not in refused.stderr


def test_the_version_is_that_of_the_package() -> None:
    shown = _run("--version")
    assert (shown.exit_code, shown.stdout) == (0, f"catenary {metadata.version('catenary')}\n")


def test_the_shell_can_complete_commands_and_options() -> None:
    shown = CliRunner().invoke(
        COMMAND,
        [],
        prog_name="catenary",
        env={"_CATENARY_COMPLETE": "complete_bash", "COMP_WORDS": "catenary model ", "COMP_CWORD": "2"},
    )
    assert shown.stdout.split() == ["push", "list", "show", "log", "deploy", "undeploy", "delete"]


def test_the_help_of_evaluate_names_the_formats_of_geometry() -> None:
    shown = " ".join(_run("evaluate", "--help").stdout.split())
    assert all(f".{name}" in shown for name in geometry_files.FORMATS)
    assert "Or a folder" in shown


@pytest.mark.parametrize(
    ("variable", "value", "said"),
    [
        ("CATENARY_LEASE_SECONDS", "soon", "CATENARY_LEASE_SECONDS: Input should be a valid number"),
        ("CATENARY_LEASE_SECONDS", "0.1", "greater than or equal to 1"),
        ("CATENARY_OIDC_ISSUERS", "[{", "written in JSON"),
        ("CATENARY_OIDC_ISSUERS", '[{"issuer": "https://a.example"}]', "CATENARY_OIDC_ISSUERS.0.audience"),
        ("CATENARY_TIERS", '{"standard": {"storage_bytes": -1}}', "CATENARY_TIERS.standard.storage_bytes"),
        (
            "CATENARY_TIERS",
            '{"standard": {"storage": 1}}',
            "CATENARY_TIERS.standard: the key `storage` is called `storage_bytes` now; rename it",
        ),
        ("CATENARY_TIERS", '{"standard": {"disk": 1}}', "CATENARY_TIERS.standard.disk"),
        ("CATENARY_TIERS", '{"Gold!": {}}', "CATENARY_TIERS.Gold!"),
        ("CATENARY_PORT", "seven", "should be a valid integer"),
    ],
)
def test_a_wrong_variable_ends_with_2_and_is_named(
    variable: str, value: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, value)
    refused = _run("serve")
    assert refused.exit_code == 2
    assert said in " ".join(refused.stderr.split())
    assert "Traceback" not in refused.stderr
