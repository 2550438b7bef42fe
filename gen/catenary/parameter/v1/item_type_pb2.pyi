import datetime

from catenary.options.v1 import options_pb2 as _options_pb2
from catenary.parameter.v1 import asset_sub_type_pb2 as _asset_sub_type_pb2
from catenary.parameter.v1 import asset_type_pb2 as _asset_type_pb2
from catenary.parameter.v1 import parameter_type_pb2 as _parameter_type_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ItemType(_message.Message):
    __slots__ = ("id", "parameter_type", "asset_type", "asset_sub_type", "created_at", "updated_at", "deleted_at")
    ID_FIELD_NUMBER: _ClassVar[int]
    PARAMETER_TYPE_FIELD_NUMBER: _ClassVar[int]
    ASSET_TYPE_FIELD_NUMBER: _ClassVar[int]
    ASSET_SUB_TYPE_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    UPDATED_AT_FIELD_NUMBER: _ClassVar[int]
    DELETED_AT_FIELD_NUMBER: _ClassVar[int]
    id: str
    parameter_type: _parameter_type_pb2.ParameterType
    asset_type: _asset_type_pb2.AssetType
    asset_sub_type: _asset_sub_type_pb2.AssetSubType
    created_at: _timestamp_pb2.Timestamp
    updated_at: _timestamp_pb2.Timestamp
    deleted_at: _timestamp_pb2.Timestamp
    def __init__(self, id: _Optional[str] = ..., parameter_type: _Optional[_Union[_parameter_type_pb2.ParameterType, _Mapping]] = ..., asset_type: _Optional[_Union[_asset_type_pb2.AssetType, _Mapping]] = ..., asset_sub_type: _Optional[_Union[_asset_sub_type_pb2.AssetSubType, _Mapping]] = ..., created_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., updated_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., deleted_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...
