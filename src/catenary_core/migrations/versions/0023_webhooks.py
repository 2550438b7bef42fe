"""Webhooks, their secrets and deliveries."""

from alembic import op

revision = "0023"
down_revision = "0022"


def upgrade() -> None:
    """Create the schema `webhooks`."""
    op.execute("CREATE SCHEMA webhooks")
    op.execute(
        """
        CREATE TABLE webhooks.webhook (
            webhook_id uuid NOT NULL,
            url text NOT NULL,
            events text[] NOT NULL,
            status text NOT NULL DEFAULT 'enabled',
            disabled_reason text,
            user_id uuid NOT NULL,
            scopes text[],
            api_key_id uuid,
            after_sequence bigint NOT NULL,
            created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            deleted_at timestamptz,
            CONSTRAINT webhook_pkey PRIMARY KEY (webhook_id),
            CONSTRAINT webhook_reason_check CHECK ((status = 'enabled') = (disabled_reason IS NULL)),
            CONSTRAINT webhook_status_check CHECK (status IN ('enabled', 'disabled'))
        )
        """
    )
    op.execute("CREATE INDEX webhook_created_at_webhook_id_idx ON webhooks.webhook (created_at, webhook_id)")
    op.execute(
        "CREATE INDEX webhook_user_id_created_at_webhook_id_idx ON webhooks.webhook (user_id, created_at, webhook_id)"
    )
    op.execute(
        "CREATE INDEX webhook_enabled_idx ON webhooks.webhook (webhook_id) WHERE status = 'enabled' AND deleted_at IS NULL"
    )
    op.execute(
        """
        CREATE TABLE webhooks.secret (
            secret_id uuid NOT NULL,
            webhook_id uuid NOT NULL,
            sealed bytea NOT NULL,
            created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            ends_at timestamptz,
            CONSTRAINT secret_pkey PRIMARY KEY (secret_id),
            CONSTRAINT secret_webhook_id_fkey FOREIGN KEY (webhook_id) REFERENCES webhooks.webhook (webhook_id)
        )
        """
    )
    op.execute("CREATE INDEX secret_webhook_id_idx ON webhooks.secret (webhook_id)")
    op.execute("CREATE UNIQUE INDEX secret_current_idx ON webhooks.secret (webhook_id) WHERE ends_at IS NULL")
    op.execute(
        """
        CREATE TABLE webhooks.delivery (
            delivery_id uuid NOT NULL,
            webhook_id uuid NOT NULL,
            event_id uuid NOT NULL,
            event_type text NOT NULL,
            test_event json,
            status text NOT NULL DEFAULT 'pending',
            attempts integer NOT NULL DEFAULT 0,
            next_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            lease_until timestamptz,
            lease_token uuid,
            log json NOT NULL DEFAULT '[]',
            request_excerpt text,
            created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            completed_at timestamptz,
            CONSTRAINT delivery_pkey PRIMARY KEY (delivery_id),
            CONSTRAINT delivery_webhook_id_fkey FOREIGN KEY (webhook_id) REFERENCES webhooks.webhook (webhook_id),
            CONSTRAINT delivery_webhook_id_event_id_key UNIQUE (webhook_id, event_id),
            CONSTRAINT delivery_status_check CHECK (status IN ('pending', 'delivered', 'failed', 'cancelled')),
            CONSTRAINT delivery_final_check CHECK ((completed_at IS NULL) = (status = 'pending')),
            CONSTRAINT delivery_lease_check CHECK ((lease_until IS NULL) = (lease_token IS NULL))
        )
        """
    )
    op.execute(
        "CREATE INDEX delivery_webhook_id_created_at_delivery_id_idx "
        "ON webhooks.delivery (webhook_id, created_at, delivery_id)"
    )
    op.execute("CREATE INDEX delivery_updated_at_idx ON webhooks.delivery (updated_at)")
    op.execute(
        "CREATE INDEX delivery_due_idx ON webhooks.delivery (webhook_id, next_at, delivery_id) WHERE status = 'pending'"
    )
    op.execute("CREATE INDEX delivery_leased_idx ON webhooks.delivery (webhook_id) WHERE lease_until IS NOT NULL")
