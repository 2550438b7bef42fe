"""Order, `show_if` and columns of parameters."""

from alembic import op

revision = "0050"
down_revision = "0049"

# As text, since jsonb would write 1e15 as an integer.
_WITH_KEYS = """
    SELECT coalesce(json_agg(
        (rtrim(trim(item.value::text), '}') || ', "order": 0, "show_if": null, "columns": []}')::json
        ORDER BY item.number
    ), '[]'::json)
    FROM json_array_elements(parameters) WITH ORDINALITY item(value, number)
"""


def upgrade() -> None:
    """Give the stored parameters the keys of the new fields: what is stored is answered as it is."""
    for table in ("model_version", "deployment"):
        op.execute(
            f"UPDATE models.{table} SET parameters = ({_WITH_KEYS})"  # noqa: S608 - only literals of this module
            " WHERE json_array_length(parameters) > 0"
        )
