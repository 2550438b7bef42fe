from buf.validate import validate_pb2 as _validate_pb2
from catenary.options.v1 import options_pb2 as _options_pb2
from catenary.parameter.v1 import parameter_type_pb2 as _parameter_type_pb2
from catenary.type.v1 import paging_pb2 as _paging_pb2
from google.api import annotations_pb2 as _annotations_pb2
from google.protobuf import field_mask_pb2 as _field_mask_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ListParameterTypesRequest(_message.Message):
    __slots__ = ("parameter_type_id", "asset_type_id", "not_asset_id", "not_project_id", "search", "page_limit", "before", "after", "sort_by", "order", "show_active", "show_deleted")
    PARAMETER_TYPE_ID_FIELD_NUMBER: _ClassVar[int]
    ASSET_TYPE_ID_FIELD_NUMBER: _ClassVar[int]
    NOT_ASSET_ID_FIELD_NUMBER: _ClassVar[int]
    NOT_PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    SEARCH_FIELD_NUMBER: _ClassVar[int]
    PAGE_LIMIT_FIELD_NUMBER: _ClassVar[int]
    BEFORE_FIELD_NUMBER: _ClassVar[int]
    AFTER_FIELD_NUMBER: _ClassVar[int]
    SORT_BY_FIELD_NUMBER: _ClassVar[int]
    ORDER_FIELD_NUMBER: _ClassVar[int]
    SHOW_ACTIVE_FIELD_NUMBER: _ClassVar[int]
    SHOW_DELETED_FIELD_NUMBER: _ClassVar[int]
    parameter_type_id: _containers.RepeatedScalarFieldContainer[str]
    asset_type_id: _containers.RepeatedScalarFieldContainer[str]
    not_asset_id: str
    not_project_id: str
    search: str
    page_limit: int
    before: str
    after: str
    sort_by: str
    order: _paging_pb2.Order
    show_active: bool
    show_deleted: bool
    def __init__(self, parameter_type_id: _Optional[_Iterable[str]] = ..., asset_type_id: _Optional[_Iterable[str]] = ..., not_asset_id: _Optional[str] = ..., not_project_id: _Optional[str] = ..., search: _Optional[str] = ..., page_limit: _Optional[int] = ..., before: _Optional[str] = ..., after: _Optional[str] = ..., sort_by: _Optional[str] = ..., order: _Optional[_Union[_paging_pb2.Order, str]] = ..., show_active: _Optional[bool] = ..., show_deleted: _Optional[bool] = ...) -> None: ...

class ListParameterTypesResponse(_message.Message):
    __slots__ = ("parameter_types", "paging", "summary")
    PARAMETER_TYPES_FIELD_NUMBER: _ClassVar[int]
    PAGING_FIELD_NUMBER: _ClassVar[int]
    SUMMARY_FIELD_NUMBER: _ClassVar[int]
    parameter_types: _containers.RepeatedCompositeFieldContainer[_parameter_type_pb2.ParameterType]
    paging: _paging_pb2.Paging
    summary: _paging_pb2.Summary
    def __init__(self, parameter_types: _Optional[_Iterable[_Union[_parameter_type_pb2.ParameterType, _Mapping]]] = ..., paging: _Optional[_Union[_paging_pb2.Paging, _Mapping]] = ..., summary: _Optional[_Union[_paging_pb2.Summary, _Mapping]] = ...) -> None: ...

class CreateParameterTypesRequest(_message.Message):
    __slots__ = ("parameter_types",)
    PARAMETER_TYPES_FIELD_NUMBER: _ClassVar[int]
    parameter_types: _containers.RepeatedCompositeFieldContainer[NewParameterType]
    def __init__(self, parameter_types: _Optional[_Iterable[_Union[NewParameterType, _Mapping]]] = ...) -> None: ...

class CreateParameterTypesResponse(_message.Message):
    __slots__ = ("parameter_types",)
    PARAMETER_TYPES_FIELD_NUMBER: _ClassVar[int]
    parameter_types: _containers.RepeatedCompositeFieldContainer[_parameter_type_pb2.ParameterType]
    def __init__(self, parameter_types: _Optional[_Iterable[_Union[_parameter_type_pb2.ParameterType, _Mapping]]] = ...) -> None: ...

class UpdateParameterTypeRequest(_message.Message):
    __slots__ = ("parameter_type_id", "name", "global_parameter", "default_unit_id", "update_mask")
    PARAMETER_TYPE_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    GLOBAL_PARAMETER_FIELD_NUMBER: _ClassVar[int]
    DEFAULT_UNIT_ID_FIELD_NUMBER: _ClassVar[int]
    UPDATE_MASK_FIELD_NUMBER: _ClassVar[int]
    parameter_type_id: str
    name: str
    global_parameter: bool
    default_unit_id: str
    update_mask: _field_mask_pb2.FieldMask
    def __init__(self, parameter_type_id: _Optional[str] = ..., name: _Optional[str] = ..., global_parameter: _Optional[bool] = ..., default_unit_id: _Optional[str] = ..., update_mask: _Optional[_Union[_field_mask_pb2.FieldMask, _Mapping]] = ...) -> None: ...

class UpdateParameterTypeResponse(_message.Message):
    __slots__ = ("parameter_type",)
    PARAMETER_TYPE_FIELD_NUMBER: _ClassVar[int]
    parameter_type: _parameter_type_pb2.ParameterType
    def __init__(self, parameter_type: _Optional[_Union[_parameter_type_pb2.ParameterType, _Mapping]] = ...) -> None: ...

class DeleteParameterTypeRequest(_message.Message):
    __slots__ = ("parameter_type_id",)
    PARAMETER_TYPE_ID_FIELD_NUMBER: _ClassVar[int]
    parameter_type_id: str
    def __init__(self, parameter_type_id: _Optional[str] = ...) -> None: ...

class DeleteParameterTypeResponse(_message.Message):
    __slots__ = ("parameter_type",)
    PARAMETER_TYPE_FIELD_NUMBER: _ClassVar[int]
    parameter_type: _parameter_type_pb2.ParameterType
    def __init__(self, parameter_type: _Optional[_Union[_parameter_type_pb2.ParameterType, _Mapping]] = ...) -> None: ...

class NewParameterType(_message.Message):
    __slots__ = ("id", "name", "data_type", "global_parameter", "unit_type_id", "default_unit_id")
    ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    DATA_TYPE_FIELD_NUMBER: _ClassVar[int]
    GLOBAL_PARAMETER_FIELD_NUMBER: _ClassVar[int]
    UNIT_TYPE_ID_FIELD_NUMBER: _ClassVar[int]
    DEFAULT_UNIT_ID_FIELD_NUMBER: _ClassVar[int]
    id: str
    name: str
    data_type: _parameter_type_pb2.DataType
    global_parameter: bool
    unit_type_id: str
    default_unit_id: str
    def __init__(self, id: _Optional[str] = ..., name: _Optional[str] = ..., data_type: _Optional[_Union[_parameter_type_pb2.DataType, str]] = ..., global_parameter: _Optional[bool] = ..., unit_type_id: _Optional[str] = ..., default_unit_id: _Optional[str] = ...) -> None: ...
