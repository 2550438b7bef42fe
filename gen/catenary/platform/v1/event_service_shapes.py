"""Generated from catenary/platform/v1/event_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.platform.v1 import event_shapes

SubscribeResponse = TypedDict('SubscribeResponse', {
    'events': 'list[event_shapes.Event]',
    'position': 'str | None',
})

CreateSystemEventResponse = TypedDict('CreateSystemEventResponse', {
    'system_event': 'event_shapes.SystemEvent | None',
})
