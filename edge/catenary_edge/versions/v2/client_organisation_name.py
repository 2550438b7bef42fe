"""A project has `organisation_name` instead of `client_organisation_name`.

> | project | organisation_name | client_organisation_name |
"""

from catenary_edge.versions.project_keys import renamed_key

CHANGE = renamed_key("client_organisation_name", "organisation_name")
