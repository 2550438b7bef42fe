from buf.validate import validate_pb2 as _validate_pb2
from catenary.options.v1 import options_pb2 as _options_pb2
from catenary.platform.v1 import view_pb2 as _view_pb2
from google.api import annotations_pb2 as _annotations_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ListViewsRequest(_message.Message):
    __slots__ = ("project_id", "limit", "cursor")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    limit: int
    cursor: str
    def __init__(self, project_id: _Optional[str] = ..., limit: _Optional[int] = ..., cursor: _Optional[str] = ...) -> None: ...

class ListViewsResponse(_message.Message):
    __slots__ = ("views", "next_cursor")
    VIEWS_FIELD_NUMBER: _ClassVar[int]
    NEXT_CURSOR_FIELD_NUMBER: _ClassVar[int]
    views: _containers.RepeatedCompositeFieldContainer[_view_pb2.View]
    next_cursor: str
    def __init__(self, views: _Optional[_Iterable[_Union[_view_pb2.View, _Mapping]]] = ..., next_cursor: _Optional[str] = ...) -> None: ...

class CreateViewRequest(_message.Message):
    __slots__ = ("project_id", "name", "is_default", "viewer", "charts", "controls", "metrics")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    IS_DEFAULT_FIELD_NUMBER: _ClassVar[int]
    VIEWER_FIELD_NUMBER: _ClassVar[int]
    CHARTS_FIELD_NUMBER: _ClassVar[int]
    CONTROLS_FIELD_NUMBER: _ClassVar[int]
    METRICS_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    name: str
    is_default: bool
    viewer: _view_pb2.ViewerSettings
    charts: _containers.RepeatedCompositeFieldContainer[_view_pb2.ViewChart]
    controls: _containers.RepeatedCompositeFieldContainer[_view_pb2.ViewControl]
    metrics: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, project_id: _Optional[str] = ..., name: _Optional[str] = ..., is_default: _Optional[bool] = ..., viewer: _Optional[_Union[_view_pb2.ViewerSettings, _Mapping]] = ..., charts: _Optional[_Iterable[_Union[_view_pb2.ViewChart, _Mapping]]] = ..., controls: _Optional[_Iterable[_Union[_view_pb2.ViewControl, _Mapping]]] = ..., metrics: _Optional[_Iterable[str]] = ...) -> None: ...

class CreateViewResponse(_message.Message):
    __slots__ = ("view",)
    VIEW_FIELD_NUMBER: _ClassVar[int]
    view: _view_pb2.View
    def __init__(self, view: _Optional[_Union[_view_pb2.View, _Mapping]] = ...) -> None: ...

class GetViewRequest(_message.Message):
    __slots__ = ("view_id",)
    VIEW_ID_FIELD_NUMBER: _ClassVar[int]
    view_id: str
    def __init__(self, view_id: _Optional[str] = ...) -> None: ...

class GetViewResponse(_message.Message):
    __slots__ = ("view",)
    VIEW_FIELD_NUMBER: _ClassVar[int]
    view: _view_pb2.View
    def __init__(self, view: _Optional[_Union[_view_pb2.View, _Mapping]] = ...) -> None: ...

class ReplaceViewRequest(_message.Message):
    __slots__ = ("view_id", "name", "is_default", "viewer", "charts", "controls", "metrics")
    VIEW_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    IS_DEFAULT_FIELD_NUMBER: _ClassVar[int]
    VIEWER_FIELD_NUMBER: _ClassVar[int]
    CHARTS_FIELD_NUMBER: _ClassVar[int]
    CONTROLS_FIELD_NUMBER: _ClassVar[int]
    METRICS_FIELD_NUMBER: _ClassVar[int]
    view_id: str
    name: str
    is_default: bool
    viewer: _view_pb2.ViewerSettings
    charts: _containers.RepeatedCompositeFieldContainer[_view_pb2.ViewChart]
    controls: _containers.RepeatedCompositeFieldContainer[_view_pb2.ViewControl]
    metrics: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, view_id: _Optional[str] = ..., name: _Optional[str] = ..., is_default: _Optional[bool] = ..., viewer: _Optional[_Union[_view_pb2.ViewerSettings, _Mapping]] = ..., charts: _Optional[_Iterable[_Union[_view_pb2.ViewChart, _Mapping]]] = ..., controls: _Optional[_Iterable[_Union[_view_pb2.ViewControl, _Mapping]]] = ..., metrics: _Optional[_Iterable[str]] = ...) -> None: ...

class ReplaceViewResponse(_message.Message):
    __slots__ = ("view",)
    VIEW_FIELD_NUMBER: _ClassVar[int]
    view: _view_pb2.View
    def __init__(self, view: _Optional[_Union[_view_pb2.View, _Mapping]] = ...) -> None: ...

class DeleteViewRequest(_message.Message):
    __slots__ = ("view_id",)
    VIEW_ID_FIELD_NUMBER: _ClassVar[int]
    view_id: str
    def __init__(self, view_id: _Optional[str] = ...) -> None: ...

class DeleteViewResponse(_message.Message):
    __slots__ = ("view",)
    VIEW_FIELD_NUMBER: _ClassVar[int]
    view: _view_pb2.View
    def __init__(self, view: _Optional[_Union[_view_pb2.View, _Mapping]] = ...) -> None: ...
