from buf.validate import validate_pb2 as _validate_pb2
from catenary.options.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ReadRegionCodesRequest(_message.Message):
    __slots__ = ("region_ids",)
    REGION_IDS_FIELD_NUMBER: _ClassVar[int]
    region_ids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, region_ids: _Optional[_Iterable[str]] = ...) -> None: ...

class ReadRegionCodesResponse(_message.Message):
    __slots__ = ("regions",)
    REGIONS_FIELD_NUMBER: _ClassVar[int]
    regions: _containers.RepeatedCompositeFieldContainer[RegionCodes]
    def __init__(self, regions: _Optional[_Iterable[_Union[RegionCodes, _Mapping]]] = ...) -> None: ...

class RegionCodes(_message.Message):
    __slots__ = ("region_id", "region_level", "company_code")
    REGION_ID_FIELD_NUMBER: _ClassVar[int]
    REGION_LEVEL_FIELD_NUMBER: _ClassVar[int]
    COMPANY_CODE_FIELD_NUMBER: _ClassVar[int]
    region_id: str
    region_level: int
    company_code: str
    def __init__(self, region_id: _Optional[str] = ..., region_level: _Optional[int] = ..., company_code: _Optional[str] = ...) -> None: ...
