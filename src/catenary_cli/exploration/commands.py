"""The commands that explore a model, and their flags."""

from __future__ import annotations

import uuid
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from typer.core import TyperGroup

from catenary_cli import options
from catenary_cli.author_commands import AsJson, ProjectArgument
from catenary_cli.running import run

if TYPE_CHECKING:
    from catenary_cli.exploration.ranges import VariedRange
    from catenary_cli.remote.api import Access

PlanKind = Literal["grid", "latin_hypercube", "sobol", "halton"]
AsCsv = Annotated[bool, typer.Option("--csv", help="Print CSV, one point per line.")]
Rows = Annotated[int, typer.Option(min=0, help="Rows of the table.")]
MOST_ROWS = 20
"""Rows of a table for a person, unless another number is asked for."""
Name = Annotated[str | None, typer.Option(help="Name, for people.", show_default="the file's")]
Note = Annotated[str | None, typer.Option(help="Note.")]
BatchId = Annotated[str, typer.Argument(metavar="BATCH", help="Id of the batch.")]
Vary = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME=RANGE",
        help="Parameter to vary: span=4..12, span=4..12:5 (five values), span='4..12 ft', grade=S235,S355, or its name"
        " alone for all that it may be; repeatable.",
    ),
]


class _Batches(TyperGroup):
    """A group that takes the id of a project, or an option, as the beginning of `run`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the arguments of the group."""
        if args and args[0] not in self.commands and (_is_id(args[0]) or args[0][:1] == "-" != args[0]):
            args = args if args[0] == "--help" else ["run", *args]
        return super().parse_args(ctx, args)


def _is_id(text: str) -> bool:
    try:
        uuid.UUID(text)
    except ValueError:
        return False
    return True


app = typer.Typer(rich_markup_mode=None)
"""Commands without a group."""
batch_app = typer.Typer(
    cls=_Batches,
    help="Many evaluations at once. `catenary batch PROJECT …` is `catenary batch run PROJECT …`.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@batch_app.command("run")
@options.with_access
def batch_run(
    access: Access,
    project: ProjectArgument,
    file: Annotated[
        Path | None,
        typer.Argument(
            metavar="FILE",
            exists=True,
            dir_okay=False,
            help="CSV file, one point per line, with a column for each parameter: span, in:span or 'in:span [ft]'; or a"
            " .json file, a list of values by name.",
            show_default=False,
        ),
    ] = None,
    plan: Annotated[PlanKind | None, typer.Option(help="Choose the points by a plan instead of a file.")] = None,
    vary: Vary = None,
    size: Annotated[int | None, typer.Option(min=1, max=10_000, help="Points of a plan that is no grid.")] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Seed of a plan.", show_default="a random one")] = None,
    name: Name = None,
    note: Note = None,
    rows: Rows = MOST_ROWS,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """Evaluate many points and print their results.

    Ctrl-C ends the command, and asks whether to cancel the batch too. The exit code is 1 if a point has no result.
    """
    from catenary_cli.exploration import batches, points

    output = points.Output(options.form(as_json=as_json, as_csv=as_csv), rows)
    source: Path | dict[str, Any]
    if file is None:
        source = _plan(plan, vary, size, seed)
    elif plan or vary or size or seed is not None:
        raise typer.BadParameter("a file gives the points itself; leave out --plan, --vary, --size and --seed")
    else:
        source = file
    run(
        batches.run(
            access, project, source, output, {"name": name or (file.name[:200] if file else ""), "note": note or ""}
        )
    )


def _plan(kind: PlanKind | None, vary: list[str] | None, size: int | None, seed: int | None) -> dict[str, Any]:
    """Return the request of a plan.

    Raises:
        typer.BadParameter: An option is missing or wrong; ends the program with the reason.
    """
    if kind is None:
        raise typer.BadParameter("give a file of points, or a plan such as --plan sobol --size 64 --vary span=4..12")
    if not vary:
        raise typer.BadParameter("name what varies, such as --vary span=4..12", param_hint="--vary")
    if kind == "grid" and (size is not None or seed is not None):
        raise typer.BadParameter("a grid has every combination, so it takes no --size and no --seed")
    if kind != "grid" and size is None:
        raise typer.BadParameter("say how many points, such as --size 64", param_hint="--size")
    given = {"size": size, "seed": seed}
    ranges = {one.name: one.planned() for one in _varied(vary)}
    return {"kind": kind, "parameters": ranges} | {key: value for key, value in given.items() if value is not None}


def _varied(texts: list[str]) -> list[VariedRange]:
    """Return the ranges of `--vary`.

    Raises:
        typer.BadParameter: One is wrong, or a parameter is given twice; ends the program with the reason.
    """
    from catenary_cli.exploration.ranges import VariedRange

    try:
        found = [VariedRange.parse(text) for text in texts]
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--vary") from None
    names = [one.name for one in found]
    if twice := {name for name in names if names.count(name) > 1}:
        raise typer.BadParameter(f"{min(twice)} is given twice; give it once", param_hint="--vary")
    return found


@batch_app.command("watch")
@options.with_access
def batch_watch(
    access: Access,
    batch: BatchId,
    rows: Rows = MOST_ROWS,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """Follow a batch to its end and print the results."""
    from catenary_cli.exploration import batches, points

    output = points.Output(options.form(as_json=as_json, as_csv=as_csv), rows)
    run(batches.watch(access, batch, output))


@batch_app.command("list")
@options.with_access
def batch_list(
    access: Access,
    project: ProjectArgument,
    as_json: AsJson = False,
) -> None:
    """List the batches of a project, newest first."""
    from catenary_cli.exploration import batches

    run(batches.list_batches(access, project, as_json=as_json))


@batch_app.command("show")
@options.with_access
def batch_show(
    access: Access,
    batch: BatchId,
    rows: Rows = MOST_ROWS,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """Show the results that a batch has now."""
    from catenary_cli.exploration import batches, points

    output = points.Output(options.form(as_json=as_json, as_csv=as_csv), rows)
    run(batches.show_batch(access, batch, output))


@batch_app.command("cancel")
@options.with_access
def batch_cancel(
    access: Access,
    batch: BatchId,
) -> None:
    """Cancel a batch; points that ended keep their results."""
    from catenary_cli.exploration import batches

    run(batches.cancel(access, batch))


@app.command()
@options.with_access
def explore(
    access: Access,
    project: ProjectArgument,
    values: Annotated[
        list[str] | None, typer.Argument(help="Values to begin with, as name=value or name='3 ft'.")
    ] = None,
) -> None:
    """Change parameters by keys and see the metrics move.

    At the end it prints the command that evaluates the last design. Without a terminal it reads a design per line, as
    {"parameters": {"span": 30}}, and prints an answer per line.
    """
    from catenary_cli.exploration import explore as live

    run(live.explore(access, project, values or []))
