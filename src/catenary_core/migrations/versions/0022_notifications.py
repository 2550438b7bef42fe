"""Notifications and their sources: names of projects, authors of comments, evaluations that outlast their callers."""

from alembic import op

revision = "0022"
down_revision = "0021"


def upgrade() -> None:
    """Create the schema `notifications`, and the views that it reads."""
    op.execute("CREATE SCHEMA notifications")
    op.execute(
        """
        CREATE TABLE notifications.notification (
            notification_id uuid NOT NULL,
            user_id uuid NOT NULL,
            kind text NOT NULL,
            subject text NOT NULL,
            project_id uuid,
            event_id uuid,
            actor_id uuid,
            read_at timestamptz,
            created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            CONSTRAINT notification_pkey PRIMARY KEY (notification_id)
        )
        """
    )
    op.execute(
        "CREATE INDEX notification_user_id_created_at_notification_id_idx"
        " ON notifications.notification (user_id, created_at, notification_id)"
    )
    op.execute(
        "CREATE INDEX notification_unread_idx ON notifications.notification (user_id, created_at, notification_id)"
        " WHERE read_at IS NULL"
    )
    op.execute("CREATE INDEX notification_created_at_idx ON notifications.notification (created_at)")
    op.execute(
        "CREATE OR REPLACE VIEW projects.active_project AS"
        " SELECT project_id, name FROM projects.project WHERE deleted_at IS NULL"
    )
    op.execute(
        "CREATE VIEW comments.author AS"
        " SELECT id AS comment_id, created_by AS user_id FROM comments.comment WHERE deleted_at IS NULL"
    )
    op.execute("ALTER TABLE evaluations.evaluation ADD COLUMN awaited_until timestamptz")
    # Evaluations that ended after their caller had stopped waiting.
    op.execute(
        "CREATE VIEW evaluations.outlasting AS"
        " SELECT evaluation_id, created_by AS user_id FROM evaluations.evaluation WHERE completed_at > awaited_until"
    )
