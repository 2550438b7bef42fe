"""Generated from catenary/platform/v1/audit_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.platform.v1 import audit_shapes

ListAuditEntriesResponse = TypedDict('ListAuditEntriesResponse', {
    'entries': 'list[audit_shapes.AuditEntry]',
    'next_cursor': 'str | None',
})
