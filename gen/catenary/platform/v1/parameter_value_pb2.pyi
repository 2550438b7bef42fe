from buf.validate import validate_pb2 as _validate_pb2
from catenary.options.v1 import options_pb2 as _options_pb2
from catenary.type.v1 import json_pb2 as _json_pb2
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ParameterValue(_message.Message):
    __slots__ = ("number", "integer", "boolean", "text", "quantity", "point", "json")
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    INTEGER_FIELD_NUMBER: _ClassVar[int]
    BOOLEAN_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    QUANTITY_FIELD_NUMBER: _ClassVar[int]
    POINT_FIELD_NUMBER: _ClassVar[int]
    JSON_FIELD_NUMBER: _ClassVar[int]
    number: float
    integer: int
    boolean: bool
    text: str
    quantity: Quantity
    point: Point
    json: _json_pb2.Json
    def __init__(self, number: _Optional[float] = ..., integer: _Optional[int] = ..., boolean: _Optional[bool] = ..., text: _Optional[str] = ..., quantity: _Optional[_Union[Quantity, _Mapping]] = ..., point: _Optional[_Union[Point, _Mapping]] = ..., json: _Optional[_Union[_json_pb2.Json, _Mapping]] = ...) -> None: ...

class Quantity(_message.Message):
    __slots__ = ("value", "unit")
    VALUE_FIELD_NUMBER: _ClassVar[int]
    UNIT_FIELD_NUMBER: _ClassVar[int]
    value: float
    unit: str
    def __init__(self, value: _Optional[float] = ..., unit: _Optional[str] = ...) -> None: ...

class Point(_message.Message):
    __slots__ = ("x", "y", "z", "unit")
    X_FIELD_NUMBER: _ClassVar[int]
    Y_FIELD_NUMBER: _ClassVar[int]
    Z_FIELD_NUMBER: _ClassVar[int]
    UNIT_FIELD_NUMBER: _ClassVar[int]
    x: float
    y: float
    z: float
    unit: str
    def __init__(self, x: _Optional[float] = ..., y: _Optional[float] = ..., z: _Optional[float] = ..., unit: _Optional[str] = ...) -> None: ...
