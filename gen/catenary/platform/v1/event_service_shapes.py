"""Generated from catenary/platform/v1/event_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.platform.v1 import event_shapes

SubscribeRequest = TypedDict('SubscribeRequest', {
    'project_id': 'str | None',
    'types': 'list[str]',
    'after': 'str | None',
    'last_event_id': 'str | None',
})

SubscribeResponse = TypedDict('SubscribeResponse', {
    'events': 'list[event_shapes.Event]',
    'position': 'str | None',
})

CreateSystemEventRequest = TypedDict('CreateSystemEventRequest', {
    'type': 'str',
    'message': 'str',
    'starts_at': 'str | None',
    'ends_at': 'str | None',
    'release': 'str | None',
})

CreateSystemEventResponse = TypedDict('CreateSystemEventResponse', {
    'system_event': 'event_shapes.SystemEvent | None',
})
