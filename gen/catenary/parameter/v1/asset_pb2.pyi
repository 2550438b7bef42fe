import datetime

from buf.validate import validate_pb2 as _validate_pb2
from catenary.options.v1 import options_pb2 as _options_pb2
from catenary.parameter.v1 import asset_sub_type_pb2 as _asset_sub_type_pb2
from catenary.parameter.v1 import asset_type_pb2 as _asset_type_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Asset(_message.Message):
    __slots__ = ("id", "project_id", "parent", "children", "name", "asset_type", "asset_sub_type", "created_at", "updated_at", "deleted_at")
    ID_FIELD_NUMBER: _ClassVar[int]
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    PARENT_FIELD_NUMBER: _ClassVar[int]
    CHILDREN_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    ASSET_TYPE_FIELD_NUMBER: _ClassVar[int]
    ASSET_SUB_TYPE_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    UPDATED_AT_FIELD_NUMBER: _ClassVar[int]
    DELETED_AT_FIELD_NUMBER: _ClassVar[int]
    id: str
    project_id: str
    parent: str
    children: _containers.RepeatedScalarFieldContainer[str]
    name: str
    asset_type: _asset_type_pb2.AssetType
    asset_sub_type: _asset_sub_type_pb2.AssetSubType
    created_at: _timestamp_pb2.Timestamp
    updated_at: _timestamp_pb2.Timestamp
    deleted_at: _timestamp_pb2.Timestamp
    def __init__(self, id: _Optional[str] = ..., project_id: _Optional[str] = ..., parent: _Optional[str] = ..., children: _Optional[_Iterable[str]] = ..., name: _Optional[str] = ..., asset_type: _Optional[_Union[_asset_type_pb2.AssetType, _Mapping]] = ..., asset_sub_type: _Optional[_Union[_asset_sub_type_pb2.AssetSubType, _Mapping]] = ..., created_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., updated_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., deleted_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class AssetTree(_message.Message):
    __slots__ = ("id", "project_id", "parent", "name", "asset_type", "asset_sub_type", "created_at", "updated_at", "deleted_at", "children")
    ID_FIELD_NUMBER: _ClassVar[int]
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    PARENT_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    ASSET_TYPE_FIELD_NUMBER: _ClassVar[int]
    ASSET_SUB_TYPE_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    UPDATED_AT_FIELD_NUMBER: _ClassVar[int]
    DELETED_AT_FIELD_NUMBER: _ClassVar[int]
    CHILDREN_FIELD_NUMBER: _ClassVar[int]
    id: str
    project_id: str
    parent: str
    name: str
    asset_type: _asset_type_pb2.AssetType
    asset_sub_type: _asset_sub_type_pb2.AssetSubType
    created_at: _timestamp_pb2.Timestamp
    updated_at: _timestamp_pb2.Timestamp
    deleted_at: _timestamp_pb2.Timestamp
    children: _containers.RepeatedCompositeFieldContainer[AssetTree]
    def __init__(self, id: _Optional[str] = ..., project_id: _Optional[str] = ..., parent: _Optional[str] = ..., name: _Optional[str] = ..., asset_type: _Optional[_Union[_asset_type_pb2.AssetType, _Mapping]] = ..., asset_sub_type: _Optional[_Union[_asset_sub_type_pb2.AssetSubType, _Mapping]] = ..., created_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., updated_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., deleted_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., children: _Optional[_Iterable[_Union[AssetTree, _Mapping]]] = ...) -> None: ...

class HierarchyElement(_message.Message):
    __slots__ = ("id", "name", "asset_type_id")
    ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    ASSET_TYPE_ID_FIELD_NUMBER: _ClassVar[int]
    id: str
    name: str
    asset_type_id: str
    def __init__(self, id: _Optional[str] = ..., name: _Optional[str] = ..., asset_type_id: _Optional[str] = ...) -> None: ...

class Hierarchy(_message.Message):
    __slots__ = ("elements",)
    ELEMENTS_FIELD_NUMBER: _ClassVar[int]
    elements: _containers.RepeatedCompositeFieldContainer[HierarchyElement]
    def __init__(self, elements: _Optional[_Iterable[_Union[HierarchyElement, _Mapping]]] = ...) -> None: ...
