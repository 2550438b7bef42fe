from buf.validate import validate_pb2 as _validate_pb2
from catenary.options.v1 import options_pb2 as _options_pb2
from catenary.parameter.v1 import entry_pb2 as _entry_pb2
from catenary.type.v1 import paging_pb2 as _paging_pb2
from catenary.type.v1 import value_pb2 as _value_pb2
from google.api import annotations_pb2 as _annotations_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ListEntriesRequest(_message.Message):
    __slots__ = ("parameter_id", "page_limit", "before", "after", "sort_by", "order", "show_active", "show_deleted")
    PARAMETER_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_LIMIT_FIELD_NUMBER: _ClassVar[int]
    BEFORE_FIELD_NUMBER: _ClassVar[int]
    AFTER_FIELD_NUMBER: _ClassVar[int]
    SORT_BY_FIELD_NUMBER: _ClassVar[int]
    ORDER_FIELD_NUMBER: _ClassVar[int]
    SHOW_ACTIVE_FIELD_NUMBER: _ClassVar[int]
    SHOW_DELETED_FIELD_NUMBER: _ClassVar[int]
    parameter_id: _containers.RepeatedScalarFieldContainer[str]
    page_limit: int
    before: str
    after: str
    sort_by: str
    order: _paging_pb2.Order
    show_active: bool
    show_deleted: bool
    def __init__(self, parameter_id: _Optional[_Iterable[str]] = ..., page_limit: _Optional[int] = ..., before: _Optional[str] = ..., after: _Optional[str] = ..., sort_by: _Optional[str] = ..., order: _Optional[_Union[_paging_pb2.Order, str]] = ..., show_active: _Optional[bool] = ..., show_deleted: _Optional[bool] = ...) -> None: ...

class ListEntriesResponse(_message.Message):
    __slots__ = ("entries", "paging", "summary")
    ENTRIES_FIELD_NUMBER: _ClassVar[int]
    PAGING_FIELD_NUMBER: _ClassVar[int]
    SUMMARY_FIELD_NUMBER: _ClassVar[int]
    entries: _containers.RepeatedCompositeFieldContainer[_entry_pb2.Entry]
    paging: _paging_pb2.Paging
    summary: _paging_pb2.Summary
    def __init__(self, entries: _Optional[_Iterable[_Union[_entry_pb2.Entry, _Mapping]]] = ..., paging: _Optional[_Union[_paging_pb2.Paging, _Mapping]] = ..., summary: _Optional[_Union[_paging_pb2.Summary, _Mapping]] = ...) -> None: ...

class PutEntriesRequest(_message.Message):
    __slots__ = ("entries", "texts_as_values")
    ENTRIES_FIELD_NUMBER: _ClassVar[int]
    TEXTS_AS_VALUES_FIELD_NUMBER: _ClassVar[int]
    entries: _containers.RepeatedCompositeFieldContainer[PutEntry]
    texts_as_values: bool
    def __init__(self, entries: _Optional[_Iterable[_Union[PutEntry, _Mapping]]] = ..., texts_as_values: _Optional[bool] = ...) -> None: ...

class PutEntriesResponse(_message.Message):
    __slots__ = ("entries",)
    ENTRIES_FIELD_NUMBER: _ClassVar[int]
    entries: _containers.RepeatedCompositeFieldContainer[_entry_pb2.Entry]
    def __init__(self, entries: _Optional[_Iterable[_Union[_entry_pb2.Entry, _Mapping]]] = ...) -> None: ...

class DeleteEntryRequest(_message.Message):
    __slots__ = ("entry_id",)
    ENTRY_ID_FIELD_NUMBER: _ClassVar[int]
    entry_id: str
    def __init__(self, entry_id: _Optional[str] = ...) -> None: ...

class DeleteEntryResponse(_message.Message):
    __slots__ = ("entry",)
    ENTRY_FIELD_NUMBER: _ClassVar[int]
    entry: _entry_pb2.Entry
    def __init__(self, entry: _Optional[_Union[_entry_pb2.Entry, _Mapping]] = ...) -> None: ...

class ListRevisionsRequest(_message.Message):
    __slots__ = ("entry_id", "page_limit", "before", "after", "sort_by", "order", "show_active", "show_deleted")
    ENTRY_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_LIMIT_FIELD_NUMBER: _ClassVar[int]
    BEFORE_FIELD_NUMBER: _ClassVar[int]
    AFTER_FIELD_NUMBER: _ClassVar[int]
    SORT_BY_FIELD_NUMBER: _ClassVar[int]
    ORDER_FIELD_NUMBER: _ClassVar[int]
    SHOW_ACTIVE_FIELD_NUMBER: _ClassVar[int]
    SHOW_DELETED_FIELD_NUMBER: _ClassVar[int]
    entry_id: str
    page_limit: int
    before: str
    after: str
    sort_by: str
    order: _paging_pb2.Order
    show_active: bool
    show_deleted: bool
    def __init__(self, entry_id: _Optional[str] = ..., page_limit: _Optional[int] = ..., before: _Optional[str] = ..., after: _Optional[str] = ..., sort_by: _Optional[str] = ..., order: _Optional[_Union[_paging_pb2.Order, str]] = ..., show_active: _Optional[bool] = ..., show_deleted: _Optional[bool] = ...) -> None: ...

class ListRevisionsResponse(_message.Message):
    __slots__ = ("revisions", "paging", "summary")
    REVISIONS_FIELD_NUMBER: _ClassVar[int]
    PAGING_FIELD_NUMBER: _ClassVar[int]
    SUMMARY_FIELD_NUMBER: _ClassVar[int]
    revisions: _containers.RepeatedCompositeFieldContainer[_entry_pb2.Revision]
    paging: _paging_pb2.Paging
    summary: _paging_pb2.Summary
    def __init__(self, revisions: _Optional[_Iterable[_Union[_entry_pb2.Revision, _Mapping]]] = ..., paging: _Optional[_Union[_paging_pb2.Paging, _Mapping]] = ..., summary: _Optional[_Union[_paging_pb2.Summary, _Mapping]] = ...) -> None: ...

class UpdateRevisionsRequest(_message.Message):
    __slots__ = ("revisions",)
    REVISIONS_FIELD_NUMBER: _ClassVar[int]
    revisions: _containers.RepeatedCompositeFieldContainer[RevisionUpdate]
    def __init__(self, revisions: _Optional[_Iterable[_Union[RevisionUpdate, _Mapping]]] = ...) -> None: ...

class UpdateRevisionsResponse(_message.Message):
    __slots__ = ("revisions",)
    REVISIONS_FIELD_NUMBER: _ClassVar[int]
    revisions: _containers.RepeatedCompositeFieldContainer[_entry_pb2.Revision]
    def __init__(self, revisions: _Optional[_Iterable[_Union[_entry_pb2.Revision, _Mapping]]] = ...) -> None: ...

class PutEntry(_message.Message):
    __slots__ = ("entry_id", "parameter_id", "source_id", "values", "comment", "location_in_source")
    ENTRY_ID_FIELD_NUMBER: _ClassVar[int]
    PARAMETER_ID_FIELD_NUMBER: _ClassVar[int]
    SOURCE_ID_FIELD_NUMBER: _ClassVar[int]
    VALUES_FIELD_NUMBER: _ClassVar[int]
    COMMENT_FIELD_NUMBER: _ClassVar[int]
    LOCATION_IN_SOURCE_FIELD_NUMBER: _ClassVar[int]
    entry_id: str
    parameter_id: str
    source_id: str
    values: _containers.RepeatedCompositeFieldContainer[NewEntryValue]
    comment: str
    location_in_source: str
    def __init__(self, entry_id: _Optional[str] = ..., parameter_id: _Optional[str] = ..., source_id: _Optional[str] = ..., values: _Optional[_Iterable[_Union[NewEntryValue, _Mapping]]] = ..., comment: _Optional[str] = ..., location_in_source: _Optional[str] = ...) -> None: ...

class NewEntryValue(_message.Message):
    __slots__ = ("value", "unit_id")
    VALUE_FIELD_NUMBER: _ClassVar[int]
    UNIT_ID_FIELD_NUMBER: _ClassVar[int]
    value: _value_pb2.Value
    unit_id: str
    def __init__(self, value: _Optional[_Union[_value_pb2.Value, _Mapping]] = ..., unit_id: _Optional[str] = ...) -> None: ...

class RevisionUpdate(_message.Message):
    __slots__ = ("revision_id", "status", "comment")
    REVISION_ID_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    COMMENT_FIELD_NUMBER: _ClassVar[int]
    revision_id: str
    status: _entry_pb2.RevisionStatus
    comment: str
    def __init__(self, revision_id: _Optional[str] = ..., status: _Optional[_Union[_entry_pb2.RevisionStatus, str]] = ..., comment: _Optional[str] = ...) -> None: ...
