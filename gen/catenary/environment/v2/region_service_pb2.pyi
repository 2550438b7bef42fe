from buf.validate import validate_pb2 as _validate_pb2
from catenary.environment.v2 import region_pb2 as _region_pb2
from catenary.options.v1 import options_pb2 as _options_pb2
from catenary.type.v1 import paging_pb2 as _paging_pb2
from google.api import annotations_pb2 as _annotations_pb2
from google.protobuf import field_mask_pb2 as _field_mask_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ListRegionsRequest(_message.Message):
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

class ListRegionsResponse(_message.Message):
    __slots__ = ("regions", "paging", "summary")
    REGIONS_FIELD_NUMBER: _ClassVar[int]
    PAGING_FIELD_NUMBER: _ClassVar[int]
    SUMMARY_FIELD_NUMBER: _ClassVar[int]
    regions: _containers.RepeatedCompositeFieldContainer[_region_pb2.Region]
    paging: _paging_pb2.Paging
    summary: _paging_pb2.Summary
    def __init__(self, regions: _Optional[_Iterable[_Union[_region_pb2.Region, _Mapping]]] = ..., paging: _Optional[_Union[_paging_pb2.Paging, _Mapping]] = ..., summary: _Optional[_Union[_paging_pb2.Summary, _Mapping]] = ...) -> None: ...

class CreateRegionRequest(_message.Message):
    __slots__ = ("region_code", "region_name", "region_level", "company_code")
    REGION_CODE_FIELD_NUMBER: _ClassVar[int]
    REGION_NAME_FIELD_NUMBER: _ClassVar[int]
    REGION_LEVEL_FIELD_NUMBER: _ClassVar[int]
    COMPANY_CODE_FIELD_NUMBER: _ClassVar[int]
    region_code: str
    region_name: str
    region_level: int
    company_code: str
    def __init__(self, region_code: _Optional[str] = ..., region_name: _Optional[str] = ..., region_level: _Optional[int] = ..., company_code: _Optional[str] = ...) -> None: ...

class CreateRegionResponse(_message.Message):
    __slots__ = ("region",)
    REGION_FIELD_NUMBER: _ClassVar[int]
    region: _region_pb2.Region
    def __init__(self, region: _Optional[_Union[_region_pb2.Region, _Mapping]] = ...) -> None: ...

class GetRegionRequest(_message.Message):
    __slots__ = ("region_id", "show_deleted")
    REGION_ID_FIELD_NUMBER: _ClassVar[int]
    SHOW_DELETED_FIELD_NUMBER: _ClassVar[int]
    region_id: str
    show_deleted: bool
    def __init__(self, region_id: _Optional[str] = ..., show_deleted: _Optional[bool] = ...) -> None: ...

class GetRegionResponse(_message.Message):
    __slots__ = ("region",)
    REGION_FIELD_NUMBER: _ClassVar[int]
    region: _region_pb2.Region
    def __init__(self, region: _Optional[_Union[_region_pb2.Region, _Mapping]] = ...) -> None: ...

class UpdateRegionRequest(_message.Message):
    __slots__ = ("region_id", "region_code", "region_name", "update_mask", "region_level", "company_code")
    REGION_ID_FIELD_NUMBER: _ClassVar[int]
    REGION_CODE_FIELD_NUMBER: _ClassVar[int]
    REGION_NAME_FIELD_NUMBER: _ClassVar[int]
    UPDATE_MASK_FIELD_NUMBER: _ClassVar[int]
    REGION_LEVEL_FIELD_NUMBER: _ClassVar[int]
    COMPANY_CODE_FIELD_NUMBER: _ClassVar[int]
    region_id: str
    region_code: str
    region_name: str
    update_mask: _field_mask_pb2.FieldMask
    region_level: int
    company_code: str
    def __init__(self, region_id: _Optional[str] = ..., region_code: _Optional[str] = ..., region_name: _Optional[str] = ..., update_mask: _Optional[_Union[_field_mask_pb2.FieldMask, _Mapping]] = ..., region_level: _Optional[int] = ..., company_code: _Optional[str] = ...) -> None: ...

class UpdateRegionResponse(_message.Message):
    __slots__ = ("region",)
    REGION_FIELD_NUMBER: _ClassVar[int]
    region: _region_pb2.Region
    def __init__(self, region: _Optional[_Union[_region_pb2.Region, _Mapping]] = ...) -> None: ...
