"""NotificationService: the caller's notifications."""

from __future__ import annotations

from catenary.platform.v1 import notification_service_pb2 as pb
from catenary.platform.v1 import notification_service_shapes as shapes
from catenary_core.call import field_masks, preconditions
from catenary_core.call.call import Call
from catenary_core.call.errors import not_found
from catenary_core.frame import Frame
from catenary_core.resources.platform_pages import page_of
from catenary_core.services.notifications import messages, queries


class NotificationServicer:
    """`catenary.platform.v1.NotificationService`."""

    def __init__(self, frame: Frame) -> None:
        self._db = frame.db

    async def list_notifications(
        self, request: pb.ListNotificationsRequest, call: Call
    ) -> shapes.ListNotificationsResponse:
        """List a page of the caller's notifications, newest first."""
        page = page_of(request)
        unread = request.unread if request.HasField("unread") else None
        found = queries.LIST[call.caller.admin, unread]
        async with self._db.read() as tx:
            rows, next_cursor = await found.read(tx, page, user_id=call.caller.user_id)
        return {"notifications": [messages.notification(row) for row in rows], "next_cursor": next_cursor}

    async def get_notification(self, request: pb.GetNotificationRequest, call: Call) -> shapes.GetNotificationResponse:
        """Return one notification of the caller."""
        key = {"notification_id": request.notification_id, "user_id": call.caller.user_id}
        async with self._db.read() as tx:
            row = await tx.one_or_none(queries.ONE[call.caller.admin], **key)
        if row is None:
            raise not_found("notification")
        return {"notification": messages.notification(row)}

    async def update_notification(
        self, request: pb.UpdateNotificationRequest, call: Call
    ) -> shapes.UpdateNotificationResponse:
        """Mark a notification as read or unread. `read_at` stays that of the first time while it stays read."""
        values = field_masks.new_values(request)
        key = {"notification_id": request.notification_id, "user_id": call.caller.user_id}
        async with self._db.transaction() as tx:
            await tx.execute(queries.HOLD, **key)
            row = await tx.one_or_none(queries.ONE[call.caller.admin], **key)
            if row is None:
                raise not_found("notification")
            preconditions.check(call, messages.notification(row))
            if values.get("read", row["read"]) != row["read"]:
                row |= await tx.one(queries.MARK, notification_id=request.notification_id, **values)
        return {"notification": messages.notification(row)}
