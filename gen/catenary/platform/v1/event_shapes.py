"""Generated from catenary/platform/v1/event.proto by .ci/generate; not for editing."""

from typing import TypedDict

Event = TypedDict('Event', {
    'id': 'str',
    'type': 'str',
    'occurred_at': 'str | None',
    'project_id': 'str | None',
    'actor_id': 'str | None',
    'subject': 'str',
    'data': 'object',
})

SystemEvent = TypedDict('SystemEvent', {
    'type': 'str',
    'message': 'str',
    'starts_at': 'str | None',
    'ends_at': 'str | None',
    'release': 'str | None',
})
