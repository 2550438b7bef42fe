"""Request decoding: path, query, headers and body to a protobuf message, compiled once per binding.

Every field of the request has exactly one source: a variable of the path, a header (option `header`), the body, or the
query. A key of another source is unknown. `update_mask` consists of the keys of the body.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Final
from urllib.parse import unquote_to_bytes

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from catenary.options.v1 import options_pb2
from catenary_edge.errors.fault import Fault
from catenary_edge.transcoding.fields import FIELD_MASK, TIMESTAMP, field_options, is_confidential, is_id, is_map
from catenary_edge.transcoding.schema import is_required
from catenary_edge.transcoding.services import Rpc
from catenary_edge.transcoding.template import BindingError, Template
from catenary_edge.transcoding.values import Read, read_text, write_timestamp
from catenary_edge.transcoding.writers import Writers, assign_all, each, hiding, unknown
from catenary_wire.json_form import check_type

_BAD_ESCAPE = re.compile(r"%(?![0-9A-Fa-f]{2})")
UPDATE_MASK = "update_mask"

ABSENT: Final = object()
"""No body was sent; a body of `null` is a body."""

Take = Callable[[Message, Sequence[str]], None]
"""Writes the texts of one query parameter, in order, into the message. Raises Fault."""


def decode_percent(text: str, *, plus: bool = False) -> str:
    """Undo percent-encoding (RFC 3986, section 2.1) as UTF-8; with `plus`, `+` is a blank.

    Raises:
        Fault: The text has a broken escape or is not UTF-8.
    """
    if plus:
        text = text.replace("+", " ")
    if "%" not in text and text.isascii():
        return text
    if _BAD_ESCAPE.search(text):
        raise Fault("has a % that two hexadecimal digits don't follow", "encoding", text)
    try:
        return unquote_to_bytes(text.encode(errors="surrogateescape")).decode()
    except UnicodeDecodeError:
        raise Fault("is not valid UTF-8 after percent-decoding", "utf8", text) from None


class Decoder:
    """Makes the request message of one binding.

    Raises BindingError for an invalid binding: an unknown variable, a variable on a field that isn't a single scalar,
    an unknown body field, a query field without a text form, or a oneof with two members that can be given, not both in
    the body. Raises JsonFormError for a request type refused by `check_type`. `older` is for routes of older versions,
    which also take the fields with the option `older_only`.
    """

    def __init__(self, rpc: Rpc, template: Template, body: str, writers: Writers, *, older: bool = False) -> None:
        descriptor = rpc.input
        check_type(descriptor)
        fields = {field.name: field for field in descriptor.fields}
        self._new = rpc.request
        self._path = [(name, _variable(rpc, fields, name)) for name in template.variables]
        taken = set(template.variables)
        self.headers = {
            field.name: field_options(field).header for field in descriptor.fields if field_options(field).header
        }
        if both := taken & self.headers.keys():
            raise BindingError(f"{rpc.path}: the field {min(both)} comes from the path and from a header")
        for name in self.headers:
            if fields[name].type != FieldDescriptor.TYPE_STRING or fields[name].is_repeated:
                raise BindingError(f"{rpc.path}: the header field {name} is no single string")
        taken |= self.headers.keys()
        taken |= {field.name for field in descriptor.fields if field_options(field).grpc_only}
        if not older:
            taken |= {field.name for field in descriptor.fields if field_options(field).older_only}
        self._mask = _takes_mask(rpc, fields, body)
        self._item_field = _takes_items(rpc, fields, body)

        self.body = body
        self.upload = bool(rpc.options.upload_types)
        self._write_body: Callable[[Message, Any], None] | None = None
        rest = [field for field in descriptor.fields if field.name not in taken]
        self._lists = [field.name for field in rest if field.is_repeated]
        if body == "*":
            self._assigners = writers.assigners(rest)
            self._write_body = self._write_fields
            self.body_fields = frozenset(self._assigners)
            rest = []
        elif body:
            if body not in fields or body in taken:
                raise BindingError(f"{rpc.path}: the body field {body!r} doesn't exist or has another source")
            if self.upload:
                if fields[body].type != FieldDescriptor.TYPE_BYTES:
                    raise BindingError(f"{rpc.path}: the body field {body!r} of an upload is not of type bytes")
            else:
                assign = writers.assigners([fields[body]])[body]
                self._write_body = _whole(body, assign)
            self.body_fields = frozenset({body})
            rest = [field for field in rest if field.name != body]
        else:
            self.body_fields = frozenset()
        if self.upload and (not body or body == "*"):
            raise BindingError(f"{rpc.path}: an upload needs a body field of type bytes")
        # A token request always has a grant_type, whose absence the core refuses in the words of RFC 6749.
        is_token_request = rpc.options.body_style == options_pb2.BODY_STYLE_OAUTH
        is_any_required = is_token_request or any(is_required(fields[name]) for name in self.body_fields)
        self.needs_body = self._write_body is not None and (body != "*" or is_any_required)
        """True if the binding requires a JSON body: a field of the body is required, or the whole body is one field."""
        self._query = {field.name: _taker(rpc, field) for field in rest}
        self.shown = frozenset(field.name for field in rest if not is_confidential(field))
        """Query fields whose values refusals show."""
        form = [fields[name] for name in sorted(self.body_fields)] if body == "*" and rpc.options.body_style else []
        self._form = {field.name: _taker(rpc, field) for field in form}
        self._check_oneofs(rpc, taken={*template.variables, *self.headers, *self._query})

    def _check_oneofs(self, rpc: Rpc, taken: Collection[str]) -> None:
        """Refuse a oneof with two members of which one comes from outside the body: only the body's writer sees both."""
        for oneof in rpc.input.oneofs:
            given = [field.name for field in oneof.fields if field.name in taken or field.name in self.body_fields]
            if len(given) > 1 and not self.body_fields.issuperset(given):
                raise BindingError(
                    f"{rpc.path}: the oneof {oneof.name} has {', '.join(given)}, which don't all come from the body"
                )

    @property
    def query_fields(self) -> tuple[str, ...]:
        """The fields set by the query."""
        return tuple(self._query)

    @property
    def takes_json(self) -> bool:
        """True if the binding has a JSON body."""
        return self._write_body is not None

    def decode(
        self, segments: Sequence[str], query: str, headers: Mapping[str, str], document: Any = ABSENT
    ) -> Message:
        """Build the request message.

        Args:
            segments: Values of the path's variables, still percent-encoded.
            query: The text after `?`.
            headers: Values of `self.headers`, by field name.
            document: The parsed JSON body; ABSENT when none was sent.

        Raises:
            Problem: 400 with the place of the fault.
        """
        try:
            return self.fill(segments, query_pairs(query, self.shown), headers, document)
        except Fault as fault:
            raise fault.problem() from None

    def fill(
        self, segments: Sequence[str], pairs: Sequence[tuple[str, str]], headers: Mapping[str, str], document: Any
    ) -> Message:
        """Build the request message like `decode`, from decoded query parameters.

        Raises:
            Fault: A value is invalid.
        """
        message = self._new()
        if document is not ABSENT:
            self._document(message, document)
        self._texts(message, segments, pairs, headers)
        return message

    def decode_form(self, segments: Sequence[str], query: str, headers: Mapping[str, str], form: str) -> Message:
        """Build the request message like `decode`, from a form body (application/x-www-form-urlencoded).

        As in RFC 6749, section 3.2: unknown and empty parameters are ignored, none may be repeated.
        """
        message = self._new()
        try:
            pairs = [(name, text) for name, text in query_pairs(form) if text and name in self._form]
            _take_all(message, pairs, self._form)
            self._texts(message, segments, query_pairs(query, self.shown), headers)
        except Fault as fault:
            raise fault.problem() from None
        return message

    def single_item(self, document: Any) -> str:
        """Return the name of the list field around this single-object body, or ""."""
        is_item = self._item_field and type(document) is dict and self._item_field not in document
        return self._item_field if is_item else ""

    def _document(self, message: Message, document: Any) -> None:
        if self._write_body is None:
            raise Fault("is not taken by this method; send none", "unknown", document)
        self._write_body(message, document)

    def _texts(
        self,
        message: Message,
        segments: Sequence[str],
        pairs: Sequence[tuple[str, str]],
        headers: Mapping[str, str],
    ) -> None:
        for (name, read), segment in zip(self._path, segments, strict=True):
            try:
                setattr(message, name, read(segment))
            except Fault as fault:
                raise fault.inside(name) from None
        if pairs:
            _take_all(message, pairs, self._query)
        for name, text in headers.items():
            try:
                text.encode()
                setattr(message, name, _header_text(text))
            except UnicodeEncodeError:
                raise Fault("is not valid UTF-8", "utf8", text).inside(self.headers[name]) from None
            except Fault as fault:
                raise fault.inside(self.headers[name]) from None

    def _write_fields(self, message: Message, document: Any) -> None:
        if type(document) is not dict:
            raise Fault("must be a JSON object", "type", document)
        if item_field := self.single_item(document):
            document = {item_field: [document]}
        assign_all(self._assigners, message, document)
        if self._mask:
            for name in self._lists:  # the core can't tell null from an empty list, which clears the field
                if document.get(name, ABSENT) is None:
                    raise Fault("can't be null; leave it out to keep it", "not_null", None).inside(name)
            message.update_mask.paths.extend(document)  # type: ignore[attr-defined]  # `Message` declares no fields


def _header_text(text: str) -> str:
    if any(ord(character) < 32 and character != "\t" for character in text):
        raise Fault("has a control character", "characters", text)
    return text


def _whole(name: str, assign: Callable[[Message, Any], None]) -> Callable[[Message, Any], None]:
    """Make the writer of a body of one field, where null is invalid.

    A fault in it has the field's name before its place, as the core's faults have: `comments[1].content`.
    """

    def write(message: Message, document: Any) -> None:
        if document is None:
            raise Fault("must not be null", "type", None)
        try:
            assign(message, document)
        except Fault as fault:
            raise fault.inside(name) if fault.path else fault from None

    return write


def _variable(rpc: Rpc, fields: Mapping[str, FieldDescriptor], name: str) -> Read:
    field = fields.get(name)
    if field is None:
        raise BindingError(f"{rpc.path}: the path variable {name!r} is no field of {rpc.input.full_name}")
    if field.is_repeated or field.message_type is not None:
        raise BindingError(f"{rpc.path}: the path variable {name!r} is not a single scalar")
    read = read_text(field)
    return hiding(field, lambda text: read(decode_percent(text)))


def _takes_mask(rpc: Rpc, fields: Mapping[str, FieldDescriptor], body: str) -> bool:
    field = fields.get(UPDATE_MASK)
    if field is None:
        return False
    if field.message_type is None or field.message_type.full_name != FIELD_MASK or not field_options(field).grpc_only:
        raise BindingError(f"{rpc.path}: update_mask must be a FieldMask with the option grpc_only")
    if body != "*":
        raise BindingError(f"{rpc.path}: update_mask needs the body '*'")
    return True


def _takes_items(rpc: Rpc, fields: Mapping[str, FieldDescriptor], body: str) -> str:
    """Return the name of the list field around a single-object body (option `item_field`), or ""."""
    name = rpc.options.item_field
    if name:
        field = fields.get(name)
        if body != "*" or field is None or not field.is_repeated or field.message_type is None:
            raise BindingError(f"{rpc.path}: item_field needs the body '*' and a list of messages of that name")
    return name


def _taker(rpc: Rpc, field: FieldDescriptor) -> Take:
    """Make the writer of one query or form parameter."""
    return hiding(field, _shown_taker(rpc, field))


def _shown_taker(rpc: Rpc, field: FieldDescriptor) -> Take:
    name = field.name
    if field.message_type is not None and field.message_type.full_name == TIMESTAMP and not field.is_repeated:

        def moment(message: Message, texts: Sequence[str]) -> None:
            write_timestamp(getattr(message, name), _single(texts))

        return moment
    if field.message_type is not None or is_map(field):
        raise BindingError(f"{rpc.path}: the field {name} has no text form, so the query can't hold it")
    read = read_text(field)
    if field.is_repeated:
        splits = is_id(field) or field.type == FieldDescriptor.TYPE_ENUM

        def many(message: Message, texts: Sequence[str]) -> None:
            values = [part for text in texts for part in text.split(",")] if splits else texts
            getattr(message, name).extend([read(text) for text in values])

        return many

    def one(message: Message, texts: Sequence[str]) -> None:
        setattr(message, name, read(_single(texts)))

    return one


def _single(texts: Sequence[str]) -> str:
    if len(texts) > 1:
        raise Fault("is given twice but takes one value", "duplicate", ", ".join(texts))
    return texts[0]


def query_pairs(text: str, shown: Collection[str] = ()) -> list[tuple[str, str]]:
    """Decode the names and values of a query or form; skip empty pieces between two `&`.

    Faults show the values of the names in `shown`: those of others may be secrets.
    """
    pairs = []
    for piece in text.split("&"):
        if piece:
            name, _, value = piece.partition("=")
            try:
                name = decode_percent(name, plus=True)
            except Fault as fault:
                raise fault.inside(name) from None
            try:
                pairs.append((name, decode_percent(value, plus=True)))
            except Fault as fault:
                raise (fault if name in shown else fault.without_value()).inside(name) from None
    return pairs


def _take_all(message: Message, pairs: Sequence[tuple[str, str]], takers: Mapping[str, Take]) -> None:
    texts: dict[str, list[str]] = {}
    for name, text in pairs:
        texts.setdefault(name, []).append(text)

    def take(name: str, values: Sequence[str]) -> None:
        if name not in takers:
            raise unknown(takers)
        takers[name](message, values)

    each(texts.items(), take)
