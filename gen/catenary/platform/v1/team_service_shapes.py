"""Generated from catenary/platform/v1/team_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.platform.v1 import team_shapes

ListTeamsResponse = TypedDict('ListTeamsResponse', {
    'teams': 'list[team_shapes.Team]',
    'next_cursor': 'str | None',
})

CreateTeamResponse = TypedDict('CreateTeamResponse', {
    'team': 'team_shapes.Team | None',
})

GetTeamResponse = TypedDict('GetTeamResponse', {
    'team': 'team_shapes.Team | None',
})

UpdateTeamResponse = TypedDict('UpdateTeamResponse', {
    'team': 'team_shapes.Team | None',
})

DeleteTeamResponse = TypedDict('DeleteTeamResponse', {
    'team': 'team_shapes.Team | None',
})

ListTeamMembersResponse = TypedDict('ListTeamMembersResponse', {
    'members': 'list[team_shapes.TeamMember]',
    'next_cursor': 'str | None',
})

PutTeamMemberResponse = TypedDict('PutTeamMemberResponse', {
    'member': 'team_shapes.TeamMember | None',
})

DeleteTeamMemberResponse = TypedDict('DeleteTeamMemberResponse', {
    'member': 'team_shapes.TeamMember | None',
})
