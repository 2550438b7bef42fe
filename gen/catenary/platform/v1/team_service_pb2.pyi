from buf.validate import validate_pb2 as _validate_pb2
from catenary.options.v1 import options_pb2 as _options_pb2
from catenary.platform.v1 import team_pb2 as _team_pb2
from google.api import annotations_pb2 as _annotations_pb2
from google.protobuf import field_mask_pb2 as _field_mask_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ListTeamsRequest(_message.Message):
    __slots__ = ("limit", "cursor", "search")
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    SEARCH_FIELD_NUMBER: _ClassVar[int]
    limit: int
    cursor: str
    search: str
    def __init__(self, limit: _Optional[int] = ..., cursor: _Optional[str] = ..., search: _Optional[str] = ...) -> None: ...

class ListTeamsResponse(_message.Message):
    __slots__ = ("teams", "next_cursor")
    TEAMS_FIELD_NUMBER: _ClassVar[int]
    NEXT_CURSOR_FIELD_NUMBER: _ClassVar[int]
    teams: _containers.RepeatedCompositeFieldContainer[_team_pb2.Team]
    next_cursor: str
    def __init__(self, teams: _Optional[_Iterable[_Union[_team_pb2.Team, _Mapping]]] = ..., next_cursor: _Optional[str] = ...) -> None: ...

class CreateTeamRequest(_message.Message):
    __slots__ = ("name",)
    NAME_FIELD_NUMBER: _ClassVar[int]
    name: str
    def __init__(self, name: _Optional[str] = ...) -> None: ...

class CreateTeamResponse(_message.Message):
    __slots__ = ("team",)
    TEAM_FIELD_NUMBER: _ClassVar[int]
    team: _team_pb2.Team
    def __init__(self, team: _Optional[_Union[_team_pb2.Team, _Mapping]] = ...) -> None: ...

class GetTeamRequest(_message.Message):
    __slots__ = ("team_id",)
    TEAM_ID_FIELD_NUMBER: _ClassVar[int]
    team_id: str
    def __init__(self, team_id: _Optional[str] = ...) -> None: ...

class GetTeamResponse(_message.Message):
    __slots__ = ("team",)
    TEAM_FIELD_NUMBER: _ClassVar[int]
    team: _team_pb2.Team
    def __init__(self, team: _Optional[_Union[_team_pb2.Team, _Mapping]] = ...) -> None: ...

class UpdateTeamRequest(_message.Message):
    __slots__ = ("team_id", "name", "update_mask")
    TEAM_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    UPDATE_MASK_FIELD_NUMBER: _ClassVar[int]
    team_id: str
    name: str
    update_mask: _field_mask_pb2.FieldMask
    def __init__(self, team_id: _Optional[str] = ..., name: _Optional[str] = ..., update_mask: _Optional[_Union[_field_mask_pb2.FieldMask, _Mapping]] = ...) -> None: ...

class UpdateTeamResponse(_message.Message):
    __slots__ = ("team",)
    TEAM_FIELD_NUMBER: _ClassVar[int]
    team: _team_pb2.Team
    def __init__(self, team: _Optional[_Union[_team_pb2.Team, _Mapping]] = ...) -> None: ...

class DeleteTeamRequest(_message.Message):
    __slots__ = ("team_id",)
    TEAM_ID_FIELD_NUMBER: _ClassVar[int]
    team_id: str
    def __init__(self, team_id: _Optional[str] = ...) -> None: ...

class DeleteTeamResponse(_message.Message):
    __slots__ = ("team",)
    TEAM_FIELD_NUMBER: _ClassVar[int]
    team: _team_pb2.Team
    def __init__(self, team: _Optional[_Union[_team_pb2.Team, _Mapping]] = ...) -> None: ...

class ListTeamMembersRequest(_message.Message):
    __slots__ = ("team_id", "limit", "cursor")
    TEAM_ID_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    team_id: str
    limit: int
    cursor: str
    def __init__(self, team_id: _Optional[str] = ..., limit: _Optional[int] = ..., cursor: _Optional[str] = ...) -> None: ...

class ListTeamMembersResponse(_message.Message):
    __slots__ = ("members", "next_cursor")
    MEMBERS_FIELD_NUMBER: _ClassVar[int]
    NEXT_CURSOR_FIELD_NUMBER: _ClassVar[int]
    members: _containers.RepeatedCompositeFieldContainer[_team_pb2.TeamMember]
    next_cursor: str
    def __init__(self, members: _Optional[_Iterable[_Union[_team_pb2.TeamMember, _Mapping]]] = ..., next_cursor: _Optional[str] = ...) -> None: ...

class PutTeamMemberRequest(_message.Message):
    __slots__ = ("team_id", "user_id")
    TEAM_ID_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    team_id: str
    user_id: str
    def __init__(self, team_id: _Optional[str] = ..., user_id: _Optional[str] = ...) -> None: ...

class PutTeamMemberResponse(_message.Message):
    __slots__ = ("member",)
    MEMBER_FIELD_NUMBER: _ClassVar[int]
    member: _team_pb2.TeamMember
    def __init__(self, member: _Optional[_Union[_team_pb2.TeamMember, _Mapping]] = ...) -> None: ...

class DeleteTeamMemberRequest(_message.Message):
    __slots__ = ("team_id", "user_id")
    TEAM_ID_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    team_id: str
    user_id: str
    def __init__(self, team_id: _Optional[str] = ..., user_id: _Optional[str] = ...) -> None: ...

class DeleteTeamMemberResponse(_message.Message):
    __slots__ = ("member",)
    MEMBER_FIELD_NUMBER: _ClassVar[int]
    member: _team_pb2.TeamMember
    def __init__(self, member: _Optional[_Union[_team_pb2.TeamMember, _Mapping]] = ...) -> None: ...
