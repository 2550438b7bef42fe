"""Generated from catenary/platform/v1/client_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.platform.v1 import client_shapes

ListClientsResponse = TypedDict('ListClientsResponse', {
    'clients': 'list[client_shapes.Client]',
    'next_cursor': 'str | None',
})

CreateClientResponse = TypedDict('CreateClientResponse', {
    'client': 'client_shapes.Client | None',
    'client_secret': 'str',
})

GetClientResponse = TypedDict('GetClientResponse', {
    'client': 'client_shapes.Client | None',
})

UpdateClientResponse = TypedDict('UpdateClientResponse', {
    'client': 'client_shapes.Client | None',
})

DeleteClientResponse = TypedDict('DeleteClientResponse', {
    'client': 'client_shapes.Client | None',
})

RotateClientSecretResponse = TypedDict('RotateClientSecretResponse', {
    'client': 'client_shapes.Client | None',
    'client_secret': 'str',
})

RevokeClientTokensResponse = TypedDict('RevokeClientTokensResponse', {
    'client': 'client_shapes.Client | None',
})
