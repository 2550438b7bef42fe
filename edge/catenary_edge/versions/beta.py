"""The beta version of the platform: all stable routes, and methods of its own.

REST paths in its responses are in the beta version too. See guide/conventions.md, "Surfaces".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import orjson
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message

from catenary.options.v1 import options_pb2
from catenary_edge import surfaces
from catenary_edge.surfaces.bare import Bare
from catenary_edge.surfaces.platform import Platform
from catenary_edge.transcoding import template
from catenary_edge.transcoding.fields import JSON, field_options
from catenary_edge.transcoding.routes import Route
from catenary_edge.transcoding.schema import Schema
from catenary_edge.transcoding.template import BindingError
from catenary_edge.versions import stages, traversal
from catenary_edge.versions.change import Extras, ResponseChange, Show

_QUOTED = f'"{stages.STABLE}'.encode()


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class BetaRoute(Route):
    """A beta route whose responses hold REST paths."""

    show: Show
    """Makes a response of the core the beta's."""
    changes: tuple[ResponseChange, ...]
    paths: tuple[str, ...]
    """Names of the request's fields that hold REST paths."""

    def name_stable(self, request: Message) -> None:
        """Write the request's REST paths of the beta version as the core has them."""
        beta = stages.SURFACES[self.rpc.surface].beta
        for name in self.paths:
            if path := getattr(request, name):
                setattr(request, name, stages.in_stable(path, beta))


def routes_of(current: Sequence[Route]) -> Iterator[Route]:
    """Yield the current routes and the beta routes.

    Raises:
        BindingError: A method of stage BETA is outside the beta version, or a beta path has a method of another stage.
    """
    changes: dict[int, tuple[ResponseChange, ...]] = {}
    for route in current:
        kind, version = surfaces.kind_of(route.template.text)
        options = stages.SURFACES[kind]
        is_beta = route.rpc.options.stage == options_pb2.STAGE_BETA
        if is_beta != (bool(options.beta) and version == options.beta):
            raise BindingError(
                f"{route.rpc.path}: {route.template.text}: a path of the beta version and the stage BETA go together"
            )
        if options.beta and kind not in changes:
            changes[kind] = _changes([one.rpc.output for one in current if one.rpc.surface == kind], options.beta)
        if is_beta:
            yield _showing(route, changes[kind])
            continue
        yield route
        if options.beta and route.template.text.startswith(f"/{version}/"):
            text = f"/{options.beta}/" + route.template.text.removeprefix(f"/{version}/")
            surface: surfaces.Surface = Platform(options.beta)
            if isinstance(route.surface, Bare):
                surface = Bare(surface)
            yield _showing(replace(route, template=template.parse(text), surface=surface), changes[kind])


def _showing(route: Route, changes: tuple[ResponseChange, ...]) -> Route:
    show = traversal.answers(route.rpc.output, _forms(changes))
    paths = tuple(field.name for field in route.rpc.input.fields if field_options(field).rest_path)
    if show is None and not paths:
        return route
    _check(route.rpc.input)
    parts = {field.name: getattr(route, field.name) for field in fields(Route)}
    return BetaRoute(**parts, show=show or _as_it_is, changes=changes, paths=paths)


def _as_it_is(value: Any, extras: Extras) -> Any:
    return value


def _forms(changes: Iterable[ResponseChange]) -> dict[str, list[Callable[[dict[str, Any], Extras], Any]]]:
    return {change.message: [change.convert] for change in changes}


def _changes(outputs: Sequence[Descriptor], beta: str) -> tuple[ResponseChange, ...]:
    """Return what the beta changes of the messages that these responses hold. Raises BindingError."""
    resources: dict[str, Show] = {}
    found = []
    for message in _held(outputs):
        paths = tuple(field.name for field in message.fields if field_options(field).rest_path)
        objects = tuple(field.name for field in message.fields if field_options(field).holds_resource)
        if paths or objects:
            _check(message)
            found.append(_change(message, paths, objects, beta, resources))
    for output in outputs:
        field = output.fields[0] if len(output.fields) == 1 else None
        if field is not None and field.message_type is not None and not field.is_repeated:
            show = traversal.answers(field.message_type, _forms(found))
            if show is not None:
                resources[field.name] = show
    return tuple(found)


def _held(outputs: Sequence[Descriptor]) -> list[Descriptor]:
    """Return the messages, and those that stand in them."""
    found = {message.full_name: message for message in outputs}
    waiting = list(found.values())
    while waiting:
        for field in waiting.pop().fields:
            kind = field.message_type
            if kind is not None and kind.full_name not in found:
                found[kind.full_name] = kind
                waiting.append(kind)
    return list(found.values())


def _check(message: Descriptor) -> None:
    for field in message.fields:
        options = field_options(field)
        is_text = field.type == FieldDescriptor.TYPE_STRING and not field.is_repeated
        if options.rest_path and not is_text:
            raise BindingError(f"the field {field.full_name} has the option rest_path, but is no text")
        is_json = field.message_type is not None and field.message_type.full_name == JSON and not field.is_repeated
        if options.holds_resource and not is_json:
            raise BindingError(f"the field {field.full_name} has the option holds_resource, but is no JSON")


def _change(
    message: Descriptor, paths: Sequence[str], objects: Sequence[str], beta: str, resources: Mapping[str, Show]
) -> ResponseChange:
    def convert(value: dict[str, Any], extras: Extras) -> dict[str, Any]:
        found = dict(value)
        for name in paths:
            if found.get(name) is not None:
                found[name] = stages.moved(found[name], beta)
        for name in objects:
            found[name] = _resource(found[name], resources, extras)
        return found

    def describe(schema: Schema) -> None:
        for name in paths:
            told = schema["properties"][name]
            if "examples" in told:
                schema["properties"][name] = told | {"examples": [stages.moved(one, beta) for one in told["examples"]]}

    return ResponseChange(message.full_name, convert, describe)


def _resource(value: Any, resources: Mapping[str, Show], extras: Extras) -> Any:
    """Return a JSON object of one resource under its singular name, with the resource as the beta has it."""
    text = orjson.dumps(value)
    if _QUOTED not in text:
        return value
    document = orjson.loads(text)
    return {name: resources[name](item, extras) if name in resources else item for name, item in document.items()}
