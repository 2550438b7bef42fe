import datetime

from buf.validate import validate_pb2 as _validate_pb2
from catenary.options.v1 import options_pb2 as _options_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class UserReference(_message.Message):
    __slots__ = ("user_id", "staff_name")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    STAFF_NAME_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    staff_name: str
    def __init__(self, user_id: _Optional[str] = ..., staff_name: _Optional[str] = ...) -> None: ...

class User(_message.Message):
    __slots__ = ("user_id", "staff_name", "email", "staff_id", "company_centre_unit", "location_name", "grade_level", "my_people_page_url", "admin", "disabled", "created_at", "updated_at", "deleted_at", "tier", "email_verified")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    STAFF_NAME_FIELD_NUMBER: _ClassVar[int]
    EMAIL_FIELD_NUMBER: _ClassVar[int]
    STAFF_ID_FIELD_NUMBER: _ClassVar[int]
    COMPANY_CENTRE_UNIT_FIELD_NUMBER: _ClassVar[int]
    LOCATION_NAME_FIELD_NUMBER: _ClassVar[int]
    GRADE_LEVEL_FIELD_NUMBER: _ClassVar[int]
    MY_PEOPLE_PAGE_URL_FIELD_NUMBER: _ClassVar[int]
    ADMIN_FIELD_NUMBER: _ClassVar[int]
    DISABLED_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    UPDATED_AT_FIELD_NUMBER: _ClassVar[int]
    DELETED_AT_FIELD_NUMBER: _ClassVar[int]
    TIER_FIELD_NUMBER: _ClassVar[int]
    EMAIL_VERIFIED_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    staff_name: str
    email: str
    staff_id: int
    company_centre_unit: str
    location_name: str
    grade_level: int
    my_people_page_url: str
    admin: bool
    disabled: bool
    created_at: _timestamp_pb2.Timestamp
    updated_at: _timestamp_pb2.Timestamp
    deleted_at: _timestamp_pb2.Timestamp
    tier: str
    email_verified: bool
    def __init__(self, user_id: _Optional[str] = ..., staff_name: _Optional[str] = ..., email: _Optional[str] = ..., staff_id: _Optional[int] = ..., company_centre_unit: _Optional[str] = ..., location_name: _Optional[str] = ..., grade_level: _Optional[int] = ..., my_people_page_url: _Optional[str] = ..., admin: _Optional[bool] = ..., disabled: _Optional[bool] = ..., created_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., updated_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., deleted_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., tier: _Optional[str] = ..., email_verified: _Optional[bool] = ...) -> None: ...
