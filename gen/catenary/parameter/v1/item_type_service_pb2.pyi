from buf.validate import validate_pb2 as _validate_pb2
from catenary.options.v1 import options_pb2 as _options_pb2
from catenary.parameter.v1 import item_type_pb2 as _item_type_pb2
from catenary.type.v1 import paging_pb2 as _paging_pb2
from google.api import annotations_pb2 as _annotations_pb2
from google.protobuf import field_mask_pb2 as _field_mask_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ListItemTypesRequest(_message.Message):
    __slots__ = ("item_type_id", "parameter_type_id", "asset_type_id", "page_limit", "before", "after", "sort_by", "order", "show_active", "show_deleted", "offset")
    ITEM_TYPE_ID_FIELD_NUMBER: _ClassVar[int]
    PARAMETER_TYPE_ID_FIELD_NUMBER: _ClassVar[int]
    ASSET_TYPE_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_LIMIT_FIELD_NUMBER: _ClassVar[int]
    BEFORE_FIELD_NUMBER: _ClassVar[int]
    AFTER_FIELD_NUMBER: _ClassVar[int]
    SORT_BY_FIELD_NUMBER: _ClassVar[int]
    ORDER_FIELD_NUMBER: _ClassVar[int]
    SHOW_ACTIVE_FIELD_NUMBER: _ClassVar[int]
    SHOW_DELETED_FIELD_NUMBER: _ClassVar[int]
    OFFSET_FIELD_NUMBER: _ClassVar[int]
    item_type_id: _containers.RepeatedScalarFieldContainer[str]
    parameter_type_id: _containers.RepeatedScalarFieldContainer[str]
    asset_type_id: _containers.RepeatedScalarFieldContainer[str]
    page_limit: int
    before: str
    after: str
    sort_by: str
    order: _paging_pb2.Order
    show_active: bool
    show_deleted: bool
    offset: int
    def __init__(self, item_type_id: _Optional[_Iterable[str]] = ..., parameter_type_id: _Optional[_Iterable[str]] = ..., asset_type_id: _Optional[_Iterable[str]] = ..., page_limit: _Optional[int] = ..., before: _Optional[str] = ..., after: _Optional[str] = ..., sort_by: _Optional[str] = ..., order: _Optional[_Union[_paging_pb2.Order, str]] = ..., show_active: _Optional[bool] = ..., show_deleted: _Optional[bool] = ..., offset: _Optional[int] = ...) -> None: ...

class ListItemTypesResponse(_message.Message):
    __slots__ = ("item_types", "paging", "summary")
    ITEM_TYPES_FIELD_NUMBER: _ClassVar[int]
    PAGING_FIELD_NUMBER: _ClassVar[int]
    SUMMARY_FIELD_NUMBER: _ClassVar[int]
    item_types: _containers.RepeatedCompositeFieldContainer[_item_type_pb2.ItemType]
    paging: _paging_pb2.Paging
    summary: _paging_pb2.Summary
    def __init__(self, item_types: _Optional[_Iterable[_Union[_item_type_pb2.ItemType, _Mapping]]] = ..., paging: _Optional[_Union[_paging_pb2.Paging, _Mapping]] = ..., summary: _Optional[_Union[_paging_pb2.Summary, _Mapping]] = ...) -> None: ...

class CreateItemTypesRequest(_message.Message):
    __slots__ = ("item_types",)
    ITEM_TYPES_FIELD_NUMBER: _ClassVar[int]
    item_types: _containers.RepeatedCompositeFieldContainer[NewItemType]
    def __init__(self, item_types: _Optional[_Iterable[_Union[NewItemType, _Mapping]]] = ...) -> None: ...

class CreateItemTypesResponse(_message.Message):
    __slots__ = ("item_types",)
    ITEM_TYPES_FIELD_NUMBER: _ClassVar[int]
    item_types: _containers.RepeatedCompositeFieldContainer[_item_type_pb2.ItemType]
    def __init__(self, item_types: _Optional[_Iterable[_Union[_item_type_pb2.ItemType, _Mapping]]] = ...) -> None: ...

class UpdateItemTypeRequest(_message.Message):
    __slots__ = ("item_type_id", "parameter_type_id", "asset_type_id", "asset_sub_type_id", "update_mask")
    ITEM_TYPE_ID_FIELD_NUMBER: _ClassVar[int]
    PARAMETER_TYPE_ID_FIELD_NUMBER: _ClassVar[int]
    ASSET_TYPE_ID_FIELD_NUMBER: _ClassVar[int]
    ASSET_SUB_TYPE_ID_FIELD_NUMBER: _ClassVar[int]
    UPDATE_MASK_FIELD_NUMBER: _ClassVar[int]
    item_type_id: str
    parameter_type_id: str
    asset_type_id: str
    asset_sub_type_id: str
    update_mask: _field_mask_pb2.FieldMask
    def __init__(self, item_type_id: _Optional[str] = ..., parameter_type_id: _Optional[str] = ..., asset_type_id: _Optional[str] = ..., asset_sub_type_id: _Optional[str] = ..., update_mask: _Optional[_Union[_field_mask_pb2.FieldMask, _Mapping]] = ...) -> None: ...

class UpdateItemTypeResponse(_message.Message):
    __slots__ = ("item_type",)
    ITEM_TYPE_FIELD_NUMBER: _ClassVar[int]
    item_type: _item_type_pb2.ItemType
    def __init__(self, item_type: _Optional[_Union[_item_type_pb2.ItemType, _Mapping]] = ...) -> None: ...

class DeleteItemTypeRequest(_message.Message):
    __slots__ = ("item_type_id",)
    ITEM_TYPE_ID_FIELD_NUMBER: _ClassVar[int]
    item_type_id: str
    def __init__(self, item_type_id: _Optional[str] = ...) -> None: ...

class DeleteItemTypeResponse(_message.Message):
    __slots__ = ("item_type",)
    ITEM_TYPE_FIELD_NUMBER: _ClassVar[int]
    item_type: _item_type_pb2.ItemType
    def __init__(self, item_type: _Optional[_Union[_item_type_pb2.ItemType, _Mapping]] = ...) -> None: ...

class NewItemType(_message.Message):
    __slots__ = ("id", "parameter_type_id", "asset_type_id", "asset_sub_type_id")
    ID_FIELD_NUMBER: _ClassVar[int]
    PARAMETER_TYPE_ID_FIELD_NUMBER: _ClassVar[int]
    ASSET_TYPE_ID_FIELD_NUMBER: _ClassVar[int]
    ASSET_SUB_TYPE_ID_FIELD_NUMBER: _ClassVar[int]
    id: str
    parameter_type_id: str
    asset_type_id: str
    asset_sub_type_id: str
    def __init__(self, id: _Optional[str] = ..., parameter_type_id: _Optional[str] = ..., asset_type_id: _Optional[str] = ..., asset_sub_type_id: _Optional[str] = ...) -> None: ...
