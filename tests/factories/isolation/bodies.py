"""A good body of each operation that takes one: `$` stands for an id, `$unique` for a text that no row has.

A tuple has alternatives, for places that can't stand together.
"""

from __future__ import annotations

from typing import Any

URL = "https://example.com/x"
RECEIVER = "http://127.0.0.1:9/"
"""Where a webhook goes in vain: nothing listens there."""
_REFERENCE = {"reference_id": "$", "reference_table": "asset", "reference_url": URL}
_NAME = {"name": "$unique"}
_CONTENT = {"source_id": "$", "values": [{"value": 24.5, "unit_id": "$"}], "comment": "Seen"}
_STUDY = {"kind": "optimization", "objectives": [{"expression": "span"}], "budget": 100, "seed": 1}
SOURCE = b"PARAMETERS = []\nMETRICS = []\ndef evaluate(p):\n    return {}\n"

BODIES: dict[str, Any] = {
    # platform
    "POST /v1/auth/token": {"grant_type": "client_credentials", "client_id": "x", "client_secret": "x"},
    "POST /v1/auth/session": {"sign_in": "x"},
    "POST /v1/auth/revoke": {"token": "x", "client_id": "x", "client_secret": "x"},
    "POST /v1/api_keys": {"name": "CI", "scopes": ["platform:read"]},
    "POST /v1/clients": _NAME,
    "POST /v1/worker_tokens": _NAME,
    "PATCH /v1/clients/{client_id}": _NAME,
    "PATCH /v1/users/me": {"location_name": "Basel"},
    "PATCH /v1/users/{user_id}": {"location_name": "Basel"},
    "POST /v1/teams": _NAME,
    "PATCH /v1/teams/{team_id}": _NAME,
    "POST /v1/projects": {"name": "New", "environment_project_id": "$"},
    "PATCH /v1/projects/{project_id}": (
        {"description": "Changed", "environment_project_id": "$"},
        {"owner_user_id": "$"},
    ),
    "POST /v1/projects/{project_id}/members": ({"team_id": "$", "role": "viewer"}, {"user_id": "$", "role": "viewer"}),
    "PUT /v1/projects/{project_id}/members/{user_id}": {"role": "viewer"},
    "POST /v1/projects/{project_id}/shares": (
        {"kind": "user", "user_id": "$", "role": "viewer", "variant_id": "$"},
        {"kind": "team", "team_id": "$", "role": "viewer"},
        {"kind": "link"},
    ),
    "POST /v1/projects/{project_id}/invitations": {"email": "a@example.com", "staff_name": "A", "role": "viewer"},
    "POST /v1/projects/{project_id}/models": _NAME,
    "PATCH /v1/projects/{project_id}/models/{model_id}": _NAME,
    "POST /v1/projects/{project_id}/models/{model_id}/versions": SOURCE,
    "POST /v1/projects/{project_id}/deployments": {"model_version_id": "$"},
    "PATCH /v1/projects/{project_id}/parameters/{name}": {"label": "Span"},
    "PUT /v2/projects/{project_id}/derived_metrics": {"metrics": []},
    "POST /v1/system_events": {"type": "system.maintenance", "message": "Down at noon"},
    "POST /v1/webhooks": {"url": RECEIVER, "events": ["model.input.*"]},
    "PATCH /v1/webhooks/{webhook_id}": {"url": RECEIVER},
    "POST /v1/webhooks/{webhook_id}/rotate_secret": {"secret": "of sixteen letters or more"},
    "PATCH /v1/notifications/{notification_id}": {"read": True},
    "POST /v1/projects/{project_id}/evaluate": {"parameters": {}, "force": True, "model_version_id": "$"},
    "POST /v1/projects/{project_id}/evaluations/purge": {"older_than": "2020-01-31T12:00:00Z", "unused": True},
    "POST /v1/projects/{project_id}/evaluate/plan": {"kind": "grid", "parameters": {"bays": {"values": [3]}}},
    "POST /v1/projects/{project_id}/files": b"0;0\n1;2\n",
    "POST /v1/projects/{project_id}/studies": (
        _STUDY,
        {**_STUDY, "start_from": ["$"]},
    ),
    "POST /v1/studies/{study_id}/cancel": {},
    "POST /v1/studies/{study_id}/resume": {},
    "POST /v1/projects/{project_id}/evaluate/batch": (
        {"evaluations": [{"parameters": {"span": 30}}], "model_version_id": "$"},
        {"plan_id": "$"},
    ),
    "POST /v1/projects/{project_id}/variants": (
        {"name": "Light", "evaluation_id": "$"},
        {"name": "Light", "parameters": {"span": 30}, "model_version_id": "$"},
    ),
    "PATCH /v1/variants/{variant_id}": {"note": "Lighter"},
    "POST /v1/projects/{project_id}/comments": (
        {"content": "Seen", "variant_id": "$", "mentions": ["$"]},
        {"content": "Seen", "parent_id": "$"},
    ),
    "PATCH /v1/comments/{comment_id}": {"resolved": True},
    "POST /v1/projects/{project_id}/views": {"name": "Facade", "controls": [{"parameter": "span"}]},
    "PUT /v1/views/{view_id}": {"name": "Section", "is_default": True},
    "POST /v1/projects/{project_id}/evaluations.csv": b"in:span\n30\n",
    "POST /v1/import": {"assets": [{"project_id": "$", "parent_id": "$", "asset_sub_type_id": "$"}]},
    # comments, reference data, QA
    "POST /comments/v2/comments": [{**_REFERENCE, "content": "Seen"}],
    "PATCH /comments/v2/comments/{comment_id}": {"content": "Seen again"},
    "POST /reference/v2/source_types": _NAME,
    "PATCH /reference/v2/source_types/{source_type_id}": {"visible": True},
    "POST /reference/v2/sources": {"source_type_id": "$", "title": "Survey", **_REFERENCE},
    "PATCH /reference/v2/sources/{source_id}": {"source_type_id": "$", "title": "Survey", **_REFERENCE},
    "POST /qa/v2/record_types": _NAME,
    "POST /qa/v2/records": [{"type_id": "$", **_REFERENCE}],
    # environment context
    "POST /environment/v2/projects": {"number": "$unique", "confidential": True},
    "PATCH /environment/v2/projects/{project_id}": {"scope_of_works": "Changed"},
    "POST /environment/v2/regions": {"region_code": "$unique", "region_name": "New"},
    "PATCH /environment/v2/regions/{region_id}": {"region_name": "Changed"},
    "POST /environment/v2/countries": {"country_code": "$unique", "country_name": "New", "region_id": "$"},
    "PATCH /environment/v2/countries/{country_id}": {"country_name": "Changed", "region_id": "$"},
    # parameter metadata
    "POST /metadata/v1/tag_types": _NAME,
    "PATCH /metadata/v1/tag_types/{tag_type_id}": {"allow_custom": True},
    "POST /metadata/v1/tags": {**_NAME, "tag_type_id": "$", "tag_scope": "$"},
    "PATCH /metadata/v1/tags/{tag_id}": _NAME,
    "PUT /metadata/v1/tag_links": {"tag_links": [{"tag_id": "$", **_REFERENCE}]},
    "PATCH /metadata/v1/tags/{tag_id}/links/{reference_id}": {"reference_table": "slab"},
    # parameter: types
    "POST /parameter/v1/asset_type_groups": {"asset_type_groups": [{"id": "$", **_NAME}]},
    "PATCH /parameter/v1/asset_type_groups/{asset_type_group_id}": _NAME,
    "POST /parameter/v1/asset_types": {
        "asset_types": [{"id": "$", **_NAME, "asset_type_group_id": "$", "parent_id": "$"}]
    },
    "PATCH /parameter/v1/asset_types/{asset_type_id}": (
        {"asset_type_group_id": "$", "parent_id": None},
        {"parent_id": "$"},
    ),
    "POST /parameter/v1/asset_types/{asset_type_id}/asset_sub_types": {
        "asset_sub_types": [{"id": "$", **_NAME, "parent_asset_sub_type_id": "$"}]
    },
    "PATCH /parameter/v1/asset_types/{asset_type_id}/asset_sub_types/{asset_sub_type_id}": (
        {"name": "New", "parent_asset_sub_type_id": None},
        {"parent_asset_sub_type_id": "$"},
    ),
    "POST /parameter/v1/parameter_types": {
        "parameter_types": [{"id": "$", **_NAME, "data_type": "number", "unit_type_id": "$", "default_unit_id": "$"}]
    },
    "PATCH /parameter/v1/parameter_types/{parameter_type_id}": {"default_unit_id": "$"},
    "POST /parameter/v1/item_types": (
        {"item_types": [{"id": "$", "parameter_type_id": "$", "asset_type_id": "$"}]},
        {"item_types": [{"parameter_type_id": "$", "asset_type_id": "$", "asset_sub_type_id": "$"}]},
    ),
    "PATCH /parameter/v1/item_types/{item_type_id}": (
        {"parameter_type_id": "$", "asset_type_id": "$"},
        {"asset_sub_type_id": "$"},
    ),
    "POST /parameter/v1/unit_systems": {"unit_systems": [{"id": "$", **_NAME}]},
    "PATCH /parameter/v1/unit_systems/{unit_system_id}": {"short_name": "El"},
    "POST /parameter/v1/unit_types": {"unit_types": [{"id": "$", **_NAME}]},
    "PATCH /parameter/v1/unit_types/{unit_type_id}": _NAME,
    "POST /parameter/v1/units": {
        "units": [{"id": "$", "symbol": "$unique", "unit_type_id": "$", "unit_system_id": "$"}]
    },
    "PATCH /parameter/v1/units/{unit_id}": {"unit_system_id": "$"},
    # parameter: assets, parameters, entries, sets
    "POST /parameter/v1/assets": (
        {"assets": [{"id": "$", "project_id": "$", "parent_id": "$", "asset_type_id": "$", "name": "New"}]},
        {"assets": [{"project_id": "$", "asset_sub_type_id": "$"}]},
    ),
    "PATCH /parameter/v1/assets/{asset_id}": ({"name": "Changed"}, {"parent_id": "$"}),
    "POST /parameter/v1/parameters": {
        "parameters": [
            {
                "id": "$",
                "parameter_type_id": "$",
                "project_id": "$",
                "parent_ids": ["$"],
                "entries": [{"entry_id": "$", **_CONTENT}],
            }
        ]
    },
    "PATCH /parameter/v1/parameters/{parameter_id}": {"parent_ids": ["$"]},
    "PUT /parameter/v1/entries": {"entries": [{"entry_id": "$", "parameter_id": "$", **_CONTENT}]},
    "PATCH /parameter/v1/revisions": {"revisions": [{"revision_id": "$", "status": "checked"}]},
    "POST /parameter/v1/parameter_set_categories": _NAME,
    "POST /parameter/v1/parameter_set_types": {**_NAME, "parameter_set_category_id": "$", "item_type_ids": ["$"]},
    "POST /parameter/v1/parameter_set_types/{parameter_set_type_id}/items": {"item_type_ids": ["$"]},
    "POST /parameter/v1/parameter_sets": {
        **_NAME,
        "parameter_set_type_id": "$",
        "project_id": "$",
        "asset_id": "$",
    },
    # older versions, where they differ
    "POST /comments/v1/comments": {**_REFERENCE, "content": "Seen"},
    "POST /qa/v1/records": {"type_id": "$", **_REFERENCE},
    "POST /metadata/v0/tags/{tag_id}/links": {**_REFERENCE, "reference_id": "$tag_links.reference_id"},
    "POST /parameter/v0/assets": {"assets": [{"project_id": "$", "parent_id": "$", "asset_sub_type_id": "$", **_NAME}]},
    "POST /parameter/v0/units": {"units": [{"name": "$unique", "unit_type_id": "$", "unit_system_id": "$"}]},
    "POST /parameter/v0/parameters": {
        "parameters": [
            {
                "parameter_type_id": "$",
                "project_id": "$",
                "parent_ids": ["$"],
                "revision": {
                    "source_id": "$parameters.entries.source_id",
                    "values": [{"value": 24.5, "unit_id": "$parameters.entries.values.unit_id"}],
                },
            }
        ]
    },
    "POST /parameter/v0/parameters/{parameter_id}/revision": {
        "source_id": "$entries.source_id",
        "values": [{"value": 24.5, "unit_id": "$entries.values.unit_id"}],
    },
    "PATCH /parameter/v0/parameters/{parameter_id}/revision": {"status": "checked"},
    "POST /parameter/v0/parameter_sets": {
        **_NAME,
        "parameter_set_type_id": "$parameter_set_category_id",
        "item_type_ids": ["$"],
    },
    "POST /parameter/v0/parameter_sets/{parameter_set_id}/instances": {**_NAME, "project_id": "$", "asset_id": "$"},
}
