"""Our JSON against protobuf's own (`google.protobuf.json_format`) wherever the two dialects agree.

Where they differ stands in DIFFERENCES, with why. A difference that no row of it explains fails.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import orjson
import pytest
from google.protobuf import descriptor_pb2, descriptor_pool, json_format
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from hypothesis import example, given, settings
from hypothesis import strategies as st

from catenary_edge import json_text
from catenary_edge.errors.fault import Fault
from catenary_edge.transcoding.encoder import Encoders
from catenary_edge.transcoding.writers import Writers

KIND = descriptor_pb2.FieldDescriptorProto
SCALARS = {
    "text": KIND.TYPE_STRING,
    "flag": KIND.TYPE_BOOL,
    "amount": KIND.TYPE_DOUBLE,
    "small": KIND.TYPE_INT32,
    "large": KIND.TYPE_INT64,
    "count": KIND.TYPE_UINT32,
    "total": KIND.TYPE_UINT64,
    "signed": KIND.TYPE_SINT64,
    "fixed": KIND.TYPE_SFIXED32,
}


def _everything() -> Descriptor:
    """Return a message with a field of each kind that a request can have.

    Fields are single, optional, repeated, in a map, in a oneof and nested.
    """
    file = descriptor_pb2.FileDescriptorProto(
        name="everything.proto", package="everything", syntax="proto3", dependency=["google/protobuf/timestamp.proto"]
    )
    state = file.enum_type.add(name="State")
    for number, name in enumerate(("STATE_UNSPECIFIED", "STATE_ON", "STATE_SWITCHED_OFF")):
        state.value.add(name=name, number=number)
    all_ = file.message_type.add(name="Everything")
    single, many = KIND.LABEL_OPTIONAL, KIND.LABEL_REPEATED
    typed: dict[str, dict[str, Any]] = {name: {"type": kind} for name, kind in SCALARS.items()}
    typed["state"] = {"type": KIND.TYPE_ENUM, "type_name": ".everything.State"}
    typed["at"] = {"type": KIND.TYPE_MESSAGE, "type_name": ".google.protobuf.Timestamp"}
    typed["inner"] = {"type": KIND.TYPE_MESSAGE, "type_name": ".everything.Everything"}
    for name, kind in typed.items():
        all_.field.add(name=name, number=len(all_.field) + 1, label=single, **kind)
        all_.field.add(name=f"many_{name}", number=len(all_.field) + 1, label=many, **kind)
        entry = all_.nested_type.add(name=f"By{name.title()}Entry")
        entry.options.map_entry = True
        entry.field.add(name="key", number=1, type=KIND.TYPE_STRING, label=single)
        entry.field.add(name="value", number=2, label=single, **kind)
        type_name = f".everything.Everything.{entry.name}"
        all_.field.add(
            name=f"by_{name}", number=len(all_.field) + 1, label=many, type=KIND.TYPE_MESSAGE, type_name=type_name
        )
    all_.oneof_decl.add(name="choice")
    for name in ("left", "right"):
        all_.field.add(name=name, number=len(all_.field) + 1, label=single, oneof_index=0, type=KIND.TYPE_STRING)
    for name in ("text", "amount", "large"):
        all_.oneof_decl.add(name=f"_maybe_{name}")
        all_.field.add(
            name=f"maybe_{name}",
            number=len(all_.field) + 1,
            label=single,
            proto3_optional=True,
            oneof_index=len(all_.oneof_decl) - 1,
            **typed[name],
        )
    pool = descriptor_pool.DescriptorPool()
    pool.AddSerializedFile(descriptor_pool.Default().FindFileByName("google/protobuf/timestamp.proto").serialized_pb)
    pool.AddSerializedFile(file.SerializeToString())
    return pool.FindMessageTypeByName("everything.Everything")


EVERYTHING = _everything()
NEW = GetMessageClass(EVERYTHING)
FIELDS = {field.name: field for field in EVERYTHING.fields}
WRITE = Writers().message(EVERYTHING)
PLAIN = Encoders().plain(EVERYTHING)


def _ours(text: bytes) -> Message | None:
    message = NEW()
    try:
        WRITE(message, json_text.parse(text))
    except Fault:
        return None
    return message


def _theirs(text: bytes) -> Message | None:
    message = NEW()
    try:
        json_format.Parse(text, message)
    except (json_format.ParseError, ValueError, TypeError, RecursionError, OverflowError):
        # Parse documents ParseError alone; the others are its own omissions.
        return None
    return message


Leaf = Callable[[FieldDescriptor, Any], bool]
"""Whether a value of a field is one of a difference."""


def _is_integer(field: FieldDescriptor) -> bool:
    return field.cpp_type in (1, 2, 3, 4)


_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)")
DIFFERENCES: dict[str, tuple[str, str, Leaf]] = {
    "a number as a text": (
        "theirs",
        "protobuf JSON takes texts, as JavaScript loses integers over 2^53; we convert no types",
        lambda field, value: isinstance(value, str) and (_is_integer(field) or field.type == KIND.TYPE_DOUBLE),
    ),
    "an unsigned integer over 2^63 - 1": (
        "theirs",
        "integers are exact in ±2^63, in every field alike; other numbers are doubles",
        lambda field, value: field.type == KIND.TYPE_UINT64 and isinstance(value, int) and value >= 2**63,
    ),
    "a boolean as a double": (
        "theirs",
        "json_format takes true for 1.0, though for no integer; protobuf's own specification has no such form",
        lambda field, value: field.type == KIND.TYPE_DOUBLE and isinstance(value, bool),
    ),
    "an integer written as a double": (
        "theirs",
        "protobuf JSON takes 7.0 and 7e0 for 7; we keep integers and other numbers apart",
        lambda field, value: isinstance(value, float) and _is_integer(field),
    ),
    "an enum by its full name or as a number": (
        "theirs",
        "we have one form of a state, its lower-case short name; json_format takes whatever int() takes",
        lambda field, value: (
            field.type == KIND.TYPE_ENUM and bool(re.fullmatch(r"-?[\d.]+|STATE_\w+|True|False", str(value)))
        ),
    ),
    "an enum by its short name": (
        "ours",
        "as above",
        lambda field, value: field.type == KIND.TYPE_ENUM and value in ("on", "switched_off"),
    ),
    "the character U+0000": ("theirs", "PostgreSQL can't keep it", lambda field, value: "\0" in str(value)),
    "an empty array or text for an object": (
        "theirs",
        "json_format goes through the keys of whatever it gets; protobuf's own specification has no such form",
        lambda field, value: field.message_type is not None and not _is_time(field) and value in ([], ""),
    ),
    "a timestamp in lower case": (
        "ours",
        "RFC 3339, section 5.6, allows t and z",
        lambda field, value: isinstance(value, str) and _is_time(field) and value != value.upper(),
    ),
    "a timestamp with a date or an offset that RFC 3339 has not": (
        "theirs",
        "their reader takes forms beyond RFC 3339",
        lambda field, value: isinstance(value, str) and _is_time(field) and not _TIME.fullmatch(value),
    ),
}
"""By name: which side takes the value that the other refuses, why, and which values."""


def _is_time(field: FieldDescriptor) -> bool:
    return field.message_type is not None and field.message_type.name == "Timestamp"


def _leaves(field: FieldDescriptor, value: Any) -> list[tuple[FieldDescriptor, Any]]:
    """Return the single values below a field, each with the field of the value."""
    message = field.message_type
    if message is not None and message.GetOptions().map_entry and isinstance(value, dict):
        item = message.fields_by_name["value"]
        return [leaf for one in value.values() for leaf in _leaves(item, one)] + [(field, key) for key in value]
    if field.is_repeated and isinstance(value, list):
        return [leaf for one in value for leaf in _single(field, one)]
    return _single(field, value)


def _single(field: FieldDescriptor, value: Any) -> list[tuple[FieldDescriptor, Any]]:
    if isinstance(value, dict) and field.message_type is not None and field.message_type.name == "Everything":
        return [leaf for key, one in value.items() if key in FIELDS for leaf in _leaves(FIELDS[key], one)]
    return [(field, value)]


def _explained(field: FieldDescriptor, value: Any, taken_by: str) -> bool:
    return any(
        side == taken_by and applies(*leaf)
        for leaf in _leaves(field, value)
        for side, _, applies in DIFFERENCES.values()
    )


TEXTS = st.text(max_size=6) | st.sampled_from(["", "é", "\U0001f600", "\ufeff", "true", "null", "\0", "a\u2028b"])
INTEGERS = st.integers(-(2**65), 2**65) | st.sampled_from(
    [sign * 2**bits + more for bits in (31, 32, 53, 63, 64) for more in (-1, 0, 1) for sign in (1, -1)]
)
DOUBLES = st.floats(allow_nan=False, allow_infinity=False) | st.sampled_from([-0.0, 1e308, 5e-324, 1e16, 0.1, 2.0])
TIMES = st.datetimes().map(lambda moment: moment.isoformat() + "Z") | st.sampled_from(
    [
        "2030-01-31T12:00:00Z",
        "2030-01-31t12:00:00z",
        "2030-01-31T12:00:00.5+01:00",
        "2030-01-31T12:00:00.123456789-23:59",
        "2030-01-31T12:00:00.1234567891Z",
        "2030-01-31 12:00:00Z",
        "2030-01-31T12:00Z",
        "2030-02-30T00:00:00Z",
        "2030-01-31T24:00:00Z",
        "2030-01-31T12:00:60Z",
        "0001-01-01T00:00:00Z",
        "0001-01-01T00:00:00+01:00",
        "9999-12-31T23:59:59.999999999Z",
        "9999-12-31T23:59:59-01:00",
        "10000-01-01T00:00:00Z",
        "2030-1-31T12:00:00Z",
        "2030-01-31T12:00:00+1:00",
        "2030-01-31T12:00:00",
    ]
)
STATES = st.sampled_from(["on", "switched_off", "unspecified", "STATE_ON", "ON", "", "1"]) | st.integers(-1, 4)
ODD = st.sampled_from(
    [None, True, False, {}, [], [[]], "7", "1e3", "NaN", "Infinity", "-Infinity", 7, 7.0, 1.5, {"text": "x"}]
)


def _values(field: FieldDescriptor, depth: int = 2) -> st.SearchStrategy[Any]:
    """JSON values of a field, good ones and others."""
    message = field.message_type
    if message is not None and message.GetOptions().map_entry:
        return ODD | st.dictionaries(TEXTS, _one(message.fields_by_name["value"], depth), max_size=3)
    if field.is_repeated:
        return ODD | st.lists(_one(field, depth), max_size=3)
    return _one(field, depth)


def _one(field: FieldDescriptor, depth: int) -> st.SearchStrategy[Any]:
    if field.message_type is not None and field.message_type.name == "Everything":
        if depth == 0:
            return st.just({})
        return st.sampled_from(sorted(FIELDS)).flatmap(
            lambda name: st.fixed_dictionaries({name: _values(FIELDS[name], depth - 1)})
        )
    if _is_time(field):
        return TIMES | ODD
    good: dict[int, st.SearchStrategy[Any]] = {
        KIND.TYPE_STRING: TEXTS,
        KIND.TYPE_BOOL: st.booleans(),
        KIND.TYPE_DOUBLE: DOUBLES | INTEGERS,
        KIND.TYPE_ENUM: STATES,
    }
    return good.get(field.type, INTEGERS) | ODD


@settings(max_examples=600)
@given(data=st.data())
@example(data=None)
def test_what_both_dialects_take_is_the_same_message_and_every_difference_has_its_row(
    data: st.DataObject | None,
) -> None:
    if data is None:
        name, value = "by_large", {"": 1, "\u00e9": 2}
    else:
        name = data.draw(st.sampled_from(sorted(FIELDS)))
        value = data.draw(_values(FIELDS[name]))
    text = json.dumps({name: value}).encode()
    ours, theirs = _ours(text), _theirs(text)
    if ours is not None and theirs is not None:
        assert ours == theirs, text
    elif (ours is None) != (theirs is None):
        assert _explained(FIELDS[name], value, "theirs" if ours is None else "ours"), f"{text!r}: {ours} / {theirs}"


@pytest.mark.parametrize("row", DIFFERENCES)
def test_every_row_of_the_differences_is_one(row: str) -> None:
    text = {
        "a number as a text": b'{"large":"7"}',
        "an unsigned integer over 2^63 - 1": b'{"total":18446744073709551615}',
        "a boolean as a double": b'{"amount":true}',
        "an integer written as a double": b'{"small":7.0}',
        "an enum by its full name or as a number": b'{"state":"STATE_ON"}',
        "an enum by its short name": b'{"state":"on"}',
        "the character U+0000": b'{"text":"\\u0000"}',
        "an empty array or text for an object": b'{"inner":[]}',
        "a timestamp in lower case": b'{"at":"2030-01-31t12:00:00z"}',
        "a timestamp with a date or an offset that RFC 3339 has not": b'{"at":"2030-1-31T12:00:00Z"}',
    }[row]
    side = DIFFERENCES[row][0]
    assert (_ours(text) is None, _theirs(text) is None) == (side == "theirs", side == "ours")


@pytest.mark.parametrize(
    ("text", "ours", "theirs"),
    [
        (b'{"maybeText":"x"}', False, True),  # one spelling of a key
        (b'{"maybe_text":"x"}', True, True),
        (b'{"nothing":1}', False, False),
        (b'{"text":"a","text":"b"}', False, False),
        (b'{"left":"a","right":"b"}', False, False),
        (b'{"left":"a","right":null}', True, True),
        (b'{"many_text":["a",null]}', False, False),
        (b'{"by_text":{"a":null}}', False, False),
        (b'{"inner":null,"many_inner":null,"by_inner":null}', True, True),
        (b'{"text":"\\ud800"}', False, False),
        (b'\xef\xbb\xbf{"text":"a"}', False, False),
        (b'{"text":"a"} ', True, True),
        (b'{"text":"a"}x', False, False),
        (b'{"text":"a",}', False, False),
        (b"{'text':'a'}", False, False),
        (b"[]", False, True),  # as an empty array for an object
        (b'{"amount":NaN}', False, False),
        (b"null", False, False),
        (b'{"amount":1e400}', False, False),
        (b'{"large":9223372036854775808}', False, False),
        (b'{"total":9223372036854775807}', True, True),
        (b'{"amount":100000000000000000000}', True, True),
        (b'{"large":100000000000000000000}', False, False),
        (b'{"total":18446744073709551616}', False, False),
        (b'{"amount":' + b"9" * 5000 + b"}", False, False),
        (b'{"inner":' * 31 + b'{"text":"a"}' + b"}" * 31, True, True),
        (b'{"inner":' * 40 + b'{"text":"a"}' + b"}" * 40, False, True),  # ours has 32 levels
        (b'{"inner":' * 5000 + b"{}" + b"}" * 5000, False, False),
    ],
)
def test_the_form_of_a_text_is_judged_alike_but_where_the_contract_is_stricter(
    text: bytes, ours: bool, theirs: bool
) -> None:
    mine, other = _ours(text), _theirs(text)
    assert (mine is not None, other is not None) == (ours, theirs)
    if ours and theirs:
        assert mine == other


def _as_theirs(descriptor: Descriptor, plain: dict[str, Any]) -> dict[str, Any]:
    """Return the encoder's object in protobuf's dialect.

    Unset presence is left out, 64-bit integers are texts, enums have their full name.
    """
    found: dict[str, Any] = {}
    for field in descriptor.fields:
        value = plain[field.name]
        if value is None and field.type != KIND.TYPE_ENUM:
            continue
        message = field.message_type
        if message is not None and message.GetOptions().map_entry:
            item = message.fields_by_name["value"]
            found[field.name] = {key: _value_as_theirs(item, one) for key, one in value.items()}
        elif field.is_repeated:
            found[field.name] = [_value_as_theirs(field, one) for one in value]
        else:
            found[field.name] = _value_as_theirs(field, value)
    return found


def _value_as_theirs(field: FieldDescriptor, value: Any) -> Any:
    if field.type == KIND.TYPE_ENUM:
        return "STATE_" + (value or "unspecified").upper()
    if _is_time(field):
        # Theirs has none, three, six or nine digits of a second, ours always six.
        return re.sub(r"(\.\d{3})000Z", r"\1Z", value).replace(".000Z", "Z")
    if field.message_type is not None:
        return _as_theirs(field.message_type, value)
    return str(value) if field.cpp_type in (2, 4) else value


def _cut_to_microseconds(message: Any) -> None:
    """Our answers have no more of a second."""
    for field, value in message.ListFields():
        if field.message_type is None:
            continue
        if field.message_type.GetOptions().map_entry:
            parts = list(value.values()) if field.message_type.fields_by_name["value"].message_type is not None else []
        else:
            parts = list(value) if field.is_repeated else [value]
        for part in parts:
            if part.DESCRIPTOR.name == "Timestamp":
                part.nanos -= part.nanos % 1000
            else:
                _cut_to_microseconds(part)


@settings(max_examples=200)
@given(data=st.data())
def test_what_the_encoder_writes_is_protobufs_json_but_for_the_dialect(data: st.DataObject) -> None:
    names = data.draw(st.lists(st.sampled_from(sorted(FIELDS)), min_size=1, max_size=4, unique=True))
    message = NEW()
    for name in names:
        part = _ours(json.dumps({name: data.draw(_values(FIELDS[name]))}).encode())
        if part is not None:
            message.MergeFrom(part)
    _cut_to_microseconds(message)
    plain = orjson.loads(orjson.dumps(PLAIN(message)))
    theirs = json_format.MessageToDict(
        message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
    )
    assert _as_theirs(EVERYTHING, plain) == theirs
