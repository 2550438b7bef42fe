from buf.validate import validate_pb2 as _validate_pb2
from catenary.environment.v2 import country_pb2 as _country_pb2
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

class ListCountriesRequest(_message.Message):
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

class ListCountriesResponse(_message.Message):
    __slots__ = ("countries", "paging", "summary")
    COUNTRIES_FIELD_NUMBER: _ClassVar[int]
    PAGING_FIELD_NUMBER: _ClassVar[int]
    SUMMARY_FIELD_NUMBER: _ClassVar[int]
    countries: _containers.RepeatedCompositeFieldContainer[_country_pb2.Country]
    paging: _paging_pb2.Paging
    summary: _paging_pb2.Summary
    def __init__(self, countries: _Optional[_Iterable[_Union[_country_pb2.Country, _Mapping]]] = ..., paging: _Optional[_Union[_paging_pb2.Paging, _Mapping]] = ..., summary: _Optional[_Union[_paging_pb2.Summary, _Mapping]] = ...) -> None: ...

class CreateCountryRequest(_message.Message):
    __slots__ = ("country_class", "country_code", "country_name", "iso_code", "iso_country_name", "iso_formal_name", "region_id")
    COUNTRY_CLASS_FIELD_NUMBER: _ClassVar[int]
    COUNTRY_CODE_FIELD_NUMBER: _ClassVar[int]
    COUNTRY_NAME_FIELD_NUMBER: _ClassVar[int]
    ISO_CODE_FIELD_NUMBER: _ClassVar[int]
    ISO_COUNTRY_NAME_FIELD_NUMBER: _ClassVar[int]
    ISO_FORMAL_NAME_FIELD_NUMBER: _ClassVar[int]
    REGION_ID_FIELD_NUMBER: _ClassVar[int]
    country_class: str
    country_code: str
    country_name: str
    iso_code: str
    iso_country_name: str
    iso_formal_name: str
    region_id: str
    def __init__(self, country_class: _Optional[str] = ..., country_code: _Optional[str] = ..., country_name: _Optional[str] = ..., iso_code: _Optional[str] = ..., iso_country_name: _Optional[str] = ..., iso_formal_name: _Optional[str] = ..., region_id: _Optional[str] = ...) -> None: ...

class CreateCountryResponse(_message.Message):
    __slots__ = ("country",)
    COUNTRY_FIELD_NUMBER: _ClassVar[int]
    country: _country_pb2.Country
    def __init__(self, country: _Optional[_Union[_country_pb2.Country, _Mapping]] = ...) -> None: ...

class GetCountryRequest(_message.Message):
    __slots__ = ("country_id", "show_deleted")
    COUNTRY_ID_FIELD_NUMBER: _ClassVar[int]
    SHOW_DELETED_FIELD_NUMBER: _ClassVar[int]
    country_id: str
    show_deleted: bool
    def __init__(self, country_id: _Optional[str] = ..., show_deleted: _Optional[bool] = ...) -> None: ...

class GetCountryResponse(_message.Message):
    __slots__ = ("country",)
    COUNTRY_FIELD_NUMBER: _ClassVar[int]
    country: _country_pb2.Country
    def __init__(self, country: _Optional[_Union[_country_pb2.Country, _Mapping]] = ...) -> None: ...

class UpdateCountryRequest(_message.Message):
    __slots__ = ("country_id", "country_class", "country_code", "country_name", "iso_code", "iso_country_name", "iso_formal_name", "region_id", "update_mask")
    COUNTRY_ID_FIELD_NUMBER: _ClassVar[int]
    COUNTRY_CLASS_FIELD_NUMBER: _ClassVar[int]
    COUNTRY_CODE_FIELD_NUMBER: _ClassVar[int]
    COUNTRY_NAME_FIELD_NUMBER: _ClassVar[int]
    ISO_CODE_FIELD_NUMBER: _ClassVar[int]
    ISO_COUNTRY_NAME_FIELD_NUMBER: _ClassVar[int]
    ISO_FORMAL_NAME_FIELD_NUMBER: _ClassVar[int]
    REGION_ID_FIELD_NUMBER: _ClassVar[int]
    UPDATE_MASK_FIELD_NUMBER: _ClassVar[int]
    country_id: str
    country_class: str
    country_code: str
    country_name: str
    iso_code: str
    iso_country_name: str
    iso_formal_name: str
    region_id: str
    update_mask: _field_mask_pb2.FieldMask
    def __init__(self, country_id: _Optional[str] = ..., country_class: _Optional[str] = ..., country_code: _Optional[str] = ..., country_name: _Optional[str] = ..., iso_code: _Optional[str] = ..., iso_country_name: _Optional[str] = ..., iso_formal_name: _Optional[str] = ..., region_id: _Optional[str] = ..., update_mask: _Optional[_Union[_field_mask_pb2.FieldMask, _Mapping]] = ...) -> None: ...

class UpdateCountryResponse(_message.Message):
    __slots__ = ("country",)
    COUNTRY_FIELD_NUMBER: _ClassVar[int]
    country: _country_pb2.Country
    def __init__(self, country: _Optional[_Union[_country_pb2.Country, _Mapping]] = ...) -> None: ...
