"""`catenary batch`: many evaluations at once, from a file or a plan, followed to their end."""

from __future__ import annotations

import asyncio
import csv
import io
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import aiohttp
import orjson
import typer

from catenary_cli import show
from catenary_cli.error_sentences import sentence_of
from catenary_cli.exploration import points
from catenary_cli.exploration.points import Output
from catenary_cli.exploration.reports import WayOn, reported
from catenary_cli.remote.api import Access, Api, ApiError
from catenary_cli.remote.tail import PASSING, PAUSES

FILE_BYTES = 64 * 1024 * 1024
"""Size of the largest file that the server takes."""
MOST_GIVEN = 1000
"""Maximum number of points that the server takes as JSON."""
_CONFLICT = 409


async def run(
    access: Access, project_id: str, source: Path | Mapping[str, Any], output: Output, named: Mapping[str, str]
) -> None:
    """Evaluate the rows of a file, or those of a plan, and print the results.

    Args:
        access: Server and credential.
        project_id: The project.
        source: A file, or the request of a plan.
        output: Form of the results.
        named: `name` and `note` of the batch, empty without one.

    Raises:
        typer.Exit: With code 1 if a point has no result.
    """
    async with Api(access) as api:
        if isinstance(source, Path) and source.suffix.lower() == ".json":
            given = await asyncio.to_thread(points_of, source)
            batch = (await api.post(f"projects/{project_id}/evaluate/batch", {"evaluations": given, **named}))["batch"]
        elif isinstance(source, Path):
            text = await asyncio.to_thread(table_of, source)
            path = f"projects/{project_id}/evaluations.csv?{urlencode(named)}"
            batch = (await api.post_content(path, text, "text/csv"))["batch"]
        else:
            plan = (await api.post(f"projects/{project_id}/evaluate/plan", source))["plan"]
            made = await api.post(f"projects/{project_id}/evaluate/batch", {"plan_id": plan["plan_id"], **named})
            batch = made["batch"]
            if plan["seed"] is not None and "seed" not in source:
                show.note(f"The same points again: --seed {plan['seed']}")
        show.note(f"Batch {batch['batch_id']}: {points.counted(batch['counts']['total'], 'point')}")
        await _finish(api, batch, output)


async def watch(access: Access, batch_id: str, output: Output) -> None:
    """Follow a batch to its end and print the results.

    Raises:
        typer.Exit: With code 1 if a point has no result.
    """
    async with Api(access) as api:
        await _finish(api, (await api.get(f"batches/{batch_id}"))["batch"], output)


async def show_batch(access: Access, batch_id: str, output: Output) -> None:
    """Print a batch and the results that it has now."""
    async with Api(access) as api:
        await _print(api, (await api.get(f"batches/{batch_id}"))["batch"], output)


async def list_batches(access: Access, project_id: str, *, as_json: bool) -> None:
    """Print the batches of a project, newest first."""
    async with Api(access) as api:
        batches = await api.pages(f"projects/{project_id}/batches", "batches")
    if as_json:
        show.json({"batches": batches})
        return
    rows = [
        (
            one["batch_id"],
            one["status"],
            one["created_at"][:16].replace("T", " "),
            points.summary(one["counts"]),
            one.get("name", ""),
        )
        for one in batches
    ]
    show.rows(("Batch", "Status", "Asked for (UTC)", "Points", "Name"), rows, "The project has no batches.")


async def cancel(access: Access, batch_id: str) -> None:
    """Cancel a batch that has not ended; one that has stays as it is."""
    async with Api(access) as api:
        await _cancel(api, batch_id)


async def _cancel(api: Api, batch_id: str) -> None:
    try:
        await api.delete(f"batches/{batch_id}")
    except ApiError as error:
        if error.status != _CONFLICT:
            raise
        status = (await api.get(f"batches/{batch_id}"))["batch"]["status"]
        show.line(f"Batch {batch_id} has ended already: {status}")
    else:
        show.line(f"Batch {batch_id}: cancelled")


async def _finish(api: Api, batch: Mapping[str, Any], output: Output) -> None:
    batch = await _followed(api, batch)
    await _print(api, batch, output)
    if not points.ended_well(batch["counts"]):
        raise typer.Exit(1)


async def _print(api: Api, batch: Mapping[str, Any], output: Output) -> None:
    results = await api.pages(f"batches/{batch['batch_id']}/results", "results")
    if output.form == "json":
        show.json({"batch": batch, "results": results})
        return
    units = await points.units_of(api, batch["project_id"], batch["model_version_id"])
    if output.form == "csv":
        show.csv(points.csv_rows(results, units, ()))
        return
    points.print_table(results, units, (), output.rows, "The batch has no points.")
    if len(results) > 1:
        points.print_extremes(results)
    counts = batch["counts"]
    ended = f", {batch['status']}" if batch["status"] != "completed" else ""
    show.line(f"{points.counted(counts['total'], 'point')}{ended}: {points.summary(counts)}")
    if error := batch.get("error"):
        show.warning(error["message"])


async def _followed(api: Api, batch: Mapping[str, Any]) -> Mapping[str, Any]:
    """Show the progress of a batch until its end; return the ended batch.

    A Ctrl-C ends this, and the batch too where somebody says so; else a line tells how to go on.
    """
    batch_id = batch["batch_id"]
    way_on = WayOn(
        f"The batch goes on. `catenary batch watch {batch_id}` follows it, `catenary batch cancel` ends it.",
        "Cancel the batch too?",
        lambda: _cancel(api, batch_id),
    )
    async with reported("Evaluating", batch["counts"]["total"], way_on) as reached:
        bad = 0
        async for item in _items(api, batch_id):
            if item["batch"] is not None:
                return dict(item["batch"])
            reached.done += 1
            bad += item["result"]["status"] != "completed"
            reached.text = f"Evaluating, {bad:,} without result" if bad else "Evaluating"
    raise ValueError(
        f"the stream of batch {batch_id} ended before the batch; `catenary batch show {batch_id}` has more"
    )


async def _items(api: Api, batch_id: str) -> AsyncIterator[dict[str, Any]]:
    """Yield the items of a batch's stream; after a lost connection, go on behind the last one."""
    last, failures = "", 0
    while True:
        try:
            query = [("after", last)] if last else []
            accept = {"Accept": "application/x-ndjson"}
            async with api.stream(f"batches/{batch_id}/stream", query, accept) as content:
                async for line in content:
                    if line.strip():
                        item = orjson.loads(line)
                        last, failures = item["id"], 0
                        yield item
                        if item["batch"] is not None:
                            return
            reason = "the stream ended"
        except ApiError as error:
            if error.status not in PASSING or failures >= len(PAUSES):
                raise
            reason = str(error)
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            if failures >= len(PAUSES):
                raise
            reason = sentence_of(error) or type(error).__name__
        pause = PAUSES[min(failures, len(PAUSES) - 1)]
        failures += 1
        show.note(f"Connecting again in {pause:.0f} s: {reason}")
        await asyncio.sleep(pause)


def points_of(file: Path) -> list[Any]:
    """Return the points of a JSON file as the server takes them.

    The file is a list, or an object with a list as `evaluations`. A point is `{"parameters": {…}}` or the values alone.

    Raises:
        ValueError: The file is too large, no JSON, of another shape, or has too many points.
    """
    if file.stat().st_size > FILE_BYTES:
        raise ValueError(f"{file} is over the limit of {FILE_BYTES >> 20} MiB; split it into several files")
    try:
        found = orjson.loads(file.read_bytes())
    except orjson.JSONDecodeError as error:
        raise ValueError(f"{file}, line {error.lineno}: {error.msg}; save it as JSON in UTF-8") from None
    given = found.get("evaluations") if isinstance(found, dict) else found
    if not isinstance(given, list) or not all(isinstance(one, dict) for one in given):
        raise ValueError(f'{file} must be a list of points, such as [{{"span": 4}}, {{"span": 5}}]')
    if len(given) > MOST_GIVEN:
        raise ValueError(f"{file} has {len(given):,} points; JSON takes {MOST_GIVEN:,}, a CSV file 10,000")
    return [one if isinstance(one.get("parameters"), dict) else {"parameters": one} for one in given]


def table_of(file: Path) -> bytes:
    """Return a CSV file with the names of parameters as the server takes them, `in:span`.

    Where no column has `in:`, each names a parameter. Else the columns that our own results have besides are passed over.

    Raises:
        ValueError: The file is too large, no UTF-8 or no CSV.
    """
    if file.stat().st_size > FILE_BYTES:
        raise ValueError(f"{file} is over the limit of {FILE_BYTES >> 20} MiB; split it into several files")
    try:
        text = file.read_bytes().decode("utf-8-sig")
        delimiter = max(",;\t", key=text.partition("\n")[0].count)
        lines = io.StringIO(text, newline="")
        names = next(csv.reader(lines, delimiter=delimiter, strict=True), [])
    except UnicodeDecodeError:
        raise ValueError(f"{file} is not in UTF-8; save it as CSV in UTF-8") from None
    except csv.Error as error:
        raise ValueError(f"{file}, line 1: {error}; save it as CSV") from None
    header = io.StringIO(newline="")
    csv.writer(header, delimiter=delimiter, lineterminator="\n").writerow(_server_names(names))
    return (header.getvalue() + lines.read()).encode()


def _server_names(names: list[str]) -> list[str]:
    if any(name.strip().startswith("in:") for name in names):
        return [f"out:{name}" if name.strip() in points.OUR_COLUMNS else name for name in names]
    known = ("out:", "img", "threed")
    return [name if name.strip().lower().startswith(known) else f"in:{name.strip()}" for name in names]
