"""The commands of variants, and their flags."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from catenary_cli import options
from catenary_cli.author_commands import AsJson, ProjectArgument
from catenary_cli.running import run

if TYPE_CHECKING:
    from catenary_cli.remote.api import Access

VariantId = Annotated[str, typer.Argument(metavar="VARIANT", help="Id of the variant.")]
variant_app = typer.Typer(
    help="Variants: designs of a project that are saved under a name.", no_args_is_help=True, rich_markup_mode=None
)


@variant_app.command("save")
@options.with_access
def variant_save(
    access: Access,
    project: ProjectArgument,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the variant.")],
    values: Annotated[
        list[str] | None, typer.Argument(help="Parameter values as name=value, as of `catenary evaluate`.")
    ] = None,
    evaluation: Annotated[
        str | None,
        typer.Option(help="Id of an evaluation, or of a point, to save in place of values.", show_default=False),
    ] = None,
    note: Annotated[str | None, typer.Option(help="Note.", show_default=False)] = None,
    as_json: AsJson = False,
) -> None:
    """Save a design: values, which are evaluated, or an evaluation."""
    from catenary_cli.remote import variants

    if bool(values) == (evaluation is not None):
        raise typer.BadParameter("Give either values, as name=value, or --evaluation.")
    run(variants.save(access, project, name, note or "", values or [], evaluation, as_json=as_json))


@variant_app.command("list")
@options.with_access
def variant_list(
    access: Access,
    project: ProjectArgument,
    search: Annotated[str | None, typer.Option(help="Part of the name.", show_default=False)] = None,
    as_json: AsJson = False,
) -> None:
    """List the variants of a project, newest first."""
    from catenary_cli.remote import variants

    run(variants.list_variants(access, project, search or "", as_json=as_json))


@variant_app.command("show")
@options.with_access
def variant_show(
    access: Access,
    variant: VariantId,
    picture: Annotated[
        Path | None,
        typer.Option(metavar="PATH", dir_okay=False, help="File for the picture, a PNG.", show_default=False),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show a variant with the results of its evaluation."""
    from catenary_cli.remote import variants

    run(variants.show_variant(access, variant, picture, as_json=as_json))


@variant_app.command("compare")
@options.with_access
def variant_compare(
    access: Access,
    project: ProjectArgument,
    variants: Annotated[list[str], typer.Argument(metavar="VARIANT...", help="Ids of 2 to 4 variants.")],
    everything: Annotated[bool, typer.Option("--all", help="Print what is equal in all of them, too.")] = False,
    as_json: AsJson = False,
) -> None:
    """Compare variants with the first of them."""
    from catenary_cli.remote import variants as saved

    run(saved.compare(access, project, variants, everything=everything, as_json=as_json))


@variant_app.command("delete")
@options.with_access
def variant_delete(
    access: Access,
    variant: VariantId,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Delete without a question.")] = False,
) -> None:
    """Delete a variant; its evaluation stays."""
    from catenary_cli import show
    from catenary_cli.remote import variants

    name = run(variants.name_of(access, variant))
    if not yes and not show.confirmed(f"Delete {name}?"):
        raise typer.Abort
    run(variants.delete(access, variant, name))
