"""Generated from catenary/environment/v2/country.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.environment.v2 import region_shapes

Country = TypedDict('Country', {
    'country_class': 'str',
    'country_code': 'str',
    'country_id': 'str',
    'country_name': 'str',
    'iso_code': 'str | None',
    'iso_country_name': 'str | None',
    'iso_formal_name': 'str | None',
    'region': 'region_shapes.Region | None',
    'created_at': 'str | None',
    'updated_at': 'str | None',
    'deleted_at': 'str | None',
})
