"""Generated from catenary/parameter/v1/older_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.reference.v2 import source_shapes

ReadRevisionDetailsResponse = TypedDict('ReadRevisionDetailsResponse', {
    'revisions': 'list[RevisionDetails]',
})

RevisionDetails = TypedDict('RevisionDetails', {
    'revision_id': 'str',
    'source': 'source_shapes.Source | None',
    'comment': 'str | None',
    'location_in_source': 'str | None',
    'created_by': 'Staff | None',
    'created_at': 'str | None',
    'updated_at': 'str | None',
})

Staff = TypedDict('Staff', {
    'staff_id': 'int',
    'staff_name': 'str',
    'email': 'str',
    'company_centre_unit': 'str',
    'location_name': 'str',
    'grade_level': 'int | None',
    'my_people_page_url': 'str',
})

ReadParameterMakersResponse = TypedDict('ReadParameterMakersResponse', {
    'parameters': 'list[Makers]',
})

ReadItemTypeMakersResponse = TypedDict('ReadItemTypeMakersResponse', {
    'item_types': 'list[Makers]',
})

Makers = TypedDict('Makers', {
    'id': 'str',
    'created_by': 'str | None',
    'updated_by': 'str | None',
    'creator': 'Staff | None',
    'updater': 'Staff | None',
})
