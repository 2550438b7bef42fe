from buf.validate import validate_pb2 as _validate_pb2
from catenary.options.v1 import options_pb2 as _options_pb2
from catenary.parameter.v1 import asset_type_pb2 as _asset_type_pb2
from catenary.type.v1 import paging_pb2 as _paging_pb2
from google.api import annotations_pb2 as _annotations_pb2
from google.protobuf import field_mask_pb2 as _field_mask_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ListAssetTypesRequest(_message.Message):
    __slots__ = ("asset_type_id", "asset_type_group_id", "project_id", "parent_asset_id", "page_limit", "before", "after", "sort_by", "order", "show_active", "show_deleted")
    ASSET_TYPE_ID_FIELD_NUMBER: _ClassVar[int]
    ASSET_TYPE_GROUP_ID_FIELD_NUMBER: _ClassVar[int]
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    PARENT_ASSET_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_LIMIT_FIELD_NUMBER: _ClassVar[int]
    BEFORE_FIELD_NUMBER: _ClassVar[int]
    AFTER_FIELD_NUMBER: _ClassVar[int]
    SORT_BY_FIELD_NUMBER: _ClassVar[int]
    ORDER_FIELD_NUMBER: _ClassVar[int]
    SHOW_ACTIVE_FIELD_NUMBER: _ClassVar[int]
    SHOW_DELETED_FIELD_NUMBER: _ClassVar[int]
    asset_type_id: _containers.RepeatedScalarFieldContainer[str]
    asset_type_group_id: _containers.RepeatedScalarFieldContainer[str]
    project_id: _containers.RepeatedScalarFieldContainer[str]
    parent_asset_id: _containers.RepeatedScalarFieldContainer[str]
    page_limit: int
    before: str
    after: str
    sort_by: str
    order: _paging_pb2.Order
    show_active: bool
    show_deleted: bool
    def __init__(self, asset_type_id: _Optional[_Iterable[str]] = ..., asset_type_group_id: _Optional[_Iterable[str]] = ..., project_id: _Optional[_Iterable[str]] = ..., parent_asset_id: _Optional[_Iterable[str]] = ..., page_limit: _Optional[int] = ..., before: _Optional[str] = ..., after: _Optional[str] = ..., sort_by: _Optional[str] = ..., order: _Optional[_Union[_paging_pb2.Order, str]] = ..., show_active: _Optional[bool] = ..., show_deleted: _Optional[bool] = ...) -> None: ...

class ListAssetTypesResponse(_message.Message):
    __slots__ = ("asset_types", "paging", "summary")
    ASSET_TYPES_FIELD_NUMBER: _ClassVar[int]
    PAGING_FIELD_NUMBER: _ClassVar[int]
    SUMMARY_FIELD_NUMBER: _ClassVar[int]
    asset_types: _containers.RepeatedCompositeFieldContainer[_asset_type_pb2.AssetType]
    paging: _paging_pb2.Paging
    summary: _paging_pb2.Summary
    def __init__(self, asset_types: _Optional[_Iterable[_Union[_asset_type_pb2.AssetType, _Mapping]]] = ..., paging: _Optional[_Union[_paging_pb2.Paging, _Mapping]] = ..., summary: _Optional[_Union[_paging_pb2.Summary, _Mapping]] = ...) -> None: ...

class CreateAssetTypesRequest(_message.Message):
    __slots__ = ("asset_types",)
    ASSET_TYPES_FIELD_NUMBER: _ClassVar[int]
    asset_types: _containers.RepeatedCompositeFieldContainer[NewAssetType]
    def __init__(self, asset_types: _Optional[_Iterable[_Union[NewAssetType, _Mapping]]] = ...) -> None: ...

class CreateAssetTypesResponse(_message.Message):
    __slots__ = ("asset_types",)
    ASSET_TYPES_FIELD_NUMBER: _ClassVar[int]
    asset_types: _containers.RepeatedCompositeFieldContainer[_asset_type_pb2.AssetType]
    def __init__(self, asset_types: _Optional[_Iterable[_Union[_asset_type_pb2.AssetType, _Mapping]]] = ...) -> None: ...

class UpdateAssetTypeRequest(_message.Message):
    __slots__ = ("asset_type_id", "name", "asset_type_group_id", "parent_id", "asset_sub_type", "update_mask")
    ASSET_TYPE_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    ASSET_TYPE_GROUP_ID_FIELD_NUMBER: _ClassVar[int]
    PARENT_ID_FIELD_NUMBER: _ClassVar[int]
    ASSET_SUB_TYPE_FIELD_NUMBER: _ClassVar[int]
    UPDATE_MASK_FIELD_NUMBER: _ClassVar[int]
    asset_type_id: str
    name: str
    asset_type_group_id: str
    parent_id: str
    asset_sub_type: bool
    update_mask: _field_mask_pb2.FieldMask
    def __init__(self, asset_type_id: _Optional[str] = ..., name: _Optional[str] = ..., asset_type_group_id: _Optional[str] = ..., parent_id: _Optional[str] = ..., asset_sub_type: _Optional[bool] = ..., update_mask: _Optional[_Union[_field_mask_pb2.FieldMask, _Mapping]] = ...) -> None: ...

class UpdateAssetTypeResponse(_message.Message):
    __slots__ = ("asset_type",)
    ASSET_TYPE_FIELD_NUMBER: _ClassVar[int]
    asset_type: _asset_type_pb2.AssetType
    def __init__(self, asset_type: _Optional[_Union[_asset_type_pb2.AssetType, _Mapping]] = ...) -> None: ...

class DeleteAssetTypeRequest(_message.Message):
    __slots__ = ("asset_type_id",)
    ASSET_TYPE_ID_FIELD_NUMBER: _ClassVar[int]
    asset_type_id: str
    def __init__(self, asset_type_id: _Optional[str] = ...) -> None: ...

class DeleteAssetTypeResponse(_message.Message):
    __slots__ = ("asset_type",)
    ASSET_TYPE_FIELD_NUMBER: _ClassVar[int]
    asset_type: _asset_type_pb2.AssetType
    def __init__(self, asset_type: _Optional[_Union[_asset_type_pb2.AssetType, _Mapping]] = ...) -> None: ...

class GetAssetTypeTreeRequest(_message.Message):
    __slots__ = ("asset_type_id",)
    ASSET_TYPE_ID_FIELD_NUMBER: _ClassVar[int]
    asset_type_id: str
    def __init__(self, asset_type_id: _Optional[str] = ...) -> None: ...

class GetAssetTypeTreeResponse(_message.Message):
    __slots__ = ("asset_type_tree",)
    ASSET_TYPE_TREE_FIELD_NUMBER: _ClassVar[int]
    asset_type_tree: _asset_type_pb2.AssetTypeTree
    def __init__(self, asset_type_tree: _Optional[_Union[_asset_type_pb2.AssetTypeTree, _Mapping]] = ...) -> None: ...

class NewAssetType(_message.Message):
    __slots__ = ("id", "name", "asset_type_group_id", "parent_id", "asset_sub_type")
    ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    ASSET_TYPE_GROUP_ID_FIELD_NUMBER: _ClassVar[int]
    PARENT_ID_FIELD_NUMBER: _ClassVar[int]
    ASSET_SUB_TYPE_FIELD_NUMBER: _ClassVar[int]
    id: str
    name: str
    asset_type_group_id: str
    parent_id: str
    asset_sub_type: bool
    def __init__(self, id: _Optional[str] = ..., name: _Optional[str] = ..., asset_type_group_id: _Optional[str] = ..., parent_id: _Optional[str] = ..., asset_sub_type: _Optional[bool] = ...) -> None: ...
