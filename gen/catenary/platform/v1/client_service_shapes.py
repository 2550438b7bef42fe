"""Generated from catenary/platform/v1/client_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.platform.v1 import client_shapes

ListClientsRequest = TypedDict('ListClientsRequest', {
    'limit': 'int | None',
    'cursor': 'str',
})

ListClientsResponse = TypedDict('ListClientsResponse', {
    'clients': 'list[client_shapes.Client]',
    'next_cursor': 'str | None',
})

CreateClientRequest = TypedDict('CreateClientRequest', {
    'name': 'str',
    'admin': 'bool',
})

CreateClientResponse = TypedDict('CreateClientResponse', {
    'client': 'client_shapes.Client | None',
    'client_secret': 'str',
})

GetClientRequest = TypedDict('GetClientRequest', {
    'client_id': 'str',
})

GetClientResponse = TypedDict('GetClientResponse', {
    'client': 'client_shapes.Client | None',
})

UpdateClientRequest = TypedDict('UpdateClientRequest', {
    'client_id': 'str',
    'name': 'str | None',
    'admin': 'bool | None',
    'disabled': 'bool | None',
    'update_mask': 'object',
})

UpdateClientResponse = TypedDict('UpdateClientResponse', {
    'client': 'client_shapes.Client | None',
})

DeleteClientRequest = TypedDict('DeleteClientRequest', {
    'client_id': 'str',
})

DeleteClientResponse = TypedDict('DeleteClientResponse', {
    'client': 'client_shapes.Client | None',
})

RotateClientSecretRequest = TypedDict('RotateClientSecretRequest', {
    'client_id': 'str',
})

RotateClientSecretResponse = TypedDict('RotateClientSecretResponse', {
    'client': 'client_shapes.Client | None',
    'client_secret': 'str',
})
