from buf.validate import validate_pb2 as _validate_pb2
from catenary.options.v1 import options_pb2 as _options_pb2
from catenary.parameter.v1 import unit_type_pb2 as _unit_type_pb2
from catenary.type.v1 import paging_pb2 as _paging_pb2
from google.api import annotations_pb2 as _annotations_pb2
from google.protobuf import field_mask_pb2 as _field_mask_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ListUnitTypesRequest(_message.Message):
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

class ListUnitTypesResponse(_message.Message):
    __slots__ = ("unit_types", "paging", "summary")
    UNIT_TYPES_FIELD_NUMBER: _ClassVar[int]
    PAGING_FIELD_NUMBER: _ClassVar[int]
    SUMMARY_FIELD_NUMBER: _ClassVar[int]
    unit_types: _containers.RepeatedCompositeFieldContainer[_unit_type_pb2.UnitType]
    paging: _paging_pb2.Paging
    summary: _paging_pb2.Summary
    def __init__(self, unit_types: _Optional[_Iterable[_Union[_unit_type_pb2.UnitType, _Mapping]]] = ..., paging: _Optional[_Union[_paging_pb2.Paging, _Mapping]] = ..., summary: _Optional[_Union[_paging_pb2.Summary, _Mapping]] = ...) -> None: ...

class CreateUnitTypesRequest(_message.Message):
    __slots__ = ("unit_types",)
    UNIT_TYPES_FIELD_NUMBER: _ClassVar[int]
    unit_types: _containers.RepeatedCompositeFieldContainer[NewUnitType]
    def __init__(self, unit_types: _Optional[_Iterable[_Union[NewUnitType, _Mapping]]] = ...) -> None: ...

class CreateUnitTypesResponse(_message.Message):
    __slots__ = ("unit_types",)
    UNIT_TYPES_FIELD_NUMBER: _ClassVar[int]
    unit_types: _containers.RepeatedCompositeFieldContainer[_unit_type_pb2.UnitType]
    def __init__(self, unit_types: _Optional[_Iterable[_Union[_unit_type_pb2.UnitType, _Mapping]]] = ...) -> None: ...

class GetUnitTypeRequest(_message.Message):
    __slots__ = ("unit_type_id", "show_deleted")
    UNIT_TYPE_ID_FIELD_NUMBER: _ClassVar[int]
    SHOW_DELETED_FIELD_NUMBER: _ClassVar[int]
    unit_type_id: str
    show_deleted: bool
    def __init__(self, unit_type_id: _Optional[str] = ..., show_deleted: _Optional[bool] = ...) -> None: ...

class GetUnitTypeResponse(_message.Message):
    __slots__ = ("unit_type",)
    UNIT_TYPE_FIELD_NUMBER: _ClassVar[int]
    unit_type: _unit_type_pb2.UnitType
    def __init__(self, unit_type: _Optional[_Union[_unit_type_pb2.UnitType, _Mapping]] = ...) -> None: ...

class UpdateUnitTypeRequest(_message.Message):
    __slots__ = ("unit_type_id", "name", "update_mask")
    UNIT_TYPE_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    UPDATE_MASK_FIELD_NUMBER: _ClassVar[int]
    unit_type_id: str
    name: str
    update_mask: _field_mask_pb2.FieldMask
    def __init__(self, unit_type_id: _Optional[str] = ..., name: _Optional[str] = ..., update_mask: _Optional[_Union[_field_mask_pb2.FieldMask, _Mapping]] = ...) -> None: ...

class UpdateUnitTypeResponse(_message.Message):
    __slots__ = ("unit_type",)
    UNIT_TYPE_FIELD_NUMBER: _ClassVar[int]
    unit_type: _unit_type_pb2.UnitType
    def __init__(self, unit_type: _Optional[_Union[_unit_type_pb2.UnitType, _Mapping]] = ...) -> None: ...

class DeleteUnitTypeRequest(_message.Message):
    __slots__ = ("unit_type_id",)
    UNIT_TYPE_ID_FIELD_NUMBER: _ClassVar[int]
    unit_type_id: str
    def __init__(self, unit_type_id: _Optional[str] = ...) -> None: ...

class DeleteUnitTypeResponse(_message.Message):
    __slots__ = ("unit_type",)
    UNIT_TYPE_FIELD_NUMBER: _ClassVar[int]
    unit_type: _unit_type_pb2.UnitType
    def __init__(self, unit_type: _Optional[_Union[_unit_type_pb2.UnitType, _Mapping]] = ...) -> None: ...

class NewUnitType(_message.Message):
    __slots__ = ("id", "name")
    ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    id: str
    name: str
    def __init__(self, id: _Optional[str] = ..., name: _Optional[str] = ...) -> None: ...
