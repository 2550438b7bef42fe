"""Personal data that version 0 of the parameter service shows: creators of item types, and details of staff."""

from alembic import op

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    """Add the creators of item types, and the view of staff."""
    op.execute("ALTER TABLE parameter.item_type ADD COLUMN created_by uuid, ADD COLUMN updated_by uuid")
    op.execute(
        """
        CREATE VIEW identity.active_staff AS
        SELECT id AS user_id, staff_id, staff_name, email, company_centre_unit, location_name, grade_level,
               my_people_page_url
          FROM identity."user" WHERE deleted_at IS NULL
        """
    )
