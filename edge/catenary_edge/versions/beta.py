"""The beta version of the platform: all stable routes, and methods of its own.

See guide/conventions.md, "Surfaces".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from catenary.options.v1 import options_pb2
from catenary_edge import surfaces
from catenary_edge.surfaces.bare import Bare
from catenary_edge.surfaces.platform import Platform
from catenary_edge.transcoding import template
from catenary_edge.transcoding.routes import Route
from catenary_edge.transcoding.template import BindingError
from catenary_edge.versions import stages


def routes_of(current: Sequence[Route]) -> Iterator[Route]:
    """Yield the current routes and the beta routes.

    Raises:
        BindingError: A method of stage BETA is outside the beta version, or a beta path has a method of another stage.
    """
    for route in current:
        kind, version = surfaces.kind_of(route.template.text)
        options = stages.SURFACES[kind]
        is_beta = route.rpc.options.stage == options_pb2.STAGE_BETA
        if is_beta != (bool(options.beta) and version == options.beta):
            raise BindingError(
                f"{route.rpc.path}: {route.template.text}: a path of the beta version and the stage BETA go together"
            )
        yield route
        if options.beta and not is_beta and route.template.text.startswith(f"/{version}/"):
            text = f"/{options.beta}/" + route.template.text.removeprefix(f"/{version}/")
            surface: surfaces.Surface = Platform(options.beta)
            if isinstance(route.surface, Bare):
                surface = Bare(surface)
            yield replace(route, template=template.parse(text), surface=surface)
