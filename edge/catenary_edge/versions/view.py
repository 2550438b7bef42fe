"""An older route as a view of the current one: requests are converted up, responses and refusals down."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from google.protobuf.message import Message

from catenary_edge.errors.fault import Fault
from catenary_edge.errors.names import ShownNames
from catenary_edge.errors.problem import Problem
from catenary_edge.transcoding.decoder import ABSENT, Decoder, decode_percent, query_pairs
from catenary_edge.transcoding.routes import Route
from catenary_edge.transcoding.template import BindingError, Template
from catenary_edge.transcoding.writers import Writers, unknown
from catenary_edge.versions import page_limits, traversal
from catenary_edge.versions.change import MOST_IDS, CoreCalls, Draft, Extras, Show, Supplement, VersionChange


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """The conversions of an older route."""

    draft: Draft
    """The older route, as made by the changes."""
    version: str
    """The older version."""
    changes: tuple[VersionChange, ...]
    """The changes from the current version down to this one."""
    newest: Route
    """The current method's route, with the path whose variables are fields of the request."""
    shows: tuple[Show, ...]
    """Conversions of the response, in order."""
    supplements: tuple[tuple[Supplement, Show], ...]
    """Each with its gatherer of ids, which fills the extras under the supplement's name."""
    names: tuple[ShownNames, ...]
    """The names in refusals: those of the route, then those of each change from the current version down."""

    async def show(self, body: dict[str, Any], core: CoreCalls) -> dict[str, Any]:
        """Make the older form of a response.

        Raises:
            Problem: The core's refusal of a supplement.
        """
        if not self.shows:
            return body
        extras: dict[str, Mapping[str, Any]] = {}
        for supplement, gather in self.supplements:
            ids: dict[str, None] = {}
            gather(body, {supplement.name: ids})
            extras[supplement.name] = await _fetched(supplement, core, list(ids))
        for show in self.shows:
            body = show(body, extras)
        return body

    def refusal(self, problem: Problem) -> Problem:
        """Make the older form of a refusal by the core, or by the decoder of newer fields."""
        for names in self.names:
            problem = names.refusal(problem)
        for change in self.changes:
            change.refuse(self.draft, problem)
        return problem


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class OlderRoute(Route):
    """A route of an older version: the current method behind the older path, with the view of its messages."""

    view: View
    """The conversions."""

    @property
    def unpaginated(self) -> bool:
        """True if the older version gives the list without pages."""
        return self.view.draft.unpaginated

    @property
    def newest(self) -> Route:
        """The current route of the same method."""
        return self.view.newest


class OlderDecoder(Decoder):
    """The decoder of an older route: converts the request to the newer form, which the current rules then check."""

    def __init__(
        self, draft: Draft, changes: Sequence[VersionChange], older: Template, newest: Template, writers: Writers
    ) -> None:
        super().__init__(draft.rpc, newest, draft.body, writers, older=True)
        self.view: View
        """Set when the view is made."""
        self._variables = tuple(draft.variables.get(name, name) for name in older.variables)
        self._newest = newest.variables
        self._as_queries = draft.as_queries
        if missing := set(newest.variables) - set(self._variables):
            raise BindingError(f"{draft.rpc.path}: the older path {older.text} lacks {min(missing)}")
        names = {name: {name} for name in super().query_fields}
        for change in changes:
            told = change.queries(draft)
            names = {
                newest_name: {older_name for name in known for older_name in told.get(name, (name,))}
                for newest_name, known in names.items()
            }
        self._query_of = {older_name: name for name, known in names.items() for older_name in known}
        self._shown_queries = {older for older, name in self._query_of.items() if name in self.shown}
        self._singles = frozenset().union(*(change.singles for change in changes))
        self._most_rows = page_limits.MOST_ROWS if draft.unpaginated else page_limits.PAGE
        self._asks = draft.body_changes[::-1]
        self._raise = _request_converter(draft, changes)

    @property
    def query_fields(self) -> tuple[str, ...]:
        """The fields set by the query, by their newest names."""
        return tuple(name for name in super().query_fields if name in self._query_of.values())

    def queries_of(self, newest: str) -> list[str]:
        """Return the older names of a field's query; first, as refusals name it, the newest one if it is among them."""
        found = (older for older, name in self._query_of.items() if name == newest)
        return sorted(found, key=lambda older: (older != newest, older))

    def is_single(self, older: str) -> bool:
        """Tell whether the older version takes one value of a query with several values now."""
        return older in self._singles

    def decode(
        self, segments: Sequence[str], query: str, headers: Mapping[str, str], document: Any = ABSENT
    ) -> Message:
        """Build the request message, see Decoder."""
        try:
            pairs = self._pairs(query_pairs(query, self._shown_queries))
            values = dict(zip(self._variables, segments, strict=True))
            pairs += [(query, decode_percent(values[name])) for name, query in self._as_queries.items()]
            if document is not ABSENT:
                for ask in self._asks:
                    document = ask(values, document)
                if self._raise is not None:
                    document = self._raise(document)
        except Fault as fault:
            raise fault.problem() from None  # the fault already names the fields as sent
        try:
            return self.fill([values[name] for name in self._newest], pairs, headers, document)
        except Fault as fault:
            raise self.view.refusal(fault.problem()) from None

    def _pairs(self, pairs: list[tuple[str, str]]) -> list[tuple[str, str]]:
        found = []
        seen: set[str] = set()
        for name, text in pairs:
            if name not in self._query_of:
                raise unknown(self._query_of).inside(name)
            if name in self._singles:
                if name in seen or "," in text:
                    raise Fault("takes one value in this version", "single", text).inside(name)
                seen.add(name)
            newest = self._query_of[name]
            if newest == page_limits.FIELD:
                try:
                    text = page_limits.capped(text, self._most_rows)
                except Fault as fault:
                    raise fault.inside(name) from None
            found.append((newest, text))
        return found


def view_of(draft: Draft, version: str, changes: tuple[VersionChange, ...], newest: Route) -> View:
    """Build the view of a draft."""
    forms: dict[str, list[Callable[[dict[str, Any], Extras], Any]]] = {}
    for change in changes:
        for answer in change.answers:
            forms.setdefault(answer.message, []).append(answer.convert)
    down = traversal.answers(draft.rpc.output, forms)
    shows = draft.response_changes if down is None else (down, *draft.response_changes)
    supplements = []
    for supplement in (one for change in changes for one in change.supplements):
        gather = traversal.answers(draft.rpc.output, {supplement.message: [_gatherer(supplement)]})
        if gather is not None:
            supplements.append((supplement, gather))
    return View(
        draft=draft,
        version=version,
        changes=changes,
        newest=newest,
        shows=shows,
        supplements=tuple(supplements),
        names=(_names_of_route(draft, newest), *map(names_of, changes)),
    )


def _request_converter(draft: Draft, changes: Sequence[VersionChange]) -> traversal.Raise | None:
    forms: dict[str, list[Callable[[dict[str, Any]], Any]]] = {}
    for change in reversed(changes):
        for request in change.requests:
            forms.setdefault(request.message, []).append(request.convert)
    message = draft.rpc.input
    if not draft.body or not forms:
        return None
    if draft.body != "*":
        return traversal.request_field(message.fields_by_name[draft.body], forms)
    whole = traversal.requests(message, forms)
    item_field = draft.rpc.options.item_field
    kind = message.fields_by_name[item_field].message_type if item_field else None
    if whole is None or kind is None:
        return whole
    alone = traversal.requests(kind, forms)

    def convert(document: Any) -> Any:
        is_one = type(document) is dict and item_field not in document and alone is not None
        return alone(document) if is_one and alone is not None else whole(document)

    return convert


def _gatherer(supplement: Supplement) -> Callable[[dict[str, Any], Extras], Any]:
    def gather(value: dict[str, Any], extras: Extras) -> Any:
        ids: Any = extras[supplement.name]
        ids[value[supplement.id_field]] = None
        return value

    return gather


async def _fetched(supplement: Supplement, core: CoreCalls, ids: list[str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for start in range(0, len(ids), MOST_IDS):
        found.update(await supplement.fetch(core, ids[start : start + MOST_IDS]))
    return found


def names_of(change: VersionChange) -> ShownNames:
    """Return the names that a change has for what refusals name."""
    return ShownNames(fields=change.fields, resources=change.terms, templates=change.sentences)


def _names_of_route(draft: Draft, newest: Route) -> ShownNames:
    """Return the names of what one route alone calls otherwise: its body, its queries and its fields."""
    decoder = newest.decoder
    assert isinstance(decoder, OlderDecoder)
    queries = {name: tuple(decoder.queries_of(name)) for name in decoder.query_fields}
    renamed = {name: older for name, older in queries.items() if older != (name,)}
    return ShownNames(draft.item, {**renamed, **draft.fields})
