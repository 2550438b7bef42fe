"""Generated from catenary/environment/v2/country_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.environment.v2 import country_shapes
from catenary.type.v1 import paging_shapes

ListCountriesRequest = TypedDict('ListCountriesRequest', {
    'page_limit': 'int | None',
    'before': 'str | None',
    'after': 'str | None',
    'sort_by': 'str | None',
    'order': 'str | None',
    'show_active': 'bool | None',
    'show_deleted': 'bool | None',
})

ListCountriesResponse = TypedDict('ListCountriesResponse', {
    'countries': 'list[country_shapes.Country]',
    'paging': 'paging_shapes.Paging | None',
    'summary': 'paging_shapes.Summary | None',
})

CreateCountryRequest = TypedDict('CreateCountryRequest', {
    'country_class': 'str | None',
    'country_code': 'str',
    'country_name': 'str',
    'iso_code': 'str | None',
    'iso_country_name': 'str | None',
    'iso_formal_name': 'str | None',
    'region_id': 'str | None',
})

CreateCountryResponse = TypedDict('CreateCountryResponse', {
    'country': 'country_shapes.Country | None',
})

GetCountryRequest = TypedDict('GetCountryRequest', {
    'country_id': 'str',
    'show_deleted': 'bool',
})

GetCountryResponse = TypedDict('GetCountryResponse', {
    'country': 'country_shapes.Country | None',
})

UpdateCountryRequest = TypedDict('UpdateCountryRequest', {
    'country_id': 'str',
    'country_class': 'str | None',
    'country_code': 'str | None',
    'country_name': 'str | None',
    'iso_code': 'str | None',
    'iso_country_name': 'str | None',
    'iso_formal_name': 'str | None',
    'region_id': 'str | None',
    'update_mask': 'object',
})

UpdateCountryResponse = TypedDict('UpdateCountryResponse', {
    'country': 'country_shapes.Country | None',
})
