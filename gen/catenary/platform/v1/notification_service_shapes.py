"""Generated from catenary/platform/v1/notification_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.platform.v1 import notification_shapes

ListNotificationsRequest = TypedDict('ListNotificationsRequest', {
    'unread': 'bool | None',
    'limit': 'int | None',
    'cursor': 'str',
})

ListNotificationsResponse = TypedDict('ListNotificationsResponse', {
    'notifications': 'list[notification_shapes.Notification]',
    'next_cursor': 'str | None',
})

UpdateNotificationRequest = TypedDict('UpdateNotificationRequest', {
    'notification_id': 'str',
    'read': 'bool | None',
    'update_mask': 'object',
})

UpdateNotificationResponse = TypedDict('UpdateNotificationResponse', {
    'notification': 'notification_shapes.Notification | None',
})
