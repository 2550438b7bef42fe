import datetime

from buf.validate import validate_pb2 as _validate_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class DerivedMetric(_message.Message):
    __slots__ = ("name", "expression", "unit", "description", "problem")
    NAME_FIELD_NUMBER: _ClassVar[int]
    EXPRESSION_FIELD_NUMBER: _ClassVar[int]
    UNIT_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    PROBLEM_FIELD_NUMBER: _ClassVar[int]
    name: str
    expression: str
    unit: str
    description: str
    problem: str
    def __init__(self, name: _Optional[str] = ..., expression: _Optional[str] = ..., unit: _Optional[str] = ..., description: _Optional[str] = ..., problem: _Optional[str] = ...) -> None: ...

class DerivedMetrics(_message.Message):
    __slots__ = ("project_id", "metrics", "updated_at")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    METRICS_FIELD_NUMBER: _ClassVar[int]
    UPDATED_AT_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    metrics: _containers.RepeatedCompositeFieldContainer[DerivedMetric]
    updated_at: _timestamp_pb2.Timestamp
    def __init__(self, project_id: _Optional[str] = ..., metrics: _Optional[_Iterable[_Union[DerivedMetric, _Mapping]]] = ..., updated_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class DerivedMetricValue(_message.Message):
    __slots__ = ("name", "value", "unit", "problem")
    NAME_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    UNIT_FIELD_NUMBER: _ClassVar[int]
    PROBLEM_FIELD_NUMBER: _ClassVar[int]
    name: str
    value: float
    unit: str
    problem: str
    def __init__(self, name: _Optional[str] = ..., value: _Optional[float] = ..., unit: _Optional[str] = ..., problem: _Optional[str] = ...) -> None: ...
