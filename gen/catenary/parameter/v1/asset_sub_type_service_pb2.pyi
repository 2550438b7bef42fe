from buf.validate import validate_pb2 as _validate_pb2
from catenary.options.v1 import options_pb2 as _options_pb2
from catenary.parameter.v1 import asset_sub_type_pb2 as _asset_sub_type_pb2
from catenary.type.v1 import paging_pb2 as _paging_pb2
from google.api import annotations_pb2 as _annotations_pb2
from google.protobuf import field_mask_pb2 as _field_mask_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ListAssetSubTypesRequest(_message.Message):
    __slots__ = ("asset_type_id", "page_limit", "before", "after", "sort_by", "order", "show_active", "show_deleted")
    ASSET_TYPE_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_LIMIT_FIELD_NUMBER: _ClassVar[int]
    BEFORE_FIELD_NUMBER: _ClassVar[int]
    AFTER_FIELD_NUMBER: _ClassVar[int]
    SORT_BY_FIELD_NUMBER: _ClassVar[int]
    ORDER_FIELD_NUMBER: _ClassVar[int]
    SHOW_ACTIVE_FIELD_NUMBER: _ClassVar[int]
    SHOW_DELETED_FIELD_NUMBER: _ClassVar[int]
    asset_type_id: str
    page_limit: int
    before: str
    after: str
    sort_by: str
    order: _paging_pb2.Order
    show_active: bool
    show_deleted: bool
    def __init__(self, asset_type_id: _Optional[str] = ..., page_limit: _Optional[int] = ..., before: _Optional[str] = ..., after: _Optional[str] = ..., sort_by: _Optional[str] = ..., order: _Optional[_Union[_paging_pb2.Order, str]] = ..., show_active: _Optional[bool] = ..., show_deleted: _Optional[bool] = ...) -> None: ...

class ListAssetSubTypesResponse(_message.Message):
    __slots__ = ("asset_sub_types", "paging", "summary")
    ASSET_SUB_TYPES_FIELD_NUMBER: _ClassVar[int]
    PAGING_FIELD_NUMBER: _ClassVar[int]
    SUMMARY_FIELD_NUMBER: _ClassVar[int]
    asset_sub_types: _containers.RepeatedCompositeFieldContainer[_asset_sub_type_pb2.AssetSubType]
    paging: _paging_pb2.Paging
    summary: _paging_pb2.Summary
    def __init__(self, asset_sub_types: _Optional[_Iterable[_Union[_asset_sub_type_pb2.AssetSubType, _Mapping]]] = ..., paging: _Optional[_Union[_paging_pb2.Paging, _Mapping]] = ..., summary: _Optional[_Union[_paging_pb2.Summary, _Mapping]] = ...) -> None: ...

class CreateAssetSubTypesRequest(_message.Message):
    __slots__ = ("asset_type_id", "asset_sub_types")
    ASSET_TYPE_ID_FIELD_NUMBER: _ClassVar[int]
    ASSET_SUB_TYPES_FIELD_NUMBER: _ClassVar[int]
    asset_type_id: str
    asset_sub_types: _containers.RepeatedCompositeFieldContainer[NewAssetSubType]
    def __init__(self, asset_type_id: _Optional[str] = ..., asset_sub_types: _Optional[_Iterable[_Union[NewAssetSubType, _Mapping]]] = ...) -> None: ...

class CreateAssetSubTypesResponse(_message.Message):
    __slots__ = ("asset_sub_types",)
    ASSET_SUB_TYPES_FIELD_NUMBER: _ClassVar[int]
    asset_sub_types: _containers.RepeatedCompositeFieldContainer[_asset_sub_type_pb2.AssetSubType]
    def __init__(self, asset_sub_types: _Optional[_Iterable[_Union[_asset_sub_type_pb2.AssetSubType, _Mapping]]] = ...) -> None: ...

class UpdateAssetSubTypeRequest(_message.Message):
    __slots__ = ("asset_type_id", "asset_sub_type_id", "name", "parent_asset_sub_type_id", "update_mask")
    ASSET_TYPE_ID_FIELD_NUMBER: _ClassVar[int]
    ASSET_SUB_TYPE_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    PARENT_ASSET_SUB_TYPE_ID_FIELD_NUMBER: _ClassVar[int]
    UPDATE_MASK_FIELD_NUMBER: _ClassVar[int]
    asset_type_id: str
    asset_sub_type_id: str
    name: str
    parent_asset_sub_type_id: str
    update_mask: _field_mask_pb2.FieldMask
    def __init__(self, asset_type_id: _Optional[str] = ..., asset_sub_type_id: _Optional[str] = ..., name: _Optional[str] = ..., parent_asset_sub_type_id: _Optional[str] = ..., update_mask: _Optional[_Union[_field_mask_pb2.FieldMask, _Mapping]] = ...) -> None: ...

class UpdateAssetSubTypeResponse(_message.Message):
    __slots__ = ("asset_sub_type",)
    ASSET_SUB_TYPE_FIELD_NUMBER: _ClassVar[int]
    asset_sub_type: _asset_sub_type_pb2.AssetSubType
    def __init__(self, asset_sub_type: _Optional[_Union[_asset_sub_type_pb2.AssetSubType, _Mapping]] = ...) -> None: ...

class DeleteAssetSubTypeRequest(_message.Message):
    __slots__ = ("asset_type_id", "asset_sub_type_id")
    ASSET_TYPE_ID_FIELD_NUMBER: _ClassVar[int]
    ASSET_SUB_TYPE_ID_FIELD_NUMBER: _ClassVar[int]
    asset_type_id: str
    asset_sub_type_id: str
    def __init__(self, asset_type_id: _Optional[str] = ..., asset_sub_type_id: _Optional[str] = ...) -> None: ...

class DeleteAssetSubTypeResponse(_message.Message):
    __slots__ = ("asset_sub_type",)
    ASSET_SUB_TYPE_FIELD_NUMBER: _ClassVar[int]
    asset_sub_type: _asset_sub_type_pb2.AssetSubType
    def __init__(self, asset_sub_type: _Optional[_Union[_asset_sub_type_pb2.AssetSubType, _Mapping]] = ...) -> None: ...

class NewAssetSubType(_message.Message):
    __slots__ = ("id", "name", "parent_asset_sub_type_id")
    ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    PARENT_ASSET_SUB_TYPE_ID_FIELD_NUMBER: _ClassVar[int]
    id: str
    name: str
    parent_asset_sub_type_id: str
    def __init__(self, id: _Optional[str] = ..., name: _Optional[str] = ..., parent_asset_sub_type_id: _Optional[str] = ...) -> None: ...
