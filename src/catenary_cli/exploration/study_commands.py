"""The commands of studies, and their flags."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from catenary_cli import options
from catenary_cli.author_commands import AsJson, ProjectArgument
from catenary_cli.exploration.commands import MOST_ROWS, AsCsv, Name, Note, Rows
from catenary_cli.running import run

if TYPE_CHECKING:
    from catenary_cli.remote.api import Access

Algorithm = Literal["auto", "nsga2", "nsga3", "tpe", "morris", "sobol_indices"]
OnFailure = Literal["infeasible", "retry", "stop"]
StopSeconds = Annotated[
    int | None, typer.Option(min=1, help="End the search after so many seconds.", show_default="by its budget")
]
StopStalled = Annotated[
    int | None,
    typer.Option(
        min=1,
        help="End the search after so many generations in a row in which the hypervolume has not grown by a thousandth.",
        show_default="by its budget",
    ),
]
StudyId = Annotated[str, typer.Argument(metavar="STUDY", help="Id of the study.")]
study_app = typer.Typer(
    help="Searches for good designs, and measurements of how much each parameter counts.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@study_app.command("run")
@options.with_access
def study_run(
    access: Access,
    project: ProjectArgument,
    file: Annotated[
        Path | None,
        typer.Argument(
            metavar="FILE",
            exists=True,
            dir_okay=False,
            help="Study as TOML (.toml) or JSON, with the fields of the request; options go before it.",
            show_default=False,
        ),
    ] = None,
    minimize: Annotated[
        list[str] | None, typer.Option(help="Metric or expression to make small, such as mass; repeatable.")
    ] = None,
    maximize: Annotated[
        list[str] | None, typer.Option(help="Metric or expression to make great, such as 'area / mass'; repeatable.")
    ] = None,
    measure: Annotated[
        list[str] | None,
        typer.Option(help="Metric or expression whose sensitivity is measured, in place of a search; repeatable."),
    ] = None,
    constraint: Annotated[
        list[str] | None,
        typer.Option(
            help="Condition beside those of the model: 'mass <= 2000' in the metric's unit, or an expression such as"
            " 'span <= 30 ft'; repeatable."
        ),
    ] = None,
    vary: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=RANGE",
            help="Parameter to vary: span=4..12, grade=S235,S355, or its name alone for all that it may be; repeatable.",
            show_default="all that have a range",
        ),
    ] = None,
    fix: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=VALUE", help="Parameter that keeps one value: span=6, span='20 ft'; repeatable."),
    ] = None,
    algorithm: Annotated[Algorithm | None, typer.Option(help="Algorithm.", show_default="the one that fits")] = None,
    population: Annotated[
        int | None, typer.Option(min=2, max=1000, help="Points of a generation.", show_default="by the budget")
    ] = None,
    budget: Annotated[int | None, typer.Option(min=1, max=100_000, help="Most points.")] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Seed.", show_default="a random one")] = None,
    on_failure: Annotated[
        OnFailure | None, typer.Option(help="Treatment of points that fail.", show_default="infeasible")
    ] = None,
    stop_seconds: StopSeconds = None,
    stop_stalled: StopStalled = None,
    name: Name = None,
    note: Note = None,
    rows: Rows = MOST_ROWS,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """Begin a study, follow it to its end and print what it found.

    Ctrl-C ends the command, and asks whether to cancel the study too. The exit code is 1 if the study does not complete.
    """
    from catenary_cli.exploration import definitions, points, studies

    output = points.Output(options.form(as_json=as_json, as_csv=as_csv), rows)
    given = definitions.StudyOptions(
        minimize=minimize or (),
        maximize=maximize or (),
        measure=measure or (),
        constraints=constraint or (),
        vary=vary or (),
        fix=fix or (),
        algorithm=algorithm,
        population=population,
        budget=budget,
        seed=seed,
        on_failure=on_failure,
        name=name,
        note=note,
        stop=_stop(stop_seconds, stop_stalled),
    )
    try:
        request = definitions.request(file, given)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None
    run(studies.run(access, project, request, output))


def _stop(seconds: int | None, stalled: int | None) -> dict[str, int]:
    """Return the rules that are given."""
    given = {"seconds": seconds, "stalled_generations": stalled}
    return {name: value for name, value in given.items() if value is not None}


@study_app.command("watch")
@options.with_access
def study_watch(
    access: Access,
    study: StudyId,
    rows: Rows = MOST_ROWS,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """Follow a study to its end and print what it found."""
    from catenary_cli.exploration import points, studies

    output = points.Output(options.form(as_json=as_json, as_csv=as_csv), rows)
    run(studies.watch(access, study, output))


@study_app.command("resume")
@options.with_access
def study_resume(
    access: Access,
    study: StudyId,
    budget: Annotated[
        int | None, typer.Option(min=1, max=100_000, help="Most points, at least as before.", show_default="as before")
    ] = None,
    stop_seconds: StopSeconds = None,
    stop_stalled: StopStalled = None,
    no_stop: Annotated[
        bool, typer.Option("--no-stop", help="Use the whole budget, whatever was asked before.")
    ] = False,
    rows: Rows = MOST_ROWS,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """Resume a study that has ended, and follow it as `run` does."""
    from catenary_cli.exploration import points, studies

    output = points.Output(options.form(as_json=as_json, as_csv=as_csv), rows)
    stop = _stop(stop_seconds, stop_stalled)
    if stop and no_stop:
        raise typer.BadParameter("give rules, or --no-stop for none", param_hint="--no-stop")
    changes = ({} if budget is None else {"budget": budget}) | ({"stop": stop} if stop or no_stop else {})
    run(studies.resume(access, study, changes, output))


@study_app.command("front")
@options.with_access
def study_front(
    access: Access,
    study: StudyId,
    representatives: Annotated[
        int, typer.Option(min=0, max=100, help="Number of points to mark that stand for the front.")
    ] = 0,
    axes: Annotated[
        tuple[int, int],
        typer.Option(min=1, metavar="NUMBER NUMBER", help="Objectives to draw, to the right and upwards, from 1."),
    ] = (1, 2),
    rows: Rows = MOST_ROWS,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """Draw and print the feasible points that no other dominates, with the knee."""
    from catenary_cli.exploration import points, studies

    output = points.Output(options.form(as_json=as_json, as_csv=as_csv), rows)
    run(studies.front(access, study, representatives, output, axes))


@study_app.command("results")
@options.with_access
def study_results(
    access: Access,
    study: StudyId,
    rows: Rows = MOST_ROWS,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """Print every point of a study, in the order in which they were proposed."""
    from catenary_cli.exploration import points, studies

    output = points.Output(options.form(as_json=as_json, as_csv=as_csv), rows)
    run(studies.results(access, study, output))


@study_app.command("indices")
@options.with_access
def study_indices(
    access: Access,
    study: StudyId,
    as_json: AsJson = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV, one parameter per line.")] = False,
) -> None:
    """Print how much each parameter counts for each objective of a sensitivity."""
    from catenary_cli.exploration import points, studies

    output = points.Output(options.form(as_json=as_json, as_csv=as_csv), MOST_ROWS)
    run(studies.indices(access, study, output))


@study_app.command("list")
@options.with_access
def study_list(
    access: Access,
    project: ProjectArgument,
    as_json: AsJson = False,
) -> None:
    """List the studies of a project, newest first."""
    from catenary_cli.exploration import studies

    run(studies.list_studies(access, project, as_json=as_json))


@study_app.command("show")
@options.with_access
def study_show(
    access: Access,
    study: StudyId,
    as_json: AsJson = False,
) -> None:
    """Show the state of a study."""
    from catenary_cli.exploration import studies

    run(studies.show_study(access, study, as_json=as_json))


@study_app.command("cancel")
@options.with_access
def study_cancel(
    access: Access,
    study: StudyId,
) -> None:
    """Cancel a study; points that ended keep their results, and it can be resumed."""
    from catenary_cli.exploration import studies

    run(studies.cancel(access, study))
