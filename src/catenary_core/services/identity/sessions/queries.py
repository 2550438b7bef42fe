"""The SQL of sessions and sign-in links. All times come from the clock of the database."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from catenary_core.database.columns import CLOCK, INSTANT, given
from catenary_core.database.statements import Statement
from catenary_core.resources.platform_rows import inserted
from catenary_core.services.identity.tables import client, session, session_token, sign_in_link, user

_enabled = sa.and_(user.c.deleted_at.is_(None), sa.not_(user.c.disabled))


def _epoch(column: sa.ColumnElement[Any], name: str) -> sa.ColumnElement[float]:
    return sa.cast(sa.extract("epoch", column), sa.Float).label(name)


def _later(name: str) -> sa.ColumnElement[Any]:
    return CLOCK + sa.func.make_interval(0, 0, 0, 0, 0, 0, sa.bindparam(name, type_=sa.Float))


ADD_PERSON = Statement(inserted(user, "id", "staff_name", "email").values(email_verified=sa.false()))
HOLD_ENABLED = Statement(
    sa.select(user.c.id).where(user.c.id == given(user.c.id), _enabled).with_for_update(read=True, key_share=True)
)
"""A user that may call, locked against deletion."""

ADD_SESSION = Statement(
    inserted(session, "id", "user_id")
    .values(ends_at=_later("lifetime_seconds"))
    .returning(_epoch(CLOCK, "now"), _epoch(session.c.ends_at, "ends_at"))
)
ADD_TOKEN = Statement(inserted(session_token, "digest", "session_id", "generation"))
_of_token = (
    sa.select(
        session.c.id,
        session.c.user_id,
        session.c.generation,
        _epoch(session.c.rotated_at, "rotated_at"),
        _epoch(session.c.used_at, "used_at"),
        _epoch(session.c.ends_at, "ends_at"),
        sa.or_(session.c.ended_at.is_not(None), ~_enabled).label("has_ended"),
        session_token.c.generation.label("token_generation"),
        _epoch(CLOCK, "now"),
    )
    .join(session_token, session_token.c.session_id == session.c.id)
    .join(user, user.c.id == session.c.user_id)
    .where(session_token.c.digest == given(session_token.c.digest))
)
SESSION = Statement(
    sa.select(session_token.c.session_id).where(session_token.c.digest == given(session_token.c.digest))
)
"""The session of a refresh token."""
LOCK_SESSION = Statement(_of_token.with_for_update(of=session))
"""The session of a refresh token, locked: uses of one session follow each other."""
_this = session.c.id == given(session.c.id)
ROTATE = Statement(
    sa.update(session).where(_this).values(generation=given(session.c.generation), rotated_at=INSTANT, used_at=INSTANT)
)
USE_AGAIN = Statement(sa.update(session).where(_this).values(used_at=CLOCK))
END = Statement(sa.update(session).where(_this, session.c.ended_at.is_(None)).values(ended_at=CLOCK))
DROP_OLDEST_TOKENS = Statement(
    sa.delete(session_token).where(
        session_token.c.session_id == given(session_token.c.session_id),
        session_token.c.generation < given(session_token.c.generation, "kept_from"),
    )
)
DROP_ENDED = Statement(
    sa.delete(session).where(
        session.c.id.in_(
            sa.select(session.c.id)
            .where(session.c.ends_at < CLOCK)
            .order_by(session.c.ends_at)
            .limit(sa.literal(100, type_=sa.Integer))
            .with_for_update(skip_locked=True)
        )
    )
)

ADD_LINK = Statement(
    inserted(sign_in_link, "id", "user_id", "digest", "session_id")
    .values(expires_at=_later("lifetime_seconds"))
    .returning(sign_in_link.c.expires_at)
)
DROP_LINKS_OF_ADMINS = Statement(
    sa.delete(sign_in_link).where(
        sign_in_link.c.user_id == given(sign_in_link.c.user_id), sign_in_link.c.session_id.is_(None)
    )
)
DROP_EXPIRED_LINKS = Statement(sa.delete(sign_in_link).where(sign_in_link.c.expires_at < CLOCK))
_lives = sa.exists().where(
    session.c.id == sign_in_link.c.session_id, session.c.ended_at.is_(None), session.c.ends_at > CLOCK
)
# A link that an Admin made is none to the rights of an Admin.
_gives = sa.exists().where(
    user.c.id == sign_in_link.c.user_id,
    _enabled,
    sa.or_(sign_in_link.c.session_id.is_not(None), sa.not_(user.c.admin)),
)
TAKE_LINK = Statement(
    sa.delete(sign_in_link)
    .where(
        sign_in_link.c.digest == given(sign_in_link.c.digest),
        sign_in_link.c.expires_at > CLOCK,
        sa.or_(sign_in_link.c.session_id.is_(None), _lives),
        _gives,
    )
    .returning(sign_in_link.c.user_id)
)
"""Use up a link; no row for one that does not hold."""
LOCK_PERSON = Statement(
    sa.select(
        user.c.admin,
        user.c.disabled,
        user.c.issuer.is_not(None).label("has_provider"),
        sa.exists().where(client.c.user_id == user.c.id).label("is_client"),
    )
    .where(user.c.id == given(user.c.id), user.c.deleted_at.is_(None))
    .with_for_update(read=True)
)
