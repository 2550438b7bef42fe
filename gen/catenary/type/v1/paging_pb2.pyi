from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Order(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ORDER_UNSPECIFIED: _ClassVar[Order]
    ORDER_ASC: _ClassVar[Order]
    ORDER_DESC: _ClassVar[Order]
ORDER_UNSPECIFIED: Order
ORDER_ASC: Order
ORDER_DESC: Order

class Cursors(_message.Message):
    __slots__ = ("before", "after")
    BEFORE_FIELD_NUMBER: _ClassVar[int]
    AFTER_FIELD_NUMBER: _ClassVar[int]
    before: str
    after: str
    def __init__(self, before: _Optional[str] = ..., after: _Optional[str] = ...) -> None: ...

class Paging(_message.Message):
    __slots__ = ("cursors", "previous", "next")
    CURSORS_FIELD_NUMBER: _ClassVar[int]
    PREVIOUS_FIELD_NUMBER: _ClassVar[int]
    NEXT_FIELD_NUMBER: _ClassVar[int]
    cursors: Cursors
    previous: str
    next: str
    def __init__(self, cursors: _Optional[_Union[Cursors, _Mapping]] = ..., previous: _Optional[str] = ..., next: _Optional[str] = ...) -> None: ...

class Summary(_message.Message):
    __slots__ = ("estimate_count",)
    ESTIMATE_COUNT_FIELD_NUMBER: _ClassVar[int]
    estimate_count: int
    def __init__(self, estimate_count: _Optional[int] = ...) -> None: ...
