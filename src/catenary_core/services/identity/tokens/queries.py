"""The SQL of credentials: signing keys, tokens, clients at the token endpoint, API keys in use, enterprise users."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import ARRAY

from catenary_core.database.columns import CLOCK, given
from catenary_core.database.statements import Statement
from catenary_core.resources.platform_rows import inserted
from catenary_core.services.identity.tables import (
    api_key,
    client,
    failed_grant,
    revoked_token,
    session,
    signing_key,
    user,
)

_KEYS_LOCK = 0x6A776B73  # "jwks" in ASCII; the lock under which a signing key is made


def _epoch(column: sa.ColumnElement[Any]) -> sa.ColumnElement[float]:
    return sa.cast(sa.extract("epoch", column), sa.Float)


def _ago(seconds: float) -> sa.ColumnElement[Any]:
    return CLOCK - sa.func.make_interval(0, 0, 0, 0, 0, 0, seconds)


def _moment(name: str) -> sa.ColumnElement[Any]:
    return sa.func.to_timestamp(sa.bindparam(name, type_=sa.Float))


def _lock(key: sa.ColumnElement[Any] | int) -> Statement:
    return Statement(sa.select(sa.cast(sa.func.pg_advisory_xact_lock(key), sa.Text)))


# Signing keys. Their times come from the nodes' clocks, as Unix seconds in both directions.
LOCK_SIGNING_KEYS = _lock(_KEYS_LOCK)
SIGNING_KEYS = Statement(
    sa.select(
        signing_key.c.id,
        signing_key.c.private_key,
        _epoch(signing_key.c.signs_from).label("signs_from"),
        _epoch(signing_key.c.signs_until).label("signs_until"),
        _epoch(signing_key.c.verifies_until).label("verifies_until"),
    ).order_by(signing_key.c.signs_from)
)
ADD_SIGNING_KEY = Statement(
    inserted(signing_key, "id", "private_key").values(
        signs_from=_moment("signs_from"),
        signs_until=_moment("signs_until"),
        verifies_until=_moment("verifies_until"),
    )
)
END_SIGNING_KEYS = Statement(
    sa.update(signing_key).values(
        signs_until=sa.func.least(signing_key.c.signs_until, _moment("begins")),
        verifies_until=sa.func.least(signing_key.c.verifies_until, _moment("ends")),
    )
)
DROP_COMING_SIGNING_KEYS = Statement(sa.delete(signing_key).where(signing_key.c.signs_from > _moment("begins")))
DROP_ENDED_SIGNING_KEYS = Statement(sa.delete(signing_key).where(signing_key.c.verifies_until < _moment("now")))

# Owners of credentials: one statement for each kind, with no row unless the credential is valid.
_counts = sa.and_(user.c.deleted_at.is_(None), sa.not_(user.c.disabled))
OWNER_OF_TOKEN = Statement(
    sa.select(user.c.admin)
    .join(client, client.c.user_id == user.c.id)
    .where(
        client.c.id == given(client.c.id, "client_id"),
        user.c.id == given(user.c.id, "user_id"),
        client.c.token_generation == given(client.c.token_generation),
        _counts,
        ~sa.exists().where(revoked_token.c.id == given(revoked_token.c.id, "token_id")),
    )
)
_session_lasts = sa.and_(session.c.ended_at.is_(None), session.c.ends_at > CLOCK)
OWNER_OF_SESSION = Statement(
    sa.select(user.c.admin)
    .join(session, session.c.user_id == user.c.id)
    .where(
        session.c.id == given(session.c.id, "session_id"),
        user.c.id == given(user.c.id, "user_id"),
        _counts,
        _session_lasts,
    )
)
_found = (
    sa.select(
        api_key.c.id,
        api_key.c.user_id,
        api_key.c.scopes,
        _epoch(api_key.c.expires_at).label("expires_at"),
        api_key.c.last_used_at,
    )
    .join(user, user.c.id == api_key.c.user_id)
    .where(api_key.c.digest == given(api_key.c.digest), api_key.c.deleted_at.is_(None), _counts)
    .cte("found")
)
# Records the use of the key in the same statement, at most once a minute.
_noted = (
    sa.update(api_key)
    .where(
        api_key.c.id == _found.c.id,
        sa.or_(_found.c.last_used_at.is_(None), _found.c.last_used_at < _ago(60)),
    )
    .values(last_used_at=CLOCK)
    .cte("noted")
)
OWNER_OF_API_KEY = Statement(
    sa.select(_found.c.id, _found.c.user_id, _found.c.scopes, _found.c.expires_at).add_cte(_noted)
)
_link = sa.table(
    "link",
    *(sa.column(name, user.c.id.type) for name in ("share_id", "project_id", "variant_id", "evaluation_id")),
    sa.column("digest", sa.LargeBinary),
    sa.column("expires_at", sa.DateTime(timezone=True)),
    schema="projects",
)
LINK = Statement(
    sa.select(
        _link.c.share_id,
        _link.c.project_id,
        _link.c.variant_id,
        _link.c.evaluation_id,
        _epoch(_link.c.expires_at).label("expires_at"),
    ).where(_link.c.digest == sa.bindparam("digest", type_=sa.LargeBinary))
)
"""The share of a link that holds, a view of the projects service."""
HOLDING_LINKS = Statement(
    sa.select(_link.c.share_id).where(_link.c.share_id == sa.any_(sa.bindparam("ids", type_=ARRAY(user.c.id.type))))
)
OWNER_OF_SUBJECT = Statement(
    sa.select(
        user.c.id,
        user.c.admin,
        _counts.label("counts"),
        _epoch(user.c.claims_at).label("claims_at"),
    ).where(
        user.c.issuer == given(user.c.issuer),
        user.c.subject == sa.any_(sa.bindparam("subjects", type_=ARRAY(user.c.subject.type))),
    )
)
"""The user of one of the subjects: a token's own, and what stands for it once the person is erased."""
ADD_PERSON = Statement(
    inserted(user, "id", "issuer", "subject", "staff_name", "email", "admin")
    .values(claims_at=_moment("issued_at"))
    .on_conflict_do_nothing()
)


def _claimed(name: str) -> sa.ColumnElement[Any]:
    """Return the claim's value, or the row's value if the token lacks the claim."""
    return sa.func.coalesce(given(user.c[name]), user.c[name])


RENEW_PERSON = Statement(
    sa.update(user)
    .where(
        user.c.issuer == given(user.c.issuer, "of_issuer"),
        user.c.subject == given(user.c.subject, "of_subject"),
        user.c.deleted_at.is_(None),
        user.c.claims_at < _moment("issued_at"),
    )
    .values(
        staff_name=_claimed("staff_name"),
        email=_claimed("email"),
        admin=_claimed("admin"),
        claims_at=_moment("issued_at"),
        updated_at=CLOCK,
    )
)

_checked = (
    sa.func.unnest(
        sa.bindparam("user_ids", type_=ARRAY(user.c.id.type)),
        sa.bindparam("token_ids", type_=ARRAY(revoked_token.c.id.type)),
        sa.bindparam("key_ids", type_=ARRAY(api_key.c.id.type)),
        sa.bindparam("generations", type_=ARRAY(client.c.token_generation.type)),
        sa.bindparam("session_ids", type_=ARRAY(session.c.id.type)),
    )
    .table_valued(
        sa.column("user_id", user.c.id.type),
        sa.column("token_id", revoked_token.c.id.type),
        sa.column("key_id", api_key.c.id.type),
        sa.column("generation", client.c.token_generation.type),
        sa.column("session_id", session.c.id.type),
        with_ordinality="place",
    )
    .render_derived("asked")
)
_key_counts = sa.exists().where(
    api_key.c.id == _checked.c.key_id,
    api_key.c.deleted_at.is_(None),
    sa.or_(api_key.c.expires_at.is_(None), api_key.c.expires_at > CLOCK),
)
_generation_counts = sa.exists().where(
    client.c.user_id == _checked.c.user_id, client.c.token_generation == _checked.c.generation
)
_session_counts = sa.exists().where(session.c.id == _checked.c.session_id, _session_lasts)
VALID_CREDENTIALS = Statement(
    sa.select(_checked.c.place, user.c.admin)
    .join(_checked, _checked.c.user_id == user.c.id)
    .where(
        _counts,
        ~sa.exists().where(revoked_token.c.id == _checked.c.token_id),
        sa.or_(_checked.c.key_id.is_(None), _key_counts),
        sa.or_(_checked.c.generation.is_(None), _generation_counts),
        sa.or_(_checked.c.session_id.is_(None), _session_counts),
    )
)
"""The credentials, by their positions from 1, that are still valid.

Without a token or key id only the user is checked.
"""

# The token endpoint.
LOGIN_CLIENT = Statement(
    sa.select(
        client.c.id,
        client.c.user_id,
        client.c.secret_digest,
        client.c.token_generation,
        sa.func.coalesce(user.c.last_login_at > _ago(3600), sa.false()).label("logged_in"),
    )
    .join(user, user.c.id == client.c.user_id)
    .where(client.c.id == given(client.c.id), _counts)
)
NOTE_LOGIN = Statement(
    sa.update(user)
    .where(
        user.c.id == given(user.c.id, "user_id"),
        sa.or_(user.c.last_login_at.is_(None), user.c.last_login_at <= _ago(3600)),
    )
    .values(last_login_at=CLOCK)
    .returning(
        user.c.id.label("user_id"),
        user.c.admin,
        user.c.disabled,
        user.c.created_at,
        user.c.updated_at,
        user.c.deleted_at,
    )
)
REVOKE = Statement(inserted(revoked_token, "id").values(expires_at=_moment("expires_at")).on_conflict_do_nothing())
DROP_ENDED_REVOCATIONS = Statement(sa.delete(revoked_token).where(revoked_token.c.expires_at < _ago(300)))

# Failed authentications of the last minute.
LOCK_FAILURES = _lock(sa.func.hashtextextended(sa.func.encode(sa.bindparam("key", type_=sa.LargeBinary), "hex"), 0))
_recent_failures = failed_grant.c.failed_at > _ago(60)
EXCEEDED = Statement(
    sa.select(
        failed_grant.c.key,
        (60 - _epoch(CLOCK - sa.func.min(failed_grant.c.failed_at))).label("retry_after"),
    )
    .where(
        failed_grant.c.key == sa.any_(sa.bindparam("keys", type_=ARRAY(sa.LargeBinary))),
        _recent_failures,
    )
    .group_by(failed_grant.c.key)
    .having(sa.func.count() >= sa.bindparam("allowed", type_=sa.Integer))
)
ADD_FAILURE = Statement(inserted(failed_grant, "id", "key"))
DROP_OLD_FAILURES = Statement(
    sa.delete(failed_grant).where(
        failed_grant.c.id.in_(
            sa.select(failed_grant.c.id)
            .where(failed_grant.c.failed_at < _ago(60))
            .order_by(failed_grant.c.failed_at)
            .limit(sa.literal(100, type_=sa.Integer))
            .with_for_update(skip_locked=True)
        )
    )
)
