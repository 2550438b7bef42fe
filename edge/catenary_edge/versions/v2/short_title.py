"""A project has `job_name_short` instead of `short_title`.

> | project | job_name_short | short_title |
"""

from catenary_edge.versions.project_keys import renamed_key

CHANGE = renamed_key("short_title", "job_name_short")
