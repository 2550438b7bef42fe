from buf.validate import validate_pb2 as _validate_pb2
from catenary.options.v1 import options_pb2 as _options_pb2
from catenary.platform.v1 import derived_metric_pb2 as _derived_metric_pb2
from google.api import annotations_pb2 as _annotations_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class GetDerivedMetricsRequest(_message.Message):
    __slots__ = ("project_id",)
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    def __init__(self, project_id: _Optional[str] = ...) -> None: ...

class GetDerivedMetricsResponse(_message.Message):
    __slots__ = ("derived_metrics",)
    DERIVED_METRICS_FIELD_NUMBER: _ClassVar[int]
    derived_metrics: _derived_metric_pb2.DerivedMetrics
    def __init__(self, derived_metrics: _Optional[_Union[_derived_metric_pb2.DerivedMetrics, _Mapping]] = ...) -> None: ...

class NewDerivedMetric(_message.Message):
    __slots__ = ("name", "expression", "unit", "description")
    NAME_FIELD_NUMBER: _ClassVar[int]
    EXPRESSION_FIELD_NUMBER: _ClassVar[int]
    UNIT_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    name: str
    expression: str
    unit: str
    description: str
    def __init__(self, name: _Optional[str] = ..., expression: _Optional[str] = ..., unit: _Optional[str] = ..., description: _Optional[str] = ...) -> None: ...

class PutDerivedMetricsRequest(_message.Message):
    __slots__ = ("project_id", "metrics")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    METRICS_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    metrics: _containers.RepeatedCompositeFieldContainer[NewDerivedMetric]
    def __init__(self, project_id: _Optional[str] = ..., metrics: _Optional[_Iterable[_Union[NewDerivedMetric, _Mapping]]] = ...) -> None: ...

class PutDerivedMetricsResponse(_message.Message):
    __slots__ = ("derived_metrics",)
    DERIVED_METRICS_FIELD_NUMBER: _ClassVar[int]
    derived_metrics: _derived_metric_pb2.DerivedMetrics
    def __init__(self, derived_metrics: _Optional[_Union[_derived_metric_pb2.DerivedMetrics, _Mapping]] = ...) -> None: ...

class GetDerivedMetricValuesRequest(_message.Message):
    __slots__ = ("evaluation_id",)
    EVALUATION_ID_FIELD_NUMBER: _ClassVar[int]
    evaluation_id: str
    def __init__(self, evaluation_id: _Optional[str] = ...) -> None: ...

class GetDerivedMetricValuesResponse(_message.Message):
    __slots__ = ("values",)
    VALUES_FIELD_NUMBER: _ClassVar[int]
    values: _containers.RepeatedCompositeFieldContainer[_derived_metric_pb2.DerivedMetricValue]
    def __init__(self, values: _Optional[_Iterable[_Union[_derived_metric_pb2.DerivedMetricValue, _Mapping]]] = ...) -> None: ...
