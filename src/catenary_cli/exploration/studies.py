"""`catenary study`: searches for good designs and measurements of sensitivity, followed to their end."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from typing import Any

import aiohttp
import typer

from catenary_cli import show
from catenary_cli.error_sentences import sentence_of
from catenary_cli.exploration import findings, points
from catenary_cli.exploration.points import Output
from catenary_cli.exploration.reports import WayOn, reported
from catenary_cli.remote.api import Access, Api, ApiError
from catenary_cli.remote.tail import PASSING, PAUSES

_ENDED = ("completed", "cancelled", "failed")
_LONGEST_PAUSE = 10.0
_SHORTEST_PAUSE = 0.5
_FIRST_TWO = (1, 2)


async def run(access: Access, project_id: str, request: Mapping[str, Any], output: Output) -> None:
    """Begin a study, follow it to its end and print what it found.

    Raises:
        typer.Exit: With code 1 if the study does not complete.
    """
    async with Api(access) as api:
        study = (await api.post(f"projects/{project_id}/studies", request))["study"]
        show.note(f"Study {study['study_id']}: {findings.named(study)}, seed {study['seed']}")
        await _finish(api, study, output)


async def resume(access: Access, study_id: str, changes: Mapping[str, Any], output: Output) -> None:
    """Resume a study that has ended, follow it to its end and print what it found; `changes` may have `budget` and `stop`.

    Raises:
        typer.Exit: With code 1 if the study does not complete.
    """
    async with Api(access) as api:
        await _finish(api, (await api.post(f"studies/{study_id}/resume", changes))["study"], output)


async def watch(access: Access, study_id: str, output: Output) -> None:
    """Follow a study to its end and print what it found.

    Raises:
        typer.Exit: With code 1 if the study does not complete.
    """
    async with Api(access) as api:
        await _finish(api, await _get(api, study_id), output)


async def show_study(access: Access, study_id: str, *, as_json: bool) -> None:
    """Print the state of a study."""
    async with Api(access) as api:
        study = await _get(api, study_id)
    if as_json:
        show.json({"study": study})
    else:
        findings.print_state(study)


async def list_studies(access: Access, project_id: str, *, as_json: bool) -> None:
    """Print the studies of a project, newest first."""
    async with Api(access) as api:
        studies = await api.pages(f"projects/{project_id}/studies", "studies")
    if as_json:
        show.json({"studies": studies})
        return
    rows = [
        (
            one["study_id"],
            one["status"],
            one["created_at"][:16].replace("T", " "),
            f"{findings.ended(one['counts']):,}/{one['budget']:,}",
            one.get("name") or findings.aims(one),
        )
        for one in studies
    ]
    show.rows(("Study", "Status", "Asked for (UTC)", "Points", "Name or aim"), rows, "The project has no studies.")


async def cancel(access: Access, study_id: str) -> None:
    """Cancel a study that has not ended; one that has stays as it is."""
    async with Api(access) as api:
        await _cancel(api, study_id)


async def _cancel(api: Api, study_id: str) -> None:
    study = (await api.post(f"studies/{study_id}/cancel", {}))["study"]
    if study["status"] == "cancelled":
        show.line(f"Study {study_id}: cancelled. `catenary study resume {study_id}` goes on with it.")
    else:
        show.line(f"Study {study_id} has ended already: {study['status']}")


async def front(
    access: Access, study_id: str, representatives: int, output: Output, axes: tuple[int, int] = _FIRST_TWO
) -> None:
    """Print the front of a study, drawn over two objectives by their numbers.

    Raises:
        typer.BadParameter: The study has no such objective.
    """
    async with Api(access) as api:
        study = await _get(api, study_id)
        objectives = len(study["objectives"])
        if axes != _FIRST_TWO and (max(axes) > objectives or axes[0] == axes[1]):
            raise typer.BadParameter(f"two different numbers from 1 to {objectives} are needed", param_hint="--axes")
        await _print_front(api, study, representatives, output, axes)


async def results(access: Access, study_id: str, output: Output) -> None:
    """Print every point of a study, in the order in which they were proposed."""
    path = f"studies/{study_id}/results"
    async with Api(access) as api:
        if output.form == "csv":
            show.csv(await api.table(path))
            return
        study = await _get(api, study_id)
        found = await api.pages(path, "results")
        if output.form == "json":
            show.json({"study": study, "results": found})
            return
        units = await points.units_of(api, study["project_id"], study["model_version_id"])
    findings.print_results(study, found, units, output)


async def indices(access: Access, study_id: str, output: Output) -> None:
    """Print the indices of a sensitivity."""
    async with Api(access) as api:
        await _print_indices(api, await _get(api, study_id), output)


async def _get(api: Api, study_id: str) -> dict[str, Any]:
    return dict((await api.get(f"studies/{study_id}"))["study"])


async def _finish(api: Api, study: Mapping[str, Any], output: Output) -> None:
    study = await _followed(api, study)
    if output.form == "table":
        findings.print_state(study)
    if study["kind"] == "sensitivity":
        await _print_indices(api, study, output)
    else:
        await _print_front(api, study, 0, output)
    if study["status"] != "completed":
        raise typer.Exit(1)


async def _print_front(
    api: Api,
    study: Mapping[str, Any],
    representatives: int,
    output: Output,
    axes: tuple[int, int] = _FIRST_TWO,
) -> None:
    path = f"studies/{study['study_id']}/front"
    chosen = await api.get(f"{path}?limit=1&representatives={representatives}")
    found = await api.pages(path, "points")
    if output.form == "json":
        shown = {"knee": chosen["knee"], "representatives": chosen["representatives"]}
        show.json({"study": study, "points": found, **shown})
        return
    units = await points.units_of(api, study["project_id"], study["model_version_id"])
    findings.print_front(study, found, chosen, units, output, axes)


async def _best_so_far(api: Api, study: Mapping[str, Any]) -> list[tuple[str, ...]]:
    path = f"studies/{study['study_id']}/front"
    knee = (await api.get(f"{path}?limit=1"))["knee"]
    return findings.best_so_far(study, await api.pages(path, "points"), knee)


async def _print_indices(api: Api, study: Mapping[str, Any], output: Output) -> None:
    found = (await api.get(f"studies/{study['study_id']}/indices"))["indices"]
    if output.form == "json":
        show.json({"study": study, "indices": found})
    else:
        findings.print_indices(found, output)


async def _followed(api: Api, study: Mapping[str, Any]) -> Mapping[str, Any]:
    """Show the progress of a study until its end; return the ended study.

    A Ctrl-C ends this, and the study too where somebody says so; else a line tells how to go on.
    """
    study_id, began = study["study_id"], time.monotonic()
    way_on = WayOn(
        f"The study goes on. `catenary study watch {study_id}` follows it, `catenary study cancel` ends it.",
        "Cancel the study too?",
        lambda: _cancel(api, study_id),
    )
    failures, told = 0, 0
    has_front = study["kind"] == "optimization" and show.is_watched()
    async with reported("Searching", study["budget"], way_on) as reached:
        while study["status"] not in _ENDED:
            reached.done, reached.total = findings.ended(study["counts"]), study["budget"]
            reached.text = findings.progress(study)
            # A longer study is asked for less often: each request counts in the user's hour.
            pause = min(_LONGEST_PAUSE, max(_SHORTEST_PAUSE, (time.monotonic() - began) / 10))
            await asyncio.sleep(pause)
            try:
                study, failures = await _get(api, study_id), 0
                if has_front and study["generation"] > told:
                    reached.below, told = await _best_so_far(api, study), study["generation"]
            except (ApiError, aiohttp.ClientError, TimeoutError, OSError) as error:
                if (isinstance(error, ApiError) and error.status not in PASSING) or failures >= len(PAUSES):
                    raise
                show.note(f"Asking again in {PAUSES[failures]:.0f} s: {sentence_of(error) or type(error).__name__}")
                await asyncio.sleep(PAUSES[failures])
                failures += 1
    return study
