"""Generated from catenary/environment/v2/country_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.environment.v2 import country_shapes
from catenary.type.v1 import paging_shapes

ListCountriesResponse = TypedDict('ListCountriesResponse', {
    'countries': 'list[country_shapes.Country]',
    'paging': 'paging_shapes.Paging | None',
    'summary': 'paging_shapes.Summary | None',
})

CreateCountryResponse = TypedDict('CreateCountryResponse', {
    'country': 'country_shapes.Country | None',
})

GetCountryResponse = TypedDict('GetCountryResponse', {
    'country': 'country_shapes.Country | None',
})

UpdateCountryResponse = TypedDict('UpdateCountryResponse', {
    'country': 'country_shapes.Country | None',
})
