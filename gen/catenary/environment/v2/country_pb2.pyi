import datetime

from catenary.environment.v2 import region_pb2 as _region_pb2
from catenary.options.v1 import options_pb2 as _options_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Country(_message.Message):
    __slots__ = ("country_class", "country_code", "country_id", "country_name", "iso_code", "iso_country_name", "iso_formal_name", "region", "created_at", "updated_at", "deleted_at")
    COUNTRY_CLASS_FIELD_NUMBER: _ClassVar[int]
    COUNTRY_CODE_FIELD_NUMBER: _ClassVar[int]
    COUNTRY_ID_FIELD_NUMBER: _ClassVar[int]
    COUNTRY_NAME_FIELD_NUMBER: _ClassVar[int]
    ISO_CODE_FIELD_NUMBER: _ClassVar[int]
    ISO_COUNTRY_NAME_FIELD_NUMBER: _ClassVar[int]
    ISO_FORMAL_NAME_FIELD_NUMBER: _ClassVar[int]
    REGION_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    UPDATED_AT_FIELD_NUMBER: _ClassVar[int]
    DELETED_AT_FIELD_NUMBER: _ClassVar[int]
    country_class: str
    country_code: str
    country_id: str
    country_name: str
    iso_code: str
    iso_country_name: str
    iso_formal_name: str
    region: _region_pb2.Region
    created_at: _timestamp_pb2.Timestamp
    updated_at: _timestamp_pb2.Timestamp
    deleted_at: _timestamp_pb2.Timestamp
    def __init__(self, country_class: _Optional[str] = ..., country_code: _Optional[str] = ..., country_id: _Optional[str] = ..., country_name: _Optional[str] = ..., iso_code: _Optional[str] = ..., iso_country_name: _Optional[str] = ..., iso_formal_name: _Optional[str] = ..., region: _Optional[_Union[_region_pb2.Region, _Mapping]] = ..., created_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., updated_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., deleted_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...
