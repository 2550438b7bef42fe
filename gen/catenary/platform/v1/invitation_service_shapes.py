"""Generated from catenary/platform/v1/invitation_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.platform.v1 import invitation_shapes

ListInvitationsResponse = TypedDict('ListInvitationsResponse', {
    'invitations': 'list[invitation_shapes.Invitation]',
    'next_cursor': 'str | None',
})

CreateInvitationResponse = TypedDict('CreateInvitationResponse', {
    'invitation': 'invitation_shapes.Invitation | None',
    'url': 'str',
})

GetInvitationResponse = TypedDict('GetInvitationResponse', {
    'invitation': 'invitation_shapes.Invitation | None',
})

DeleteInvitationResponse = TypedDict('DeleteInvitationResponse', {
    'invitation': 'invitation_shapes.Invitation | None',
})
