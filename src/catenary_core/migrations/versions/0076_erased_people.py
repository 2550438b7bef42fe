"""People who were deleted by an earlier release are erased; of deleted clients the name stays."""

from alembic import op

revision = "0076"
down_revision = "0075"

_STATEMENTS = (
    """
    UPDATE identity."user" u
       SET staff_name = '', email = '', company_centre_unit = '', location_name = '', my_people_page_url = '',
           grade_level = NULL
     WHERE deleted_at IS NOT NULL AND NOT EXISTS (SELECT FROM identity.client c WHERE c.user_id = u.id)
    """,
    """
    UPDATE identity.api_key k SET name = ''
      FROM identity."user" u
     WHERE u.id = k.user_id AND u.deleted_at IS NOT NULL
       AND NOT EXISTS (SELECT FROM identity.client c WHERE c.user_id = u.id)
    """,
)


def upgrade() -> None:
    """Empty the personal fields."""
    for statement in _STATEMENTS:
        op.execute(statement)
