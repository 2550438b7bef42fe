"""The commands of those who write and use models, and their flags."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from catenary_cli import options
from catenary_cli.running import run

app = typer.Typer(rich_markup_mode=None)
"""Commands without a group."""
model_app = typer.Typer(help="Parametric models.", no_args_is_help=True, rich_markup_mode=None)
project_app = typer.Typer(help="Projects.", no_args_is_help=True, rich_markup_mode=None)

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Project = Annotated[str, typer.Option("--project", "-p", help="Id of the project.")]
ProjectArgument = Annotated[str, typer.Argument(metavar="PROJECT", help="Id of the project.")]
Model = Annotated[str, typer.Argument(metavar="MODEL", help="Name or id of the model.")]
Number = Annotated[
    int | None, typer.Option("--version", min=1, help="Number of the version.", show_default="the newest")
]


@project_app.command("list")
def project_list(
    as_json: AsJson = False,
    url: options.Url = None,
    client_id: options.ClientId = None,
    client_secret: options.ClientSecret = None,
    data_dir: options.DataDir = None,
) -> None:
    """List the projects that the client may see, with their ids."""
    from catenary_cli.remote import use

    run(use.list_projects(options.access(url, client_id, client_secret, data_dir), as_json=as_json))


@model_app.command("push")
def model_push(
    file: Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="A .py, .zip or .scad model.")],
    project: Project,
    name: Annotated[str | None, typer.Option(help="Name of the model.", show_default="the file's")] = None,
    deploy: Annotated[bool, typer.Option("--deploy", help="Deploy the version when its check is done.")] = False,
    as_json: AsJson = False,
    url: options.Url = None,
    client_id: options.ClientId = None,
    client_secret: options.ClientSecret = None,
    data_dir: options.DataDir = None,
) -> None:
    """Upload a model version to a project and wait for its check."""
    from catenary_cli.remote import models

    access = options.access(url, client_id, client_secret, data_dir)
    run(models.push(access, file, project, name, deploy=deploy, as_json=as_json))


@model_app.command("list")
def model_list(
    project: Project,
    as_json: AsJson = False,
    url: options.Url = None,
    client_id: options.ClientId = None,
    client_secret: options.ClientSecret = None,
    data_dir: options.DataDir = None,
) -> None:
    """List the models of a project."""
    from catenary_cli.remote import models

    run(models.list_models(options.access(url, client_id, client_secret, data_dir), project, as_json=as_json))


@model_app.command("show")
def model_show(
    model: Model,
    project: Project,
    as_json: AsJson = False,
    url: options.Url = None,
    client_id: options.ClientId = None,
    client_secret: options.ClientSecret = None,
    data_dir: options.DataDir = None,
) -> None:
    """Show a model and its versions, newest first."""
    from catenary_cli.remote import models

    run(models.show_model(options.access(url, client_id, client_secret, data_dir), project, model, as_json=as_json))


@model_app.command("log")
def model_log(
    model: Model,
    project: Project,
    number: Number = None,
    url: options.Url = None,
    client_id: options.ClientId = None,
    client_secret: options.ClientSecret = None,
    data_dir: options.DataDir = None,
) -> None:
    """Print the output of the check of a model version."""
    from catenary_cli.remote import models

    run(models.log(options.access(url, client_id, client_secret, data_dir), project, model, number))


@model_app.command("deploy")
def model_deploy(
    model: Model,
    project: Project,
    number: Annotated[
        int | None,
        typer.Option("--version", min=1, help="Number of the version.", show_default="the newest that is ready"),
    ] = None,
    url: options.Url = None,
    client_id: options.ClientId = None,
    client_secret: options.ClientSecret = None,
    data_dir: options.DataDir = None,
) -> None:
    """Deploy a model version; an older one again is a roll-back."""
    from catenary_cli.remote import models

    run(models.deploy(options.access(url, client_id, client_secret, data_dir), project, model, number))


@model_app.command("delete")
def model_delete(
    model: Model,
    project: Project,
    number: Annotated[
        int | None,
        typer.Option("--version", min=1, help="Number of the only version to delete.", show_default="all"),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Delete without a question.")] = False,
    url: options.Url = None,
    client_id: options.ClientId = None,
    client_secret: options.ClientSecret = None,
    data_dir: options.DataDir = None,
) -> None:
    """Delete a model with all its versions, or one version."""
    from catenary_cli import show
    from catenary_cli.remote import models

    access = options.access(url, client_id, client_secret, data_dir)
    target = run(models.deletable(access, project, model, number))
    if not yes and not show.confirmed(f"Delete {target.name}?"):
        raise typer.Abort
    run(models.delete(access, target))


@app.command()
def parameters(
    project: ProjectArgument,
    as_json: AsJson = False,
    url: options.Url = None,
    client_id: options.ClientId = None,
    client_secret: options.ClientSecret = None,
    data_dir: options.DataDir = None,
) -> None:
    """List the parameters of a project's deployed model, with their ranges."""
    from catenary_cli.remote import use

    run(use.list_parameters(options.access(url, client_id, client_secret, data_dir), project, as_json=as_json))


@app.command()
def evaluate(
    project: ProjectArgument,
    values: Annotated[list[str] | None, typer.Argument(help="Parameter values as name=value, or name='3 ft'.")] = None,
    out: Annotated[
        str | None,
        typer.Option(
            metavar="PATH",
            help="File for the geometry: .glb, .stl, .step (build123d models) or .3mf; several geometries take their"
            " names behind it. Or a folder, for all files that the model gives.",
            show_default=False,
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Evaluate even when an equal evaluation is stored.")] = False,
    as_json: AsJson = False,
    url: options.Url = None,
    client_id: options.ClientId = None,
    client_secret: options.ClientSecret = None,
    data_dir: options.DataDir = None,
) -> None:
    """Evaluate a project's deployed model and print its metrics."""
    from catenary_cli.remote import geometry_files, use

    try:
        destination = None if out is None else geometry_files.Destination.of(out)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--out") from None
    access = options.access(url, client_id, client_secret, data_dir)
    run(use.evaluate(access, project, values or [], destination, force=force, as_json=as_json))
