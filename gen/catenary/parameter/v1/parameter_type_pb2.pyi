import datetime

from buf.validate import validate_pb2 as _validate_pb2
from catenary.options.v1 import options_pb2 as _options_pb2
from catenary.parameter.v1 import unit_pb2 as _unit_pb2
from catenary.parameter.v1 import unit_type_pb2 as _unit_type_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class DataType(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    DATA_TYPE_UNSPECIFIED: _ClassVar[DataType]
    DATA_TYPE_STRING: _ClassVar[DataType]
    DATA_TYPE_NUMBER: _ClassVar[DataType]
    DATA_TYPE_INTEGER: _ClassVar[DataType]
    DATA_TYPE_BOOLEAN: _ClassVar[DataType]
    DATA_TYPE_DATE: _ClassVar[DataType]
    DATA_TYPE_JSON: _ClassVar[DataType]
DATA_TYPE_UNSPECIFIED: DataType
DATA_TYPE_STRING: DataType
DATA_TYPE_NUMBER: DataType
DATA_TYPE_INTEGER: DataType
DATA_TYPE_BOOLEAN: DataType
DATA_TYPE_DATE: DataType
DATA_TYPE_JSON: DataType

class ParameterType(_message.Message):
    __slots__ = ("id", "name", "data_type", "global_parameter", "unit_type", "default_unit", "units", "created_at", "updated_at", "deleted_at")
    ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    DATA_TYPE_FIELD_NUMBER: _ClassVar[int]
    GLOBAL_PARAMETER_FIELD_NUMBER: _ClassVar[int]
    UNIT_TYPE_FIELD_NUMBER: _ClassVar[int]
    DEFAULT_UNIT_FIELD_NUMBER: _ClassVar[int]
    UNITS_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    UPDATED_AT_FIELD_NUMBER: _ClassVar[int]
    DELETED_AT_FIELD_NUMBER: _ClassVar[int]
    id: str
    name: str
    data_type: DataType
    global_parameter: bool
    unit_type: _unit_type_pb2.UnitTypeReference
    default_unit: _unit_pb2.UnitReference
    units: _containers.RepeatedCompositeFieldContainer[_unit_pb2.UnitReference]
    created_at: _timestamp_pb2.Timestamp
    updated_at: _timestamp_pb2.Timestamp
    deleted_at: _timestamp_pb2.Timestamp
    def __init__(self, id: _Optional[str] = ..., name: _Optional[str] = ..., data_type: _Optional[_Union[DataType, str]] = ..., global_parameter: _Optional[bool] = ..., unit_type: _Optional[_Union[_unit_type_pb2.UnitTypeReference, _Mapping]] = ..., default_unit: _Optional[_Union[_unit_pb2.UnitReference, _Mapping]] = ..., units: _Optional[_Iterable[_Union[_unit_pb2.UnitReference, _Mapping]]] = ..., created_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., updated_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., deleted_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class ParameterTypeReference(_message.Message):
    __slots__ = ("id", "name", "data_type", "global_parameter")
    ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    DATA_TYPE_FIELD_NUMBER: _ClassVar[int]
    GLOBAL_PARAMETER_FIELD_NUMBER: _ClassVar[int]
    id: str
    name: str
    data_type: DataType
    global_parameter: bool
    def __init__(self, id: _Optional[str] = ..., name: _Optional[str] = ..., data_type: _Optional[_Union[DataType, str]] = ..., global_parameter: _Optional[bool] = ...) -> None: ...
