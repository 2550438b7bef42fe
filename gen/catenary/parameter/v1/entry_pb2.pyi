import datetime

from buf.validate import validate_pb2 as _validate_pb2
from catenary.options.v1 import options_pb2 as _options_pb2
from catenary.parameter.v1 import unit_pb2 as _unit_pb2
from catenary.reference.v2 import source_pb2 as _source_pb2
from catenary.type.v1 import creator_pb2 as _creator_pb2
from catenary.type.v1 import value_pb2 as _value_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class RevisionStatus(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    REVISION_STATUS_UNSPECIFIED: _ClassVar[RevisionStatus]
    REVISION_STATUS_ANSWERED: _ClassVar[RevisionStatus]
    REVISION_STATUS_CHECKED: _ClassVar[RevisionStatus]
    REVISION_STATUS_APPROVED: _ClassVar[RevisionStatus]
    REVISION_STATUS_REJECTED: _ClassVar[RevisionStatus]
REVISION_STATUS_UNSPECIFIED: RevisionStatus
REVISION_STATUS_ANSWERED: RevisionStatus
REVISION_STATUS_CHECKED: RevisionStatus
REVISION_STATUS_APPROVED: RevisionStatus
REVISION_STATUS_REJECTED: RevisionStatus

class EntryValue(_message.Message):
    __slots__ = ("id", "value", "unit")
    ID_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    UNIT_FIELD_NUMBER: _ClassVar[int]
    id: str
    value: _value_pb2.Value
    unit: _unit_pb2.UnitReference
    def __init__(self, id: _Optional[str] = ..., value: _Optional[_Union[_value_pb2.Value, _Mapping]] = ..., unit: _Optional[_Union[_unit_pb2.UnitReference, _Mapping]] = ...) -> None: ...

class ReducedSource(_message.Message):
    __slots__ = ("id", "created_at", "date_day", "date_month", "date_year", "reference", "title", "url", "source_type")
    ID_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    DATE_DAY_FIELD_NUMBER: _ClassVar[int]
    DATE_MONTH_FIELD_NUMBER: _ClassVar[int]
    DATE_YEAR_FIELD_NUMBER: _ClassVar[int]
    REFERENCE_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    URL_FIELD_NUMBER: _ClassVar[int]
    SOURCE_TYPE_FIELD_NUMBER: _ClassVar[int]
    id: str
    created_at: _timestamp_pb2.Timestamp
    date_day: str
    date_month: str
    date_year: str
    reference: str
    title: str
    url: str
    source_type: ReducedSourceType
    def __init__(self, id: _Optional[str] = ..., created_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., date_day: _Optional[str] = ..., date_month: _Optional[str] = ..., date_year: _Optional[str] = ..., reference: _Optional[str] = ..., title: _Optional[str] = ..., url: _Optional[str] = ..., source_type: _Optional[_Union[ReducedSourceType, _Mapping]] = ...) -> None: ...

class ReducedSourceType(_message.Message):
    __slots__ = ("id", "name")
    ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    id: str
    name: str
    def __init__(self, id: _Optional[str] = ..., name: _Optional[str] = ...) -> None: ...

class SelectedEntry(_message.Message):
    __slots__ = ("entry_id", "revision_id", "status", "values", "source", "created_by", "created_at")
    ENTRY_ID_FIELD_NUMBER: _ClassVar[int]
    REVISION_ID_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    VALUES_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    CREATED_BY_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    entry_id: str
    revision_id: str
    status: RevisionStatus
    values: _containers.RepeatedCompositeFieldContainer[EntryValue]
    source: ReducedSource
    created_by: _creator_pb2.Creator
    created_at: _timestamp_pb2.Timestamp
    def __init__(self, entry_id: _Optional[str] = ..., revision_id: _Optional[str] = ..., status: _Optional[_Union[RevisionStatus, str]] = ..., values: _Optional[_Iterable[_Union[EntryValue, _Mapping]]] = ..., source: _Optional[_Union[ReducedSource, _Mapping]] = ..., created_by: _Optional[_Union[_creator_pb2.Creator, _Mapping]] = ..., created_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class Entry(_message.Message):
    __slots__ = ("entry_id", "parameter_id", "revision_id", "status", "values", "source", "comment", "location_in_source", "created_by", "created_at", "updated_at", "deleted_at")
    ENTRY_ID_FIELD_NUMBER: _ClassVar[int]
    PARAMETER_ID_FIELD_NUMBER: _ClassVar[int]
    REVISION_ID_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    VALUES_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    COMMENT_FIELD_NUMBER: _ClassVar[int]
    LOCATION_IN_SOURCE_FIELD_NUMBER: _ClassVar[int]
    CREATED_BY_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    UPDATED_AT_FIELD_NUMBER: _ClassVar[int]
    DELETED_AT_FIELD_NUMBER: _ClassVar[int]
    entry_id: str
    parameter_id: str
    revision_id: str
    status: RevisionStatus
    values: _containers.RepeatedCompositeFieldContainer[EntryValue]
    source: _source_pb2.Source
    comment: str
    location_in_source: str
    created_by: _creator_pb2.Creator
    created_at: _timestamp_pb2.Timestamp
    updated_at: _timestamp_pb2.Timestamp
    deleted_at: _timestamp_pb2.Timestamp
    def __init__(self, entry_id: _Optional[str] = ..., parameter_id: _Optional[str] = ..., revision_id: _Optional[str] = ..., status: _Optional[_Union[RevisionStatus, str]] = ..., values: _Optional[_Iterable[_Union[EntryValue, _Mapping]]] = ..., source: _Optional[_Union[_source_pb2.Source, _Mapping]] = ..., comment: _Optional[str] = ..., location_in_source: _Optional[str] = ..., created_by: _Optional[_Union[_creator_pb2.Creator, _Mapping]] = ..., created_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., updated_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., deleted_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class Review(_message.Message):
    __slots__ = ("status", "comment", "created_by", "created_at")
    STATUS_FIELD_NUMBER: _ClassVar[int]
    COMMENT_FIELD_NUMBER: _ClassVar[int]
    CREATED_BY_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    status: RevisionStatus
    comment: str
    created_by: _creator_pb2.Creator
    created_at: _timestamp_pb2.Timestamp
    def __init__(self, status: _Optional[_Union[RevisionStatus, str]] = ..., comment: _Optional[str] = ..., created_by: _Optional[_Union[_creator_pb2.Creator, _Mapping]] = ..., created_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class Revision(_message.Message):
    __slots__ = ("entry_id", "revision_id", "status", "values", "source", "comment", "location_in_source", "created_by", "review", "created_at", "updated_at", "deleted_at")
    ENTRY_ID_FIELD_NUMBER: _ClassVar[int]
    REVISION_ID_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    VALUES_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    COMMENT_FIELD_NUMBER: _ClassVar[int]
    LOCATION_IN_SOURCE_FIELD_NUMBER: _ClassVar[int]
    CREATED_BY_FIELD_NUMBER: _ClassVar[int]
    REVIEW_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    UPDATED_AT_FIELD_NUMBER: _ClassVar[int]
    DELETED_AT_FIELD_NUMBER: _ClassVar[int]
    entry_id: str
    revision_id: str
    status: RevisionStatus
    values: _containers.RepeatedCompositeFieldContainer[EntryValue]
    source: _source_pb2.Source
    comment: str
    location_in_source: str
    created_by: _creator_pb2.Creator
    review: Review
    created_at: _timestamp_pb2.Timestamp
    updated_at: _timestamp_pb2.Timestamp
    deleted_at: _timestamp_pb2.Timestamp
    def __init__(self, entry_id: _Optional[str] = ..., revision_id: _Optional[str] = ..., status: _Optional[_Union[RevisionStatus, str]] = ..., values: _Optional[_Iterable[_Union[EntryValue, _Mapping]]] = ..., source: _Optional[_Union[_source_pb2.Source, _Mapping]] = ..., comment: _Optional[str] = ..., location_in_source: _Optional[str] = ..., created_by: _Optional[_Union[_creator_pb2.Creator, _Mapping]] = ..., review: _Optional[_Union[Review, _Mapping]] = ..., created_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., updated_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., deleted_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...
