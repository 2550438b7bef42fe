"""The commands of those who write and use models, and their flags."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from catenary_cli import options
from catenary_cli.running import run

if TYPE_CHECKING:
    from catenary_cli.remote.api import Access

app = typer.Typer(rich_markup_mode=None)
"""Commands without a group."""
model_app = typer.Typer(help="Parametric models.", no_args_is_help=True, rich_markup_mode=None)
project_app = typer.Typer(help="Projects.", no_args_is_help=True, rich_markup_mode=None)

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Project = Annotated[str, typer.Option("--project", "-p", help="Id of the project.")]
ProjectArgument = Annotated[str, typer.Argument(metavar="PROJECT", help="Id of the project.")]
Model = Annotated[str, typer.Argument(metavar="MODEL", help="Name or id of the model.")]
GeometryUnit = Literal["um", "mm", "cm", "m", "in", "ft"]
Number = Annotated[
    int | None, typer.Option("--version", min=1, help="Number of the version.", show_default="the newest")
]


@project_app.command("list")
@options.with_access
def project_list(
    access: Access,
    as_json: AsJson = False,
) -> None:
    """List the projects that the client may see, with their ids."""
    from catenary_cli.remote import use

    run(use.list_projects(access, as_json=as_json))


@model_app.command("push")
@options.with_access
def model_push(
    access: Access,
    file: Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="A .py, .zip or .scad model.")],
    project: Project,
    name: Annotated[str | None, typer.Option(help="Name of the model.", show_default="the file's")] = None,
    deploy: Annotated[bool, typer.Option("--deploy", help="Deploy the version when its check is done.")] = False,
    as_json: AsJson = False,
) -> None:
    """Upload a model version to a project and wait for its check."""
    from catenary_cli.remote import models

    run(models.push(access, file, project, name, deploy=deploy, as_json=as_json))


@model_app.command("list")
@options.with_access
def model_list(
    access: Access,
    project: Project,
    as_json: AsJson = False,
) -> None:
    """List the models of a project."""
    from catenary_cli.remote import models

    run(models.list_models(access, project, as_json=as_json))


@model_app.command("show")
@options.with_access
def model_show(
    access: Access,
    model: Model,
    project: Project,
    as_json: AsJson = False,
) -> None:
    """Show a model and its versions, newest first."""
    from catenary_cli.remote import models

    run(models.show_model(access, project, model, as_json=as_json))


@model_app.command("log")
@options.with_access
def model_log(
    access: Access,
    model: Model,
    project: Project,
    number: Number = None,
) -> None:
    """Print the output of the check of a model version."""
    from catenary_cli.remote import models

    run(models.log(access, project, model, number))


@model_app.command("deploy")
@options.with_access
def model_deploy(
    access: Access,
    model: Model,
    project: Project,
    number: Annotated[
        int | None,
        typer.Option("--version", min=1, help="Number of the version.", show_default="the newest that is ready"),
    ] = None,
) -> None:
    """Deploy a model version; an older one again is a roll-back."""
    from catenary_cli.remote import models

    run(models.deploy(access, project, model, number))


@model_app.command("undeploy")
@options.with_access
def model_undeploy(access: Access, project: ProjectArgument) -> None:
    """End the deployment of a project, which then evaluates nothing."""
    from catenary_cli.remote import models

    run(models.undeploy(access, project))


@model_app.command("delete")
@options.with_access
def model_delete(
    access: Access,
    model: Model,
    project: Project,
    number: Annotated[
        int | None,
        typer.Option("--version", min=1, help="Number of the only version to delete.", show_default="all"),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Delete without a question.")] = False,
) -> None:
    """Delete a model with all its versions, or one version."""
    from catenary_cli import show
    from catenary_cli.remote import models

    target = run(models.deletable(access, project, model, number))
    if not yes and not show.confirmed(f"Delete {target.name}?"):
        raise typer.Abort
    run(models.delete(access, target))


@app.command()
@options.with_access
def parameters(
    access: Access,
    project: ProjectArgument,
    as_json: AsJson = False,
) -> None:
    """List the parameters of a project's deployed model, with their ranges."""
    from catenary_cli.remote import use

    run(use.list_parameters(access, project, as_json=as_json))


@app.command()
@options.with_access
def usage(
    access: Access,
    project: Annotated[
        str | None,
        typer.Argument(metavar="PROJECT", help="Id of a project.", show_default="all that the client pays for"),
    ] = None,
    month: Annotated[str | None, typer.Option(help="Month in UTC, such as 2030-01.", show_default="this month")] = None,
    as_json: AsJson = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV, one quota per line.")] = False,
) -> None:
    """Show what is used of the quotas of a month, and of storage now."""
    from catenary_cli.remote import usage as used

    form = options.form(as_json=as_json, as_csv=as_csv)
    run(used.show_usage(access, project, month, form))


@app.command()
@options.with_access
def evaluate(
    access: Access,
    project: ProjectArgument,
    values: Annotated[
        list[str] | None, typer.Argument(help="Parameter values as name=value, or name='3 ft', name='[1, 2, 3] ft'.")
    ] = None,
    out: Annotated[
        str | None,
        typer.Option(
            metavar="PATH",
            help="File for the geometry: .glb, .stl, .step (build123d models) or .3mf; several geometries take their"
            " names behind it. Or a folder, for all files that the model gives.",
            show_default=False,
        ),
    ] = None,
    unit: Annotated[
        GeometryUnit | None,
        typer.Option(help="Unit of an .stl file; by default that of the model's coordinates.", show_default=False),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Evaluate even when an equal evaluation is stored.")] = False,
    tables: Annotated[bool, typer.Option("--tables", help="Print all rows of the model's tables.")] = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print the model's tables as CSV, and nothing else.")] = False,
    as_json: AsJson = False,
) -> None:
    """Evaluate a project's deployed model and print what it gives."""
    from catenary_cli.remote import geometry_files, use

    try:
        destination = None if out is None else geometry_files.Destination.of(out, unit)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--out") from None
    form = options.form(as_json=as_json, as_csv=as_csv)
    run(use.evaluate(access, project, values or [], destination, force=force, form=form, all_rows=tables))
