"""The keys of newer fields in parameters that a core of an older release stores."""

from alembic import op

revision = "0054"
down_revision = "0053"

# As text, since jsonb would write 1e15 as an integer.
_COMPLETED = """
    CREATE FUNCTION models.completed_parameters(parameters json) RETURNS json LANGUAGE sql IMMUTABLE AS $$
        SELECT coalesce(json_agg(
            CASE WHEN item.value -> 'show_if' IS NOT NULL THEN item.value
                 ELSE (left(item.value::text, -1) || ', "order": 0, "show_if": null, "columns": []}')::json END
            ORDER BY item.number
        ), '[]'::json)
        FROM json_array_elements(parameters) WITH ORDINALITY item(value, number)
    $$
"""
_LACKS_KEYS = """
    json_typeof({0}) = 'array'
    AND EXISTS (SELECT FROM json_array_elements({0}) item(value) WHERE item.value -> 'show_if' IS NULL)
"""
_COMPLETE = f"""
    CREATE FUNCTION models.complete_parameters() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF {_LACKS_KEYS.format("NEW.parameters")} THEN
            NEW.parameters = models.completed_parameters(NEW.parameters);
        END IF;
        RETURN NEW;
    END $$
"""


def upgrade() -> None:
    """Give the keys of 0050 to parameters that an older core stored after it or still stores.

    A core that runs on during the upgrade may end a check: what is stored is answered as it is, so that every reader
    would fail.
    """
    op.execute(_COMPLETED)
    op.execute(_COMPLETE)
    for table in ("model_version", "deployment"):
        op.execute(
            f"""
            CREATE TRIGGER complete_parameters BEFORE INSERT OR UPDATE OF parameters ON models.{table}
            FOR EACH ROW EXECUTE FUNCTION models.complete_parameters()
            """
        )
        op.execute(
            f"UPDATE models.{table} SET parameters = models.completed_parameters(parameters)"  # noqa: S608 - only literals
            f" WHERE {_LACKS_KEYS.format('parameters')}"
        )
