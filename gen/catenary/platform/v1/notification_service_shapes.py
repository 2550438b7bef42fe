"""Generated from catenary/platform/v1/notification_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.platform.v1 import notification_shapes

ListNotificationsResponse = TypedDict('ListNotificationsResponse', {
    'notifications': 'list[notification_shapes.Notification]',
    'next_cursor': 'str | None',
})

GetNotificationResponse = TypedDict('GetNotificationResponse', {
    'notification': 'notification_shapes.Notification | None',
})

UpdateNotificationResponse = TypedDict('UpdateNotificationResponse', {
    'notification': 'notification_shapes.Notification | None',
})
