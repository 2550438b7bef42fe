from buf.validate import validate_pb2 as _validate_pb2
from catenary.options.v1 import options_pb2 as _options_pb2
from catenary.parameter.v1 import unit_pb2 as _unit_pb2
from catenary.type.v1 import paging_pb2 as _paging_pb2
from google.api import annotations_pb2 as _annotations_pb2
from google.protobuf import field_mask_pb2 as _field_mask_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ListUnitsRequest(_message.Message):
    __slots__ = ("unit_id", "unit_type_id", "unit_system_id", "parameter_type_id", "page_limit", "before", "after", "sort_by", "order", "show_active", "show_deleted")
    UNIT_ID_FIELD_NUMBER: _ClassVar[int]
    UNIT_TYPE_ID_FIELD_NUMBER: _ClassVar[int]
    UNIT_SYSTEM_ID_FIELD_NUMBER: _ClassVar[int]
    PARAMETER_TYPE_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_LIMIT_FIELD_NUMBER: _ClassVar[int]
    BEFORE_FIELD_NUMBER: _ClassVar[int]
    AFTER_FIELD_NUMBER: _ClassVar[int]
    SORT_BY_FIELD_NUMBER: _ClassVar[int]
    ORDER_FIELD_NUMBER: _ClassVar[int]
    SHOW_ACTIVE_FIELD_NUMBER: _ClassVar[int]
    SHOW_DELETED_FIELD_NUMBER: _ClassVar[int]
    unit_id: _containers.RepeatedScalarFieldContainer[str]
    unit_type_id: _containers.RepeatedScalarFieldContainer[str]
    unit_system_id: _containers.RepeatedScalarFieldContainer[str]
    parameter_type_id: _containers.RepeatedScalarFieldContainer[str]
    page_limit: int
    before: str
    after: str
    sort_by: str
    order: _paging_pb2.Order
    show_active: bool
    show_deleted: bool
    def __init__(self, unit_id: _Optional[_Iterable[str]] = ..., unit_type_id: _Optional[_Iterable[str]] = ..., unit_system_id: _Optional[_Iterable[str]] = ..., parameter_type_id: _Optional[_Iterable[str]] = ..., page_limit: _Optional[int] = ..., before: _Optional[str] = ..., after: _Optional[str] = ..., sort_by: _Optional[str] = ..., order: _Optional[_Union[_paging_pb2.Order, str]] = ..., show_active: _Optional[bool] = ..., show_deleted: _Optional[bool] = ...) -> None: ...

class ListUnitsResponse(_message.Message):
    __slots__ = ("units", "paging", "summary")
    UNITS_FIELD_NUMBER: _ClassVar[int]
    PAGING_FIELD_NUMBER: _ClassVar[int]
    SUMMARY_FIELD_NUMBER: _ClassVar[int]
    units: _containers.RepeatedCompositeFieldContainer[_unit_pb2.Unit]
    paging: _paging_pb2.Paging
    summary: _paging_pb2.Summary
    def __init__(self, units: _Optional[_Iterable[_Union[_unit_pb2.Unit, _Mapping]]] = ..., paging: _Optional[_Union[_paging_pb2.Paging, _Mapping]] = ..., summary: _Optional[_Union[_paging_pb2.Summary, _Mapping]] = ...) -> None: ...

class CreateUnitsRequest(_message.Message):
    __slots__ = ("units",)
    UNITS_FIELD_NUMBER: _ClassVar[int]
    units: _containers.RepeatedCompositeFieldContainer[NewUnit]
    def __init__(self, units: _Optional[_Iterable[_Union[NewUnit, _Mapping]]] = ...) -> None: ...

class CreateUnitsResponse(_message.Message):
    __slots__ = ("units",)
    UNITS_FIELD_NUMBER: _ClassVar[int]
    units: _containers.RepeatedCompositeFieldContainer[_unit_pb2.Unit]
    def __init__(self, units: _Optional[_Iterable[_Union[_unit_pb2.Unit, _Mapping]]] = ...) -> None: ...

class UpdateUnitRequest(_message.Message):
    __slots__ = ("unit_id", "symbol", "unit_system_id", "update_mask")
    UNIT_ID_FIELD_NUMBER: _ClassVar[int]
    SYMBOL_FIELD_NUMBER: _ClassVar[int]
    UNIT_SYSTEM_ID_FIELD_NUMBER: _ClassVar[int]
    UPDATE_MASK_FIELD_NUMBER: _ClassVar[int]
    unit_id: str
    symbol: str
    unit_system_id: str
    update_mask: _field_mask_pb2.FieldMask
    def __init__(self, unit_id: _Optional[str] = ..., symbol: _Optional[str] = ..., unit_system_id: _Optional[str] = ..., update_mask: _Optional[_Union[_field_mask_pb2.FieldMask, _Mapping]] = ...) -> None: ...

class UpdateUnitResponse(_message.Message):
    __slots__ = ("unit",)
    UNIT_FIELD_NUMBER: _ClassVar[int]
    unit: _unit_pb2.Unit
    def __init__(self, unit: _Optional[_Union[_unit_pb2.Unit, _Mapping]] = ...) -> None: ...

class DeleteUnitRequest(_message.Message):
    __slots__ = ("unit_id",)
    UNIT_ID_FIELD_NUMBER: _ClassVar[int]
    unit_id: str
    def __init__(self, unit_id: _Optional[str] = ...) -> None: ...

class DeleteUnitResponse(_message.Message):
    __slots__ = ("unit",)
    UNIT_FIELD_NUMBER: _ClassVar[int]
    unit: _unit_pb2.Unit
    def __init__(self, unit: _Optional[_Union[_unit_pb2.Unit, _Mapping]] = ...) -> None: ...

class ConvertUnitsRequest(_message.Message):
    __slots__ = ("value", "from_unit_id", "to_unit_id")
    VALUE_FIELD_NUMBER: _ClassVar[int]
    FROM_UNIT_ID_FIELD_NUMBER: _ClassVar[int]
    TO_UNIT_ID_FIELD_NUMBER: _ClassVar[int]
    value: float
    from_unit_id: str
    to_unit_id: str
    def __init__(self, value: _Optional[float] = ..., from_unit_id: _Optional[str] = ..., to_unit_id: _Optional[str] = ...) -> None: ...

class ConvertUnitsResponse(_message.Message):
    __slots__ = ("value", "unit")
    VALUE_FIELD_NUMBER: _ClassVar[int]
    UNIT_FIELD_NUMBER: _ClassVar[int]
    value: float
    unit: _unit_pb2.UnitReference
    def __init__(self, value: _Optional[float] = ..., unit: _Optional[_Union[_unit_pb2.UnitReference, _Mapping]] = ...) -> None: ...

class NewUnit(_message.Message):
    __slots__ = ("id", "symbol", "unit_type_id", "unit_system_id")
    ID_FIELD_NUMBER: _ClassVar[int]
    SYMBOL_FIELD_NUMBER: _ClassVar[int]
    UNIT_TYPE_ID_FIELD_NUMBER: _ClassVar[int]
    UNIT_SYSTEM_ID_FIELD_NUMBER: _ClassVar[int]
    id: str
    symbol: str
    unit_type_id: str
    unit_system_id: str
    def __init__(self, id: _Optional[str] = ..., symbol: _Optional[str] = ..., unit_type_id: _Optional[str] = ..., unit_system_id: _Optional[str] = ...) -> None: ...
