"""`catenary variant`: designs of a project on a running server that are saved under a name."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import typer

from catenary_cli import show
from catenary_cli.remote import used_values
from catenary_cli.remote.api import Access, Api
from catenary_cli.remote.use import parse_value

_WAIT = {"Prefer": "wait=60"}
_PICTURE_SECONDS = 120.0
"""Time for the geometry of a point, of which a picture needs it."""


async def save(
    access: Access,
    project_id: str,
    name: str,
    note: str,
    values: Sequence[str],
    evaluation_id: str | None,
    *,
    as_json: bool,
) -> None:
    """Save values or an evaluation as a variant, wait for the end of its evaluation, and print it.

    Args:
        access: The server and the credentials.
        project_id: Id of the project.
        name: Name of the variant.
        note: Note, which may be empty.
        values: The values, as `name=value`; none with an evaluation.
        evaluation_id: Id of the evaluation; None with values.
        as_json: Whether JSON is printed.

    Raises:
        typer.Exit: With code 1 if the evaluation did not complete.
    """
    source: dict[str, Any] = {"parameters": dict(map(parse_value, values))}
    if evaluation_id is not None:
        source = {"evaluation_id": evaluation_id}
    async with Api(access) as api:
        with show.progress("Evaluating"):
            variant = (await api.post(f"projects/{project_id}/variants", {"name": name, "note": note, **source}))[
                "variant"
            ]
            while variant["status"] == "evaluating":
                await api.get(f"evaluations/{variant['evaluation']['evaluation_id']}", _WAIT)
                variant = await _found(api, variant["variant_id"])
        if as_json:
            show.json({"variant": variant})
        else:
            show.line(f"{variant['name']}: variant {variant['variant_id']}, {variant['status']}")
            await _show_results(api, variant)
    if variant["status"] != "ready":
        raise typer.Exit(1)


async def list_variants(access: Access, project_id: str, search: str, *, as_json: bool) -> None:
    """Print the variants of a project, newest first."""
    async with Api(access) as api:
        variants = await api.pages(f"projects/{project_id}/variants?search={quote(search, safe='')}", "variants")
    if as_json:
        show.json({"variants": variants})
        return
    rows = [[one["name"], one["variant_id"], one["status"], _author(one), _time(one)] for one in variants]
    nothing = "No variant has that in its name." if search else "The project has no variants."
    show.rows(("Name", "Id", "Status", "Saved by", "Saved (UTC)"), rows, nothing)


async def show_variant(access: Access, variant_id: str, picture: Path | None, *, as_json: bool) -> None:
    """Print a variant with the results of its evaluation, and write its picture.

    Raises:
        ValueError: The variant has no picture.
    """
    async with Api(access) as api:
        variant = await _found(api, variant_id)
        if picture is not None:
            if variant["thumbnail"] is None:
                raise ValueError(f"{variant['name']} has no picture: its evaluation has no geometry, or has not ended")
            size = await _download(api, variant["thumbnail"]["url"], picture)
        if as_json:
            show.json({"variant": variant})
        else:
            show.pairs(
                {
                    "Variant": f"{variant['name']} ({variant['variant_id']})",
                    "Status": variant["status"],
                    "Saved": f"{_time(variant)} UTC by {_author(variant)}",
                    "Model version": variant["evaluation"]["model_version_id"],
                }
            )
            if variant["note"]:
                show.lines(variant["note"])
            await _show_results(api, variant)
    if picture is not None:
        (show.note if as_json else show.line)(f"Wrote {picture} ({size:,} bytes)")


async def compare(
    access: Access, project_id: str, variant_ids: Sequence[str], *, everything: bool, as_json: bool
) -> None:
    """Print parameters and metrics of variants side by side.

    Args:
        access: The server and the credentials.
        project_id: Id of the project.
        variant_ids: Ids of the variants; the others are compared with the first.
        everything: Whether what is equal in all of them is printed too.
        as_json: Whether JSON is printed.
    """
    query = urlencode([("variant_id", one) for one in variant_ids])
    async with Api(access) as api:
        comparison = (await api.get(f"projects/{project_id}/variants/compare?{query}"))["comparison"]
    if as_json:
        show.json({"comparison": comparison})
        return
    compared = [*comparison["parameters"], *comparison["metrics"]]
    rows = [
        [one["name"], _unit(one["items"]), *map(_cell, one["items"])]
        for one in compared
        if everything or one["differs"]
    ]
    names = [one["name"] for one in comparison["variants"]]
    show.rows(("Value of", "Unit", *names), rows, "The variants have equal values and metrics.")


async def name_of(access: Access, variant_id: str) -> str:
    """Return the name of a variant."""
    async with Api(access) as api:
        return str((await _found(api, variant_id))["name"])


async def delete(access: Access, variant_id: str, name: str) -> None:
    """Delete a variant; `name` is its name for the person."""
    async with Api(access) as api:
        await api.delete(f"variants/{variant_id}")
    show.line(f"{name}: deleted")


async def _show_results(api: Api, variant: Mapping[str, Any]) -> None:
    """Print the values and results of a variant's evaluation, once it has ended."""
    if variant["status"] == "evaluating":
        return
    declared = await api.pages(f"projects/{variant['project_id']}/parameters", "parameters")
    values = variant["evaluation"]["parameters"]
    show.evaluation(variant["evaluation"], used_values.rows(declared, values, values))


async def _download(api: Api, path: str, target: Path) -> int:
    """Write a picture to a file, once the geometry that it shows is there; return its size.

    Raises:
        ValueError: The geometry has not been made in time.
    """
    end = asyncio.get_running_loop().time() + _PICTURE_SECONDS
    with show.progress("Drawing"):
        while not (size := await api.download(path, target)):
            if asyncio.get_running_loop().time() > end:
                raise ValueError("the geometry of the variant is still being made; try again later")
            await asyncio.sleep(1)
    return size


async def _found(api: Api, variant_id: str) -> dict[str, Any]:
    return dict((await api.get(f"variants/{quote(variant_id, safe='')}"))["variant"])


def _unit(items: Sequence[Mapping[str, Any]]) -> str:
    return " / ".join(dict.fromkeys(item["unit"] for item in items if item["unit"]))


def _cell(item: Mapping[str, Any]) -> str:
    """Return a value with its difference to the first variant, such as `1,040 (-210.5)`."""
    if item["value"] is None:
        return "-"
    text = show.number(item["value"])
    if not item["difference"]:
        return text
    sign = "+" if item["difference"] > 0 else ""
    return f"{text} ({sign}{show.number(item['difference'])})"


def _author(variant: Mapping[str, Any]) -> str:
    return str((variant["created_by"] or {}).get("staff_name") or "-")


def _time(variant: Mapping[str, Any]) -> str:
    return str(variant["created_at"])[:16].replace("T", " ")
