"""The order in which events are written and read, their visibility, and the releases that have run."""

from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    """Add columns to the log, the view of members and the table of releases."""
    op.execute("ALTER TABLE events.event ADD COLUMN number bigint NOT NULL GENERATED ALWAYS AS IDENTITY")
    op.execute("ALTER TABLE events.event ADD COLUMN environment_project_id uuid")
    op.execute("ALTER TABLE events.event DROP CONSTRAINT event_sequence_key")
    op.execute("CREATE UNIQUE INDEX event_sequence_key ON events.event (sequence) WHERE sequence IS NOT NULL")
    op.execute("DROP INDEX events.event_unsequenced_idx")
    op.execute("CREATE INDEX event_unsequenced_idx ON events.event (number) WHERE sequence IS NULL")
    op.execute(
        """
        CREATE TABLE events.release (
            release text NOT NULL,
            started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            CONSTRAINT release_pkey PRIMARY KEY (release)
        )
        """
    )
    # As projects.project_role, but with deleted projects: their members see the event of the deletion.
    op.execute(
        """
        CREATE VIEW projects.member_user AS
        SELECT m.project_id, m.member_id AS user_id
          FROM projects.member m
          JOIN identity.active_user u ON u.user_id = m.member_id
         WHERE NOT m.is_team
        UNION
        SELECT m.project_id, t.user_id
          FROM projects.member m
          JOIN identity.team_user t ON t.team_id = m.member_id
         WHERE m.is_team
        """
    )
