import datetime

from buf.validate import validate_pb2 as _validate_pb2
from catenary.options.v1 import options_pb2 as _options_pb2
from catenary.parameter.v1 import asset_sub_type_pb2 as _asset_sub_type_pb2
from catenary.parameter.v1 import entry_pb2 as _entry_pb2
from catenary.parameter.v1 import item_type_pb2 as _item_type_pb2
from catenary.parameter.v1 import parameter_type_pb2 as _parameter_type_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ParameterSetCategory(_message.Message):
    __slots__ = ("id", "name", "created_at", "updated_at", "deleted_at")
    ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    UPDATED_AT_FIELD_NUMBER: _ClassVar[int]
    DELETED_AT_FIELD_NUMBER: _ClassVar[int]
    id: str
    name: str
    created_at: _timestamp_pb2.Timestamp
    updated_at: _timestamp_pb2.Timestamp
    deleted_at: _timestamp_pb2.Timestamp
    def __init__(self, id: _Optional[str] = ..., name: _Optional[str] = ..., created_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., updated_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., deleted_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class ParameterSetType(_message.Message):
    __slots__ = ("id", "name", "parameter_set_category_id", "items", "created_at", "updated_at", "deleted_at")
    ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    PARAMETER_SET_CATEGORY_ID_FIELD_NUMBER: _ClassVar[int]
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    UPDATED_AT_FIELD_NUMBER: _ClassVar[int]
    DELETED_AT_FIELD_NUMBER: _ClassVar[int]
    id: str
    name: str
    parameter_set_category_id: str
    items: _containers.RepeatedCompositeFieldContainer[_item_type_pb2.ItemType]
    created_at: _timestamp_pb2.Timestamp
    updated_at: _timestamp_pb2.Timestamp
    deleted_at: _timestamp_pb2.Timestamp
    def __init__(self, id: _Optional[str] = ..., name: _Optional[str] = ..., parameter_set_category_id: _Optional[str] = ..., items: _Optional[_Iterable[_Union[_item_type_pb2.ItemType, _Mapping]]] = ..., created_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., updated_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., deleted_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class ParameterSet(_message.Message):
    __slots__ = ("id", "name", "parameter_set_type_id", "project_id", "asset_id", "created_at", "updated_at", "deleted_at")
    ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    PARAMETER_SET_TYPE_ID_FIELD_NUMBER: _ClassVar[int]
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    ASSET_ID_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    UPDATED_AT_FIELD_NUMBER: _ClassVar[int]
    DELETED_AT_FIELD_NUMBER: _ClassVar[int]
    id: str
    name: str
    parameter_set_type_id: str
    project_id: str
    asset_id: str
    created_at: _timestamp_pb2.Timestamp
    updated_at: _timestamp_pb2.Timestamp
    deleted_at: _timestamp_pb2.Timestamp
    def __init__(self, id: _Optional[str] = ..., name: _Optional[str] = ..., parameter_set_type_id: _Optional[str] = ..., project_id: _Optional[str] = ..., asset_id: _Optional[str] = ..., created_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., updated_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., deleted_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class ParameterSetParameter(_message.Message):
    __slots__ = ("id", "project_id", "parameter_type", "parents", "selected_entry")
    ID_FIELD_NUMBER: _ClassVar[int]
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    PARAMETER_TYPE_FIELD_NUMBER: _ClassVar[int]
    PARENTS_FIELD_NUMBER: _ClassVar[int]
    SELECTED_ENTRY_FIELD_NUMBER: _ClassVar[int]
    id: str
    project_id: str
    parameter_type: _parameter_type_pb2.ParameterTypeReference
    parents: _containers.RepeatedCompositeFieldContainer[ParameterSetParent]
    selected_entry: _entry_pb2.SelectedEntry
    def __init__(self, id: _Optional[str] = ..., project_id: _Optional[str] = ..., parameter_type: _Optional[_Union[_parameter_type_pb2.ParameterTypeReference, _Mapping]] = ..., parents: _Optional[_Iterable[_Union[ParameterSetParent, _Mapping]]] = ..., selected_entry: _Optional[_Union[_entry_pb2.SelectedEntry, _Mapping]] = ...) -> None: ...

class ParameterSetParent(_message.Message):
    __slots__ = ("id", "asset_sub_type", "children", "name", "parent", "asset_type")
    ID_FIELD_NUMBER: _ClassVar[int]
    ASSET_SUB_TYPE_FIELD_NUMBER: _ClassVar[int]
    CHILDREN_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    PARENT_FIELD_NUMBER: _ClassVar[int]
    ASSET_TYPE_FIELD_NUMBER: _ClassVar[int]
    id: str
    asset_sub_type: _asset_sub_type_pb2.AssetSubType
    children: _containers.RepeatedScalarFieldContainer[str]
    name: str
    parent: str
    asset_type: ParameterSetAssetType
    def __init__(self, id: _Optional[str] = ..., asset_sub_type: _Optional[_Union[_asset_sub_type_pb2.AssetSubType, _Mapping]] = ..., children: _Optional[_Iterable[str]] = ..., name: _Optional[str] = ..., parent: _Optional[str] = ..., asset_type: _Optional[_Union[ParameterSetAssetType, _Mapping]] = ...) -> None: ...

class ParameterSetAssetType(_message.Message):
    __slots__ = ("id", "name", "parent_id")
    ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    PARENT_ID_FIELD_NUMBER: _ClassVar[int]
    id: str
    name: str
    parent_id: str
    def __init__(self, id: _Optional[str] = ..., name: _Optional[str] = ..., parent_id: _Optional[str] = ...) -> None: ...
