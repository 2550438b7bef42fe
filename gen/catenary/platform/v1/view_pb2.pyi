import datetime

from buf.validate import validate_pb2 as _validate_pb2
from catenary.options.v1 import options_pb2 as _options_pb2
from catenary.platform.v1 import camera_pb2 as _camera_pb2
from catenary.platform.v1 import user_pb2 as _user_pb2
from catenary.type.v1 import json_pb2 as _json_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ViewChartKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    VIEW_CHART_KIND_UNSPECIFIED: _ClassVar[ViewChartKind]
    VIEW_CHART_KIND_PARALLEL: _ClassVar[ViewChartKind]
    VIEW_CHART_KIND_SCATTER_MATRIX: _ClassVar[ViewChartKind]
    VIEW_CHART_KIND_SCATTER: _ClassVar[ViewChartKind]
    VIEW_CHART_KIND_LINE: _ClassVar[ViewChartKind]
    VIEW_CHART_KIND_BAR: _ClassVar[ViewChartKind]

class ViewWidget(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    VIEW_WIDGET_UNSPECIFIED: _ClassVar[ViewWidget]
    VIEW_WIDGET_SLIDER: _ClassVar[ViewWidget]
    VIEW_WIDGET_NUMBER: _ClassVar[ViewWidget]
    VIEW_WIDGET_SELECT: _ClassVar[ViewWidget]
    VIEW_WIDGET_SWITCH: _ClassVar[ViewWidget]
    VIEW_WIDGET_TEXT: _ClassVar[ViewWidget]
    VIEW_WIDGET_COLOR: _ClassVar[ViewWidget]
VIEW_CHART_KIND_UNSPECIFIED: ViewChartKind
VIEW_CHART_KIND_PARALLEL: ViewChartKind
VIEW_CHART_KIND_SCATTER_MATRIX: ViewChartKind
VIEW_CHART_KIND_SCATTER: ViewChartKind
VIEW_CHART_KIND_LINE: ViewChartKind
VIEW_CHART_KIND_BAR: ViewChartKind
VIEW_WIDGET_UNSPECIFIED: ViewWidget
VIEW_WIDGET_SLIDER: ViewWidget
VIEW_WIDGET_NUMBER: ViewWidget
VIEW_WIDGET_SELECT: ViewWidget
VIEW_WIDGET_SWITCH: ViewWidget
VIEW_WIDGET_TEXT: ViewWidget
VIEW_WIDGET_COLOR: ViewWidget

class View(_message.Message):
    __slots__ = ("view_id", "project_id", "name", "is_default", "viewer", "charts", "controls", "metrics", "omitted", "created_by", "created_at", "updated_at", "deleted_at")
    VIEW_ID_FIELD_NUMBER: _ClassVar[int]
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    IS_DEFAULT_FIELD_NUMBER: _ClassVar[int]
    VIEWER_FIELD_NUMBER: _ClassVar[int]
    CHARTS_FIELD_NUMBER: _ClassVar[int]
    CONTROLS_FIELD_NUMBER: _ClassVar[int]
    METRICS_FIELD_NUMBER: _ClassVar[int]
    OMITTED_FIELD_NUMBER: _ClassVar[int]
    CREATED_BY_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    UPDATED_AT_FIELD_NUMBER: _ClassVar[int]
    DELETED_AT_FIELD_NUMBER: _ClassVar[int]
    view_id: str
    project_id: str
    name: str
    is_default: bool
    viewer: ViewerSettings
    charts: _containers.RepeatedCompositeFieldContainer[ViewChart]
    controls: _containers.RepeatedCompositeFieldContainer[ViewControl]
    metrics: _containers.RepeatedScalarFieldContainer[str]
    omitted: _containers.RepeatedScalarFieldContainer[str]
    created_by: _user_pb2.UserReference
    created_at: _timestamp_pb2.Timestamp
    updated_at: _timestamp_pb2.Timestamp
    deleted_at: _timestamp_pb2.Timestamp
    def __init__(self, view_id: _Optional[str] = ..., project_id: _Optional[str] = ..., name: _Optional[str] = ..., is_default: _Optional[bool] = ..., viewer: _Optional[_Union[ViewerSettings, _Mapping]] = ..., charts: _Optional[_Iterable[_Union[ViewChart, _Mapping]]] = ..., controls: _Optional[_Iterable[_Union[ViewControl, _Mapping]]] = ..., metrics: _Optional[_Iterable[str]] = ..., omitted: _Optional[_Iterable[str]] = ..., created_by: _Optional[_Union[_user_pb2.UserReference, _Mapping]] = ..., created_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., updated_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., deleted_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class ViewerSettings(_message.Message):
    __slots__ = ("camera", "section", "background", "edges", "hidden_parts", "colors", "length_unit")
    class ColorsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    CAMERA_FIELD_NUMBER: _ClassVar[int]
    SECTION_FIELD_NUMBER: _ClassVar[int]
    BACKGROUND_FIELD_NUMBER: _ClassVar[int]
    EDGES_FIELD_NUMBER: _ClassVar[int]
    HIDDEN_PARTS_FIELD_NUMBER: _ClassVar[int]
    COLORS_FIELD_NUMBER: _ClassVar[int]
    LENGTH_UNIT_FIELD_NUMBER: _ClassVar[int]
    camera: _camera_pb2.Camera
    section: ViewSection
    background: str
    edges: bool
    hidden_parts: _containers.RepeatedScalarFieldContainer[str]
    colors: _containers.ScalarMap[str, str]
    length_unit: str
    def __init__(self, camera: _Optional[_Union[_camera_pb2.Camera, _Mapping]] = ..., section: _Optional[_Union[ViewSection, _Mapping]] = ..., background: _Optional[str] = ..., edges: _Optional[bool] = ..., hidden_parts: _Optional[_Iterable[str]] = ..., colors: _Optional[_Mapping[str, str]] = ..., length_unit: _Optional[str] = ...) -> None: ...

class ViewSection(_message.Message):
    __slots__ = ("point", "normal")
    POINT_FIELD_NUMBER: _ClassVar[int]
    NORMAL_FIELD_NUMBER: _ClassVar[int]
    point: _containers.RepeatedScalarFieldContainer[float]
    normal: _containers.RepeatedScalarFieldContainer[float]
    def __init__(self, point: _Optional[_Iterable[float]] = ..., normal: _Optional[_Iterable[float]] = ...) -> None: ...

class ViewChart(_message.Message):
    __slots__ = ("kind", "axes", "color_by", "filters")
    class FiltersEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: ViewFilter
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[ViewFilter, _Mapping]] = ...) -> None: ...
    KIND_FIELD_NUMBER: _ClassVar[int]
    AXES_FIELD_NUMBER: _ClassVar[int]
    COLOR_BY_FIELD_NUMBER: _ClassVar[int]
    FILTERS_FIELD_NUMBER: _ClassVar[int]
    kind: ViewChartKind
    axes: _containers.RepeatedScalarFieldContainer[str]
    color_by: str
    filters: _containers.MessageMap[str, ViewFilter]
    def __init__(self, kind: _Optional[_Union[ViewChartKind, str]] = ..., axes: _Optional[_Iterable[str]] = ..., color_by: _Optional[str] = ..., filters: _Optional[_Mapping[str, ViewFilter]] = ...) -> None: ...

class ViewFilter(_message.Message):
    __slots__ = ("min", "max", "values")
    MIN_FIELD_NUMBER: _ClassVar[int]
    MAX_FIELD_NUMBER: _ClassVar[int]
    VALUES_FIELD_NUMBER: _ClassVar[int]
    min: float
    max: float
    values: _containers.RepeatedCompositeFieldContainer[_json_pb2.Json]
    def __init__(self, min: _Optional[float] = ..., max: _Optional[float] = ..., values: _Optional[_Iterable[_Union[_json_pb2.Json, _Mapping]]] = ...) -> None: ...

class ViewControl(_message.Message):
    __slots__ = ("parameter", "widget", "group", "label", "hidden")
    PARAMETER_FIELD_NUMBER: _ClassVar[int]
    WIDGET_FIELD_NUMBER: _ClassVar[int]
    GROUP_FIELD_NUMBER: _ClassVar[int]
    LABEL_FIELD_NUMBER: _ClassVar[int]
    HIDDEN_FIELD_NUMBER: _ClassVar[int]
    parameter: str
    widget: ViewWidget
    group: str
    label: str
    hidden: bool
    def __init__(self, parameter: _Optional[str] = ..., widget: _Optional[_Union[ViewWidget, str]] = ..., group: _Optional[str] = ..., label: _Optional[str] = ..., hidden: _Optional[bool] = ...) -> None: ...
