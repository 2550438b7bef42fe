from buf.validate import validate_pb2 as _validate_pb2
from catenary.options.v1 import options_pb2 as _options_pb2
from catenary.parameter.v1 import parameter_set_pb2 as _parameter_set_pb2
from catenary.type.v1 import paging_pb2 as _paging_pb2
from google.api import annotations_pb2 as _annotations_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ListParameterSetCategoriesRequest(_message.Message):
    __slots__ = ("page_limit", "before", "after", "sort_by", "order", "show_active", "show_deleted")
    PAGE_LIMIT_FIELD_NUMBER: _ClassVar[int]
    BEFORE_FIELD_NUMBER: _ClassVar[int]
    AFTER_FIELD_NUMBER: _ClassVar[int]
    SORT_BY_FIELD_NUMBER: _ClassVar[int]
    ORDER_FIELD_NUMBER: _ClassVar[int]
    SHOW_ACTIVE_FIELD_NUMBER: _ClassVar[int]
    SHOW_DELETED_FIELD_NUMBER: _ClassVar[int]
    page_limit: int
    before: str
    after: str
    sort_by: str
    order: _paging_pb2.Order
    show_active: bool
    show_deleted: bool
    def __init__(self, page_limit: _Optional[int] = ..., before: _Optional[str] = ..., after: _Optional[str] = ..., sort_by: _Optional[str] = ..., order: _Optional[_Union[_paging_pb2.Order, str]] = ..., show_active: _Optional[bool] = ..., show_deleted: _Optional[bool] = ...) -> None: ...

class ListParameterSetCategoriesResponse(_message.Message):
    __slots__ = ("parameter_set_categories", "paging", "summary")
    PARAMETER_SET_CATEGORIES_FIELD_NUMBER: _ClassVar[int]
    PAGING_FIELD_NUMBER: _ClassVar[int]
    SUMMARY_FIELD_NUMBER: _ClassVar[int]
    parameter_set_categories: _containers.RepeatedCompositeFieldContainer[_parameter_set_pb2.ParameterSetCategory]
    paging: _paging_pb2.Paging
    summary: _paging_pb2.Summary
    def __init__(self, parameter_set_categories: _Optional[_Iterable[_Union[_parameter_set_pb2.ParameterSetCategory, _Mapping]]] = ..., paging: _Optional[_Union[_paging_pb2.Paging, _Mapping]] = ..., summary: _Optional[_Union[_paging_pb2.Summary, _Mapping]] = ...) -> None: ...

class CreateParameterSetCategoryRequest(_message.Message):
    __slots__ = ("name",)
    NAME_FIELD_NUMBER: _ClassVar[int]
    name: str
    def __init__(self, name: _Optional[str] = ...) -> None: ...

class CreateParameterSetCategoryResponse(_message.Message):
    __slots__ = ("parameter_set_category",)
    PARAMETER_SET_CATEGORY_FIELD_NUMBER: _ClassVar[int]
    parameter_set_category: _parameter_set_pb2.ParameterSetCategory
    def __init__(self, parameter_set_category: _Optional[_Union[_parameter_set_pb2.ParameterSetCategory, _Mapping]] = ...) -> None: ...

class DeleteParameterSetCategoryRequest(_message.Message):
    __slots__ = ("parameter_set_category_id",)
    PARAMETER_SET_CATEGORY_ID_FIELD_NUMBER: _ClassVar[int]
    parameter_set_category_id: str
    def __init__(self, parameter_set_category_id: _Optional[str] = ...) -> None: ...

class DeleteParameterSetCategoryResponse(_message.Message):
    __slots__ = ("parameter_set_category",)
    PARAMETER_SET_CATEGORY_FIELD_NUMBER: _ClassVar[int]
    parameter_set_category: _parameter_set_pb2.ParameterSetCategory
    def __init__(self, parameter_set_category: _Optional[_Union[_parameter_set_pb2.ParameterSetCategory, _Mapping]] = ...) -> None: ...

class ListParameterSetTypesRequest(_message.Message):
    __slots__ = ("page_limit", "before", "after", "sort_by", "order", "show_active", "show_deleted")
    PAGE_LIMIT_FIELD_NUMBER: _ClassVar[int]
    BEFORE_FIELD_NUMBER: _ClassVar[int]
    AFTER_FIELD_NUMBER: _ClassVar[int]
    SORT_BY_FIELD_NUMBER: _ClassVar[int]
    ORDER_FIELD_NUMBER: _ClassVar[int]
    SHOW_ACTIVE_FIELD_NUMBER: _ClassVar[int]
    SHOW_DELETED_FIELD_NUMBER: _ClassVar[int]
    page_limit: int
    before: str
    after: str
    sort_by: str
    order: _paging_pb2.Order
    show_active: bool
    show_deleted: bool
    def __init__(self, page_limit: _Optional[int] = ..., before: _Optional[str] = ..., after: _Optional[str] = ..., sort_by: _Optional[str] = ..., order: _Optional[_Union[_paging_pb2.Order, str]] = ..., show_active: _Optional[bool] = ..., show_deleted: _Optional[bool] = ...) -> None: ...

class ListParameterSetTypesResponse(_message.Message):
    __slots__ = ("parameter_set_types", "paging", "summary")
    PARAMETER_SET_TYPES_FIELD_NUMBER: _ClassVar[int]
    PAGING_FIELD_NUMBER: _ClassVar[int]
    SUMMARY_FIELD_NUMBER: _ClassVar[int]
    parameter_set_types: _containers.RepeatedCompositeFieldContainer[_parameter_set_pb2.ParameterSetType]
    paging: _paging_pb2.Paging
    summary: _paging_pb2.Summary
    def __init__(self, parameter_set_types: _Optional[_Iterable[_Union[_parameter_set_pb2.ParameterSetType, _Mapping]]] = ..., paging: _Optional[_Union[_paging_pb2.Paging, _Mapping]] = ..., summary: _Optional[_Union[_paging_pb2.Summary, _Mapping]] = ...) -> None: ...

class CreateParameterSetTypeRequest(_message.Message):
    __slots__ = ("name", "parameter_set_category_id", "item_type_ids")
    NAME_FIELD_NUMBER: _ClassVar[int]
    PARAMETER_SET_CATEGORY_ID_FIELD_NUMBER: _ClassVar[int]
    ITEM_TYPE_IDS_FIELD_NUMBER: _ClassVar[int]
    name: str
    parameter_set_category_id: str
    item_type_ids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, name: _Optional[str] = ..., parameter_set_category_id: _Optional[str] = ..., item_type_ids: _Optional[_Iterable[str]] = ...) -> None: ...

class CreateParameterSetTypeResponse(_message.Message):
    __slots__ = ("parameter_set_type",)
    PARAMETER_SET_TYPE_FIELD_NUMBER: _ClassVar[int]
    parameter_set_type: _parameter_set_pb2.ParameterSetType
    def __init__(self, parameter_set_type: _Optional[_Union[_parameter_set_pb2.ParameterSetType, _Mapping]] = ...) -> None: ...

class DeleteParameterSetTypeRequest(_message.Message):
    __slots__ = ("parameter_set_type_id",)
    PARAMETER_SET_TYPE_ID_FIELD_NUMBER: _ClassVar[int]
    parameter_set_type_id: str
    def __init__(self, parameter_set_type_id: _Optional[str] = ...) -> None: ...

class DeleteParameterSetTypeResponse(_message.Message):
    __slots__ = ("parameter_set_type",)
    PARAMETER_SET_TYPE_FIELD_NUMBER: _ClassVar[int]
    parameter_set_type: _parameter_set_pb2.ParameterSetType
    def __init__(self, parameter_set_type: _Optional[_Union[_parameter_set_pb2.ParameterSetType, _Mapping]] = ...) -> None: ...

class CreateParameterSetTypeItemsRequest(_message.Message):
    __slots__ = ("parameter_set_type_id", "item_type_ids")
    PARAMETER_SET_TYPE_ID_FIELD_NUMBER: _ClassVar[int]
    ITEM_TYPE_IDS_FIELD_NUMBER: _ClassVar[int]
    parameter_set_type_id: str
    item_type_ids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, parameter_set_type_id: _Optional[str] = ..., item_type_ids: _Optional[_Iterable[str]] = ...) -> None: ...

class CreateParameterSetTypeItemsResponse(_message.Message):
    __slots__ = ("parameter_set_type",)
    PARAMETER_SET_TYPE_FIELD_NUMBER: _ClassVar[int]
    parameter_set_type: _parameter_set_pb2.ParameterSetType
    def __init__(self, parameter_set_type: _Optional[_Union[_parameter_set_pb2.ParameterSetType, _Mapping]] = ...) -> None: ...

class DeleteParameterSetTypeItemRequest(_message.Message):
    __slots__ = ("parameter_set_type_id", "item_type_id")
    PARAMETER_SET_TYPE_ID_FIELD_NUMBER: _ClassVar[int]
    ITEM_TYPE_ID_FIELD_NUMBER: _ClassVar[int]
    parameter_set_type_id: str
    item_type_id: str
    def __init__(self, parameter_set_type_id: _Optional[str] = ..., item_type_id: _Optional[str] = ...) -> None: ...

class DeleteParameterSetTypeItemResponse(_message.Message):
    __slots__ = ("parameter_set_type",)
    PARAMETER_SET_TYPE_FIELD_NUMBER: _ClassVar[int]
    parameter_set_type: _parameter_set_pb2.ParameterSetType
    def __init__(self, parameter_set_type: _Optional[_Union[_parameter_set_pb2.ParameterSetType, _Mapping]] = ...) -> None: ...

class ListParameterSetsRequest(_message.Message):
    __slots__ = ("parameter_set_type_id", "page_limit", "before", "after", "sort_by", "order", "show_active", "show_deleted")
    PARAMETER_SET_TYPE_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_LIMIT_FIELD_NUMBER: _ClassVar[int]
    BEFORE_FIELD_NUMBER: _ClassVar[int]
    AFTER_FIELD_NUMBER: _ClassVar[int]
    SORT_BY_FIELD_NUMBER: _ClassVar[int]
    ORDER_FIELD_NUMBER: _ClassVar[int]
    SHOW_ACTIVE_FIELD_NUMBER: _ClassVar[int]
    SHOW_DELETED_FIELD_NUMBER: _ClassVar[int]
    parameter_set_type_id: _containers.RepeatedScalarFieldContainer[str]
    page_limit: int
    before: str
    after: str
    sort_by: str
    order: _paging_pb2.Order
    show_active: bool
    show_deleted: bool
    def __init__(self, parameter_set_type_id: _Optional[_Iterable[str]] = ..., page_limit: _Optional[int] = ..., before: _Optional[str] = ..., after: _Optional[str] = ..., sort_by: _Optional[str] = ..., order: _Optional[_Union[_paging_pb2.Order, str]] = ..., show_active: _Optional[bool] = ..., show_deleted: _Optional[bool] = ...) -> None: ...

class ListParameterSetsResponse(_message.Message):
    __slots__ = ("parameter_sets", "paging", "summary")
    PARAMETER_SETS_FIELD_NUMBER: _ClassVar[int]
    PAGING_FIELD_NUMBER: _ClassVar[int]
    SUMMARY_FIELD_NUMBER: _ClassVar[int]
    parameter_sets: _containers.RepeatedCompositeFieldContainer[_parameter_set_pb2.ParameterSet]
    paging: _paging_pb2.Paging
    summary: _paging_pb2.Summary
    def __init__(self, parameter_sets: _Optional[_Iterable[_Union[_parameter_set_pb2.ParameterSet, _Mapping]]] = ..., paging: _Optional[_Union[_paging_pb2.Paging, _Mapping]] = ..., summary: _Optional[_Union[_paging_pb2.Summary, _Mapping]] = ...) -> None: ...

class CreateParameterSetRequest(_message.Message):
    __slots__ = ("name", "parameter_set_type_id", "project_id", "asset_id")
    NAME_FIELD_NUMBER: _ClassVar[int]
    PARAMETER_SET_TYPE_ID_FIELD_NUMBER: _ClassVar[int]
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    ASSET_ID_FIELD_NUMBER: _ClassVar[int]
    name: str
    parameter_set_type_id: str
    project_id: str
    asset_id: str
    def __init__(self, name: _Optional[str] = ..., parameter_set_type_id: _Optional[str] = ..., project_id: _Optional[str] = ..., asset_id: _Optional[str] = ...) -> None: ...

class CreateParameterSetResponse(_message.Message):
    __slots__ = ("parameter_set",)
    PARAMETER_SET_FIELD_NUMBER: _ClassVar[int]
    parameter_set: _parameter_set_pb2.ParameterSet
    def __init__(self, parameter_set: _Optional[_Union[_parameter_set_pb2.ParameterSet, _Mapping]] = ...) -> None: ...

class GetParameterSetRequest(_message.Message):
    __slots__ = ("parameter_set_id", "show_deleted", "parameter_set_type_id")
    PARAMETER_SET_ID_FIELD_NUMBER: _ClassVar[int]
    SHOW_DELETED_FIELD_NUMBER: _ClassVar[int]
    PARAMETER_SET_TYPE_ID_FIELD_NUMBER: _ClassVar[int]
    parameter_set_id: str
    show_deleted: bool
    parameter_set_type_id: str
    def __init__(self, parameter_set_id: _Optional[str] = ..., show_deleted: _Optional[bool] = ..., parameter_set_type_id: _Optional[str] = ...) -> None: ...

class GetParameterSetResponse(_message.Message):
    __slots__ = ("parameter_set",)
    PARAMETER_SET_FIELD_NUMBER: _ClassVar[int]
    parameter_set: _parameter_set_pb2.ParameterSet
    def __init__(self, parameter_set: _Optional[_Union[_parameter_set_pb2.ParameterSet, _Mapping]] = ...) -> None: ...

class DeleteParameterSetRequest(_message.Message):
    __slots__ = ("parameter_set_id", "parameter_set_type_id")
    PARAMETER_SET_ID_FIELD_NUMBER: _ClassVar[int]
    PARAMETER_SET_TYPE_ID_FIELD_NUMBER: _ClassVar[int]
    parameter_set_id: str
    parameter_set_type_id: str
    def __init__(self, parameter_set_id: _Optional[str] = ..., parameter_set_type_id: _Optional[str] = ...) -> None: ...

class DeleteParameterSetResponse(_message.Message):
    __slots__ = ("parameter_set",)
    PARAMETER_SET_FIELD_NUMBER: _ClassVar[int]
    parameter_set: _parameter_set_pb2.ParameterSet
    def __init__(self, parameter_set: _Optional[_Union[_parameter_set_pb2.ParameterSet, _Mapping]] = ...) -> None: ...

class ListParameterSetParametersRequest(_message.Message):
    __slots__ = ("parameter_set_id", "page_limit", "before", "after", "sort_by", "order", "show_active", "show_deleted", "parameter_set_type_id")
    PARAMETER_SET_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_LIMIT_FIELD_NUMBER: _ClassVar[int]
    BEFORE_FIELD_NUMBER: _ClassVar[int]
    AFTER_FIELD_NUMBER: _ClassVar[int]
    SORT_BY_FIELD_NUMBER: _ClassVar[int]
    ORDER_FIELD_NUMBER: _ClassVar[int]
    SHOW_ACTIVE_FIELD_NUMBER: _ClassVar[int]
    SHOW_DELETED_FIELD_NUMBER: _ClassVar[int]
    PARAMETER_SET_TYPE_ID_FIELD_NUMBER: _ClassVar[int]
    parameter_set_id: str
    page_limit: int
    before: str
    after: str
    sort_by: str
    order: _paging_pb2.Order
    show_active: bool
    show_deleted: bool
    parameter_set_type_id: str
    def __init__(self, parameter_set_id: _Optional[str] = ..., page_limit: _Optional[int] = ..., before: _Optional[str] = ..., after: _Optional[str] = ..., sort_by: _Optional[str] = ..., order: _Optional[_Union[_paging_pb2.Order, str]] = ..., show_active: _Optional[bool] = ..., show_deleted: _Optional[bool] = ..., parameter_set_type_id: _Optional[str] = ...) -> None: ...

class ListParameterSetParametersResponse(_message.Message):
    __slots__ = ("parameter_set_parameters", "paging", "summary")
    PARAMETER_SET_PARAMETERS_FIELD_NUMBER: _ClassVar[int]
    PAGING_FIELD_NUMBER: _ClassVar[int]
    SUMMARY_FIELD_NUMBER: _ClassVar[int]
    parameter_set_parameters: _containers.RepeatedCompositeFieldContainer[_parameter_set_pb2.ParameterSetParameter]
    paging: _paging_pb2.Paging
    summary: _paging_pb2.Summary
    def __init__(self, parameter_set_parameters: _Optional[_Iterable[_Union[_parameter_set_pb2.ParameterSetParameter, _Mapping]]] = ..., paging: _Optional[_Union[_paging_pb2.Paging, _Mapping]] = ..., summary: _Optional[_Union[_paging_pb2.Summary, _Mapping]] = ...) -> None: ...
