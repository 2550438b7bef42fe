import datetime

from buf.validate import validate_pb2 as _validate_pb2
from catenary.options.v1 import options_pb2 as _options_pb2
from catenary.reference.v2 import source_pb2 as _source_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ReadRevisionDetailsRequest(_message.Message):
    __slots__ = ("revision_ids",)
    REVISION_IDS_FIELD_NUMBER: _ClassVar[int]
    revision_ids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, revision_ids: _Optional[_Iterable[str]] = ...) -> None: ...

class ReadRevisionDetailsResponse(_message.Message):
    __slots__ = ("revisions",)
    REVISIONS_FIELD_NUMBER: _ClassVar[int]
    revisions: _containers.RepeatedCompositeFieldContainer[RevisionDetails]
    def __init__(self, revisions: _Optional[_Iterable[_Union[RevisionDetails, _Mapping]]] = ...) -> None: ...

class RevisionDetails(_message.Message):
    __slots__ = ("revision_id", "source", "comment", "location_in_source", "created_by", "created_at", "updated_at")
    REVISION_ID_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    COMMENT_FIELD_NUMBER: _ClassVar[int]
    LOCATION_IN_SOURCE_FIELD_NUMBER: _ClassVar[int]
    CREATED_BY_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    UPDATED_AT_FIELD_NUMBER: _ClassVar[int]
    revision_id: str
    source: _source_pb2.Source
    comment: str
    location_in_source: str
    created_by: Staff
    created_at: _timestamp_pb2.Timestamp
    updated_at: _timestamp_pb2.Timestamp
    def __init__(self, revision_id: _Optional[str] = ..., source: _Optional[_Union[_source_pb2.Source, _Mapping]] = ..., comment: _Optional[str] = ..., location_in_source: _Optional[str] = ..., created_by: _Optional[_Union[Staff, _Mapping]] = ..., created_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., updated_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class Staff(_message.Message):
    __slots__ = ("staff_id", "staff_name", "email", "company_centre_unit", "location_name", "grade_level", "my_people_page_url")
    STAFF_ID_FIELD_NUMBER: _ClassVar[int]
    STAFF_NAME_FIELD_NUMBER: _ClassVar[int]
    EMAIL_FIELD_NUMBER: _ClassVar[int]
    COMPANY_CENTRE_UNIT_FIELD_NUMBER: _ClassVar[int]
    LOCATION_NAME_FIELD_NUMBER: _ClassVar[int]
    GRADE_LEVEL_FIELD_NUMBER: _ClassVar[int]
    MY_PEOPLE_PAGE_URL_FIELD_NUMBER: _ClassVar[int]
    staff_id: int
    staff_name: str
    email: str
    company_centre_unit: str
    location_name: str
    grade_level: int
    my_people_page_url: str
    def __init__(self, staff_id: _Optional[int] = ..., staff_name: _Optional[str] = ..., email: _Optional[str] = ..., company_centre_unit: _Optional[str] = ..., location_name: _Optional[str] = ..., grade_level: _Optional[int] = ..., my_people_page_url: _Optional[str] = ...) -> None: ...

class ReadParameterMakersRequest(_message.Message):
    __slots__ = ("parameter_ids",)
    PARAMETER_IDS_FIELD_NUMBER: _ClassVar[int]
    parameter_ids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, parameter_ids: _Optional[_Iterable[str]] = ...) -> None: ...

class ReadParameterMakersResponse(_message.Message):
    __slots__ = ("parameters",)
    PARAMETERS_FIELD_NUMBER: _ClassVar[int]
    parameters: _containers.RepeatedCompositeFieldContainer[Makers]
    def __init__(self, parameters: _Optional[_Iterable[_Union[Makers, _Mapping]]] = ...) -> None: ...

class ReadItemTypeMakersRequest(_message.Message):
    __slots__ = ("item_type_ids",)
    ITEM_TYPE_IDS_FIELD_NUMBER: _ClassVar[int]
    item_type_ids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, item_type_ids: _Optional[_Iterable[str]] = ...) -> None: ...

class ReadItemTypeMakersResponse(_message.Message):
    __slots__ = ("item_types",)
    ITEM_TYPES_FIELD_NUMBER: _ClassVar[int]
    item_types: _containers.RepeatedCompositeFieldContainer[Makers]
    def __init__(self, item_types: _Optional[_Iterable[_Union[Makers, _Mapping]]] = ...) -> None: ...

class Makers(_message.Message):
    __slots__ = ("id", "created_by", "updated_by", "creator", "updater")
    ID_FIELD_NUMBER: _ClassVar[int]
    CREATED_BY_FIELD_NUMBER: _ClassVar[int]
    UPDATED_BY_FIELD_NUMBER: _ClassVar[int]
    CREATOR_FIELD_NUMBER: _ClassVar[int]
    UPDATER_FIELD_NUMBER: _ClassVar[int]
    id: str
    created_by: str
    updated_by: str
    creator: Staff
    updater: Staff
    def __init__(self, id: _Optional[str] = ..., created_by: _Optional[str] = ..., updated_by: _Optional[str] = ..., creator: _Optional[_Union[Staff, _Mapping]] = ..., updater: _Optional[_Union[Staff, _Mapping]] = ...) -> None: ...
