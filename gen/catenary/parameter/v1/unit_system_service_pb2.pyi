from buf.validate import validate_pb2 as _validate_pb2
from catenary.options.v1 import options_pb2 as _options_pb2
from catenary.parameter.v1 import unit_system_pb2 as _unit_system_pb2
from catenary.type.v1 import paging_pb2 as _paging_pb2
from google.api import annotations_pb2 as _annotations_pb2
from google.protobuf import field_mask_pb2 as _field_mask_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ListUnitSystemsRequest(_message.Message):
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

class ListUnitSystemsResponse(_message.Message):
    __slots__ = ("unit_systems", "paging", "summary")
    UNIT_SYSTEMS_FIELD_NUMBER: _ClassVar[int]
    PAGING_FIELD_NUMBER: _ClassVar[int]
    SUMMARY_FIELD_NUMBER: _ClassVar[int]
    unit_systems: _containers.RepeatedCompositeFieldContainer[_unit_system_pb2.UnitSystem]
    paging: _paging_pb2.Paging
    summary: _paging_pb2.Summary
    def __init__(self, unit_systems: _Optional[_Iterable[_Union[_unit_system_pb2.UnitSystem, _Mapping]]] = ..., paging: _Optional[_Union[_paging_pb2.Paging, _Mapping]] = ..., summary: _Optional[_Union[_paging_pb2.Summary, _Mapping]] = ...) -> None: ...

class CreateUnitSystemsRequest(_message.Message):
    __slots__ = ("unit_systems",)
    UNIT_SYSTEMS_FIELD_NUMBER: _ClassVar[int]
    unit_systems: _containers.RepeatedCompositeFieldContainer[NewUnitSystem]
    def __init__(self, unit_systems: _Optional[_Iterable[_Union[NewUnitSystem, _Mapping]]] = ...) -> None: ...

class CreateUnitSystemsResponse(_message.Message):
    __slots__ = ("unit_systems",)
    UNIT_SYSTEMS_FIELD_NUMBER: _ClassVar[int]
    unit_systems: _containers.RepeatedCompositeFieldContainer[_unit_system_pb2.UnitSystem]
    def __init__(self, unit_systems: _Optional[_Iterable[_Union[_unit_system_pb2.UnitSystem, _Mapping]]] = ...) -> None: ...

class UpdateUnitSystemRequest(_message.Message):
    __slots__ = ("unit_system_id", "name", "short_name", "update_mask")
    UNIT_SYSTEM_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    SHORT_NAME_FIELD_NUMBER: _ClassVar[int]
    UPDATE_MASK_FIELD_NUMBER: _ClassVar[int]
    unit_system_id: str
    name: str
    short_name: str
    update_mask: _field_mask_pb2.FieldMask
    def __init__(self, unit_system_id: _Optional[str] = ..., name: _Optional[str] = ..., short_name: _Optional[str] = ..., update_mask: _Optional[_Union[_field_mask_pb2.FieldMask, _Mapping]] = ...) -> None: ...

class UpdateUnitSystemResponse(_message.Message):
    __slots__ = ("unit_system",)
    UNIT_SYSTEM_FIELD_NUMBER: _ClassVar[int]
    unit_system: _unit_system_pb2.UnitSystem
    def __init__(self, unit_system: _Optional[_Union[_unit_system_pb2.UnitSystem, _Mapping]] = ...) -> None: ...

class DeleteUnitSystemRequest(_message.Message):
    __slots__ = ("unit_system_id",)
    UNIT_SYSTEM_ID_FIELD_NUMBER: _ClassVar[int]
    unit_system_id: str
    def __init__(self, unit_system_id: _Optional[str] = ...) -> None: ...

class DeleteUnitSystemResponse(_message.Message):
    __slots__ = ("unit_system",)
    UNIT_SYSTEM_FIELD_NUMBER: _ClassVar[int]
    unit_system: _unit_system_pb2.UnitSystem
    def __init__(self, unit_system: _Optional[_Union[_unit_system_pb2.UnitSystem, _Mapping]] = ...) -> None: ...

class NewUnitSystem(_message.Message):
    __slots__ = ("id", "name", "short_name")
    ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    SHORT_NAME_FIELD_NUMBER: _ClassVar[int]
    id: str
    name: str
    short_name: str
    def __init__(self, id: _Optional[str] = ..., name: _Optional[str] = ..., short_name: _Optional[str] = ...) -> None: ...
