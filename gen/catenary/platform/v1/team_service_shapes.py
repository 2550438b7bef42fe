"""Generated from catenary/platform/v1/team_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.platform.v1 import team_shapes

ListTeamsRequest = TypedDict('ListTeamsRequest', {
    'limit': 'int | None',
    'cursor': 'str',
})

ListTeamsResponse = TypedDict('ListTeamsResponse', {
    'teams': 'list[team_shapes.Team]',
    'next_cursor': 'str | None',
})

CreateTeamRequest = TypedDict('CreateTeamRequest', {
    'name': 'str',
})

CreateTeamResponse = TypedDict('CreateTeamResponse', {
    'team': 'team_shapes.Team | None',
})

GetTeamRequest = TypedDict('GetTeamRequest', {
    'team_id': 'str',
})

GetTeamResponse = TypedDict('GetTeamResponse', {
    'team': 'team_shapes.Team | None',
})

UpdateTeamRequest = TypedDict('UpdateTeamRequest', {
    'team_id': 'str',
    'name': 'str | None',
    'update_mask': 'object',
})

UpdateTeamResponse = TypedDict('UpdateTeamResponse', {
    'team': 'team_shapes.Team | None',
})

DeleteTeamRequest = TypedDict('DeleteTeamRequest', {
    'team_id': 'str',
})

DeleteTeamResponse = TypedDict('DeleteTeamResponse', {
    'team': 'team_shapes.Team | None',
})

ListTeamMembersRequest = TypedDict('ListTeamMembersRequest', {
    'team_id': 'str',
    'limit': 'int | None',
    'cursor': 'str',
})

ListTeamMembersResponse = TypedDict('ListTeamMembersResponse', {
    'members': 'list[team_shapes.TeamMember]',
    'next_cursor': 'str | None',
})

PutTeamMemberRequest = TypedDict('PutTeamMemberRequest', {
    'team_id': 'str',
    'user_id': 'str',
})

PutTeamMemberResponse = TypedDict('PutTeamMemberResponse', {
    'member': 'team_shapes.TeamMember | None',
})

DeleteTeamMemberRequest = TypedDict('DeleteTeamMemberRequest', {
    'team_id': 'str',
    'user_id': 'str',
})

DeleteTeamMemberResponse = TypedDict('DeleteTeamMemberResponse', {
    'member': 'team_shapes.TeamMember | None',
})
