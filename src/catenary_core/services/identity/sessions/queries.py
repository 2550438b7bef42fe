"""The SQL of sessions and sign-in links. All times come from the clock of the database."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from catenary_core.database.statements import Statement
from catenary_core.services.identity.tables import client, session, session_token, sign_in_link, user

_now = sa.func.clock_timestamp()
_instant = sa.func.statement_timestamp()
"""The same time for two columns of one statement."""
_enabled = sa.and_(user.c.deleted_at.is_(None), sa.not_(user.c.disabled))


def _given(column: sa.Column[Any], name: str | None = None) -> sa.BindParameter[Any]:
    return sa.bindparam(name or column.name, type_=column.type)


def _epoch(column: sa.ColumnElement[Any], name: str) -> sa.ColumnElement[float]:
    return sa.cast(sa.extract("epoch", column), sa.Float).label(name)


def _later(name: str) -> sa.ColumnElement[Any]:
    return _now + sa.func.make_interval(0, 0, 0, 0, 0, 0, sa.bindparam(name, type_=sa.Float))


ADD_PERSON = Statement(
    sa.insert(user).values(
        id=_given(user.c.id),
        staff_name=_given(user.c.staff_name),
        email=_given(user.c.email),
        email_verified=sa.false(),
    )
)
HOLD_ENABLED = Statement(
    sa.select(user.c.id).where(user.c.id == _given(user.c.id), _enabled).with_for_update(read=True, key_share=True)
)
"""A user that may call, locked against deletion."""

ADD_SESSION = Statement(
    sa.insert(session)
    .values(id=_given(session.c.id), user_id=_given(session.c.user_id), ends_at=_later("lifetime_seconds"))
    .returning(_epoch(_now, "now"), _epoch(session.c.ends_at, "ends_at"))
)
ADD_TOKEN = Statement(
    sa.insert(session_token).values(
        {name: _given(session_token.c[name]) for name in ("digest", "session_id", "generation")}
    )
)
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
        _epoch(_now, "now"),
    )
    .join(session_token, session_token.c.session_id == session.c.id)
    .join(user, user.c.id == session.c.user_id)
    .where(session_token.c.digest == _given(session_token.c.digest))
)
SESSION = Statement(
    sa.select(session_token.c.session_id).where(session_token.c.digest == _given(session_token.c.digest))
)
"""The session of a refresh token."""
LOCK_SESSION = Statement(_of_token.with_for_update(of=session))
"""The session of a refresh token, locked: uses of one session follow each other."""
_this = session.c.id == _given(session.c.id)
ROTATE = Statement(
    sa.update(session)
    .where(_this)
    .values(generation=_given(session.c.generation), rotated_at=_instant, used_at=_instant)
)
USE_AGAIN = Statement(sa.update(session).where(_this).values(used_at=_now))
END = Statement(sa.update(session).where(_this, session.c.ended_at.is_(None)).values(ended_at=_now))
DROP_OLDEST_TOKENS = Statement(
    sa.delete(session_token).where(
        session_token.c.session_id == _given(session_token.c.session_id),
        session_token.c.generation < _given(session_token.c.generation, "kept_from"),
    )
)
DROP_ENDED = Statement(
    sa.delete(session).where(
        session.c.id.in_(
            sa.select(session.c.id)
            .where(session.c.ends_at < _now)
            .order_by(session.c.ends_at)
            .limit(sa.literal(100, type_=sa.Integer))
            .with_for_update(skip_locked=True)
        )
    )
)

ADD_LINK = Statement(
    sa.insert(sign_in_link)
    .values({name: _given(sign_in_link.c[name]) for name in ("id", "user_id", "digest", "session_id")})
    .values(expires_at=_later("lifetime_seconds"))
    .returning(sign_in_link.c.expires_at)
)
DROP_LINKS_OF_ADMINS = Statement(
    sa.delete(sign_in_link).where(
        sign_in_link.c.user_id == _given(sign_in_link.c.user_id), sign_in_link.c.session_id.is_(None)
    )
)
DROP_EXPIRED_LINKS = Statement(sa.delete(sign_in_link).where(sign_in_link.c.expires_at < _now))
_lives = sa.exists().where(
    session.c.id == sign_in_link.c.session_id, session.c.ended_at.is_(None), session.c.ends_at > _now
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
        sign_in_link.c.digest == _given(sign_in_link.c.digest),
        sign_in_link.c.expires_at > _now,
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
    .where(user.c.id == _given(user.c.id), user.c.deleted_at.is_(None))
    .with_for_update(read=True)
)
