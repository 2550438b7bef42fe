"""The command that shows what is used of the quotas."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from catenary_cli import show
from catenary_cli.remote.api import Access, Api

_QUOTAS = {"evaluations": "Evaluations", "compute_seconds": "Compute seconds", "storage": "Storage (bytes)"}


async def show_usage(access: Access, project_id: str | None, month: str | None, form: show.Form) -> None:
    """Print the usage of a project, or of all projects for which the client pays."""
    query = {name: value for name, value in (("project_id", project_id), ("month", month)) if value is not None}
    async with Api(access) as api:
        usage = (await api.get(f"usage?{urlencode(query)}"))["usage"]
    match form:
        case "json":
            show.json({"usage": usage})
        case "csv":
            _print_csv(usage)
        case "table":
            _print_table(usage)


def _print_table(usage: Mapping[str, Any]) -> None:
    """Print the usage, under a line that says whose it is.

    The quotas are of all projects of who pays, so those of one project are not compared with them.
    """
    subject = f"project {usage['project_id']}" if usage["project_id"] else "all projects for which the client pays"
    show.line(f"{usage['month']}, {subject}, tier {usage['quota']['tier']}")
    rows = [
        (title, show.number(usage[name]), "none" if usage["quota"][name] is None else show.number(usage["quota"][name]))
        for name, title in _QUOTAS.items()
    ]
    show.rows(("", "Used", "Quota"), rows, "")


def _print_csv(usage: Mapping[str, Any]) -> None:
    whose = [text or "" for text in (usage["month"], usage["project_id"], usage["user_id"], usage["quota"]["tier"])]
    quotas = [(name, str(usage[name]), usage["quota"][name]) for name in _QUOTAS]
    show.csv(
        [
            ("month", "project_id", "user_id", "tier", "name", "used", "quota"),
            *((*whose, name, used, "" if quota is None else str(quota)) for name, used, quota in quotas),
        ]
    )
