from buf.validate import validate_pb2 as _validate_pb2
from catenary.options.v1 import options_pb2 as _options_pb2
from catenary.parameter.v1 import asset_pb2 as _asset_pb2
from catenary.type.v1 import paging_pb2 as _paging_pb2
from google.api import annotations_pb2 as _annotations_pb2
from google.protobuf import field_mask_pb2 as _field_mask_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ListAssetsRequest(_message.Message):
    __slots__ = ("asset_id", "project_id", "asset_type_id", "parent_id", "descendants_of", "search", "page_limit", "before", "after", "sort_by", "order", "show_active", "show_deleted")
    ASSET_ID_FIELD_NUMBER: _ClassVar[int]
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    ASSET_TYPE_ID_FIELD_NUMBER: _ClassVar[int]
    PARENT_ID_FIELD_NUMBER: _ClassVar[int]
    DESCENDANTS_OF_FIELD_NUMBER: _ClassVar[int]
    SEARCH_FIELD_NUMBER: _ClassVar[int]
    PAGE_LIMIT_FIELD_NUMBER: _ClassVar[int]
    BEFORE_FIELD_NUMBER: _ClassVar[int]
    AFTER_FIELD_NUMBER: _ClassVar[int]
    SORT_BY_FIELD_NUMBER: _ClassVar[int]
    ORDER_FIELD_NUMBER: _ClassVar[int]
    SHOW_ACTIVE_FIELD_NUMBER: _ClassVar[int]
    SHOW_DELETED_FIELD_NUMBER: _ClassVar[int]
    asset_id: _containers.RepeatedScalarFieldContainer[str]
    project_id: _containers.RepeatedScalarFieldContainer[str]
    asset_type_id: _containers.RepeatedScalarFieldContainer[str]
    parent_id: _containers.RepeatedScalarFieldContainer[str]
    descendants_of: _containers.RepeatedScalarFieldContainer[str]
    search: str
    page_limit: int
    before: str
    after: str
    sort_by: str
    order: _paging_pb2.Order
    show_active: bool
    show_deleted: bool
    def __init__(self, asset_id: _Optional[_Iterable[str]] = ..., project_id: _Optional[_Iterable[str]] = ..., asset_type_id: _Optional[_Iterable[str]] = ..., parent_id: _Optional[_Iterable[str]] = ..., descendants_of: _Optional[_Iterable[str]] = ..., search: _Optional[str] = ..., page_limit: _Optional[int] = ..., before: _Optional[str] = ..., after: _Optional[str] = ..., sort_by: _Optional[str] = ..., order: _Optional[_Union[_paging_pb2.Order, str]] = ..., show_active: _Optional[bool] = ..., show_deleted: _Optional[bool] = ...) -> None: ...

class ListAssetsResponse(_message.Message):
    __slots__ = ("assets", "paging", "summary")
    ASSETS_FIELD_NUMBER: _ClassVar[int]
    PAGING_FIELD_NUMBER: _ClassVar[int]
    SUMMARY_FIELD_NUMBER: _ClassVar[int]
    assets: _containers.RepeatedCompositeFieldContainer[_asset_pb2.Asset]
    paging: _paging_pb2.Paging
    summary: _paging_pb2.Summary
    def __init__(self, assets: _Optional[_Iterable[_Union[_asset_pb2.Asset, _Mapping]]] = ..., paging: _Optional[_Union[_paging_pb2.Paging, _Mapping]] = ..., summary: _Optional[_Union[_paging_pb2.Summary, _Mapping]] = ...) -> None: ...

class CreateAssetsRequest(_message.Message):
    __slots__ = ("assets", "refuse_equal")
    ASSETS_FIELD_NUMBER: _ClassVar[int]
    REFUSE_EQUAL_FIELD_NUMBER: _ClassVar[int]
    assets: _containers.RepeatedCompositeFieldContainer[NewAsset]
    refuse_equal: bool
    def __init__(self, assets: _Optional[_Iterable[_Union[NewAsset, _Mapping]]] = ..., refuse_equal: _Optional[bool] = ...) -> None: ...

class CreateAssetsResponse(_message.Message):
    __slots__ = ("assets",)
    ASSETS_FIELD_NUMBER: _ClassVar[int]
    assets: _containers.RepeatedCompositeFieldContainer[_asset_pb2.Asset]
    def __init__(self, assets: _Optional[_Iterable[_Union[_asset_pb2.Asset, _Mapping]]] = ...) -> None: ...

class GetAssetRequest(_message.Message):
    __slots__ = ("asset_id", "show_deleted")
    ASSET_ID_FIELD_NUMBER: _ClassVar[int]
    SHOW_DELETED_FIELD_NUMBER: _ClassVar[int]
    asset_id: str
    show_deleted: bool
    def __init__(self, asset_id: _Optional[str] = ..., show_deleted: _Optional[bool] = ...) -> None: ...

class GetAssetResponse(_message.Message):
    __slots__ = ("asset",)
    ASSET_FIELD_NUMBER: _ClassVar[int]
    asset: _asset_pb2.Asset
    def __init__(self, asset: _Optional[_Union[_asset_pb2.Asset, _Mapping]] = ...) -> None: ...

class UpdateAssetRequest(_message.Message):
    __slots__ = ("asset_id", "name", "parent_id", "update_mask")
    ASSET_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    PARENT_ID_FIELD_NUMBER: _ClassVar[int]
    UPDATE_MASK_FIELD_NUMBER: _ClassVar[int]
    asset_id: str
    name: str
    parent_id: str
    update_mask: _field_mask_pb2.FieldMask
    def __init__(self, asset_id: _Optional[str] = ..., name: _Optional[str] = ..., parent_id: _Optional[str] = ..., update_mask: _Optional[_Union[_field_mask_pb2.FieldMask, _Mapping]] = ...) -> None: ...

class UpdateAssetResponse(_message.Message):
    __slots__ = ("asset",)
    ASSET_FIELD_NUMBER: _ClassVar[int]
    asset: _asset_pb2.Asset
    def __init__(self, asset: _Optional[_Union[_asset_pb2.Asset, _Mapping]] = ...) -> None: ...

class DeleteAssetRequest(_message.Message):
    __slots__ = ("asset_id",)
    ASSET_ID_FIELD_NUMBER: _ClassVar[int]
    asset_id: str
    def __init__(self, asset_id: _Optional[str] = ...) -> None: ...

class DeleteAssetResponse(_message.Message):
    __slots__ = ("asset",)
    ASSET_FIELD_NUMBER: _ClassVar[int]
    asset: _asset_pb2.Asset
    def __init__(self, asset: _Optional[_Union[_asset_pb2.Asset, _Mapping]] = ...) -> None: ...

class ListHierarchiesRequest(_message.Message):
    __slots__ = ("asset_ids",)
    ASSET_IDS_FIELD_NUMBER: _ClassVar[int]
    asset_ids: str
    def __init__(self, asset_ids: _Optional[str] = ...) -> None: ...

class ListHierarchiesResponse(_message.Message):
    __slots__ = ("hierarchies",)
    HIERARCHIES_FIELD_NUMBER: _ClassVar[int]
    hierarchies: _containers.RepeatedCompositeFieldContainer[_asset_pb2.Hierarchy]
    def __init__(self, hierarchies: _Optional[_Iterable[_Union[_asset_pb2.Hierarchy, _Mapping]]] = ...) -> None: ...

class GetAssetTreeRequest(_message.Message):
    __slots__ = ("asset_id",)
    ASSET_ID_FIELD_NUMBER: _ClassVar[int]
    asset_id: str
    def __init__(self, asset_id: _Optional[str] = ...) -> None: ...

class GetAssetTreeResponse(_message.Message):
    __slots__ = ("asset_tree",)
    ASSET_TREE_FIELD_NUMBER: _ClassVar[int]
    asset_tree: _asset_pb2.AssetTree
    def __init__(self, asset_tree: _Optional[_Union[_asset_pb2.AssetTree, _Mapping]] = ...) -> None: ...

class NewAsset(_message.Message):
    __slots__ = ("id", "project_id", "parent_id", "name", "asset_type_id", "asset_sub_type_id")
    ID_FIELD_NUMBER: _ClassVar[int]
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    PARENT_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    ASSET_TYPE_ID_FIELD_NUMBER: _ClassVar[int]
    ASSET_SUB_TYPE_ID_FIELD_NUMBER: _ClassVar[int]
    id: str
    project_id: str
    parent_id: str
    name: str
    asset_type_id: str
    asset_sub_type_id: str
    def __init__(self, id: _Optional[str] = ..., project_id: _Optional[str] = ..., parent_id: _Optional[str] = ..., name: _Optional[str] = ..., asset_type_id: _Optional[str] = ..., asset_sub_type_id: _Optional[str] = ...) -> None: ...
