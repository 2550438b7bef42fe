"""Generated from catenary/platform/v1/notification.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.platform.v1 import user_shapes

Notification = TypedDict('Notification', {
    'notification_id': 'str',
    'kind': 'str | None',
    'title': 'str',
    'subject': 'str',
    'project_id': 'str | None',
    'event_id': 'str | None',
    'actor_id': 'str | None',
    'actor': 'user_shapes.UserReference | None',
    'read': 'bool',
    'read_at': 'str | None',
    'created_at': 'str | None',
})
