"""The tables of identity, and the views on them for other services.

- `identity.active_user(user_id, staff_name, email, admin)`; an address that nobody has verified is empty here
- `identity.enabled_user(user_id, admin)`: the active users that may call
- `identity.active_team(team_id, name, created_by)`
- `identity.team_user(team_id, user_id)`: the active users of active teams
- `identity.active_staff(user_id, staff_id, staff_name, email, company_centre_unit, location_name, grade_level,
  my_people_page_url)`, for the older REST versions; addresses as in the first view
- `identity.user_tier(user_id, tier)`: the tier of each user, deleted ones too

Active means not deleted: a disabled user keeps all memberships and roles, and only can't call. A row of the first two
views may be locked through the view (FOR KEY SHARE) against deletion; the order of locks is that of
`catenary_core.services.projects.tables`.
"""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import ARRAY, UUID

from catenary_core.database.columns import NOW
from catenary_core.database.statements import metadata
from catenary_core.settings import DEFAULT_TIER

_Id = UUID(as_uuid=False)


def _moment(name: str, *, nullable: bool = False) -> sa.Column[object]:
    default = None if nullable else NOW
    return sa.Column(name, sa.DateTime(timezone=True), nullable=nullable, server_default=default)


user = sa.Table(
    "user",
    metadata,
    sa.Column("id", _Id, primary_key=True),
    sa.Column("staff_id", sa.BigInteger, sa.Identity(always=True), nullable=False),
    # The person's identity at its provider; both null for a client's user. A deleted person keeps a keyed digest in place of the
    # subject, so that the person's next token doesn't create another user.
    sa.Column("issuer", sa.Text, nullable=True),
    sa.Column("subject", sa.Text, nullable=True),
    sa.Column("staff_name", sa.Text, nullable=False),
    sa.Column("email", sa.Text, nullable=False),
    # False for a person who was invited, whose address is only what the inviter wrote: it matches nobody.
    sa.Column("email_verified", sa.Boolean, nullable=False, server_default=sa.text("true")),
    sa.Column("company_centre_unit", sa.Text, nullable=False, server_default=sa.text("''")),
    sa.Column("location_name", sa.Text, nullable=False, server_default=sa.text("''")),
    sa.Column("grade_level", sa.Integer, nullable=True),
    sa.Column("my_people_page_url", sa.Text, nullable=False, server_default=sa.text("''")),
    sa.Column("admin", sa.Boolean, nullable=False, server_default=sa.text("false")),
    sa.Column("disabled", sa.Boolean, nullable=False, server_default=sa.text("false")),
    # A name of CATENARY_TIERS; one that is no longer there counts as `standard`.
    sa.Column("tier", sa.Text, nullable=False, server_default=DEFAULT_TIER),
    # Issue time of the token that name, e-mail address and Admin were taken from: an older token changes nothing.
    _moment("claims_at", nullable=True),
    _moment("last_login_at", nullable=True),
    _moment("created_at"),
    _moment("updated_at"),
    _moment("deleted_at", nullable=True),
    sa.UniqueConstraint("staff_id"),
    sa.UniqueConstraint("issuer", "subject"),
    sa.Index("user_created_at_id_idx", "created_at", "id"),
    sa.Index("user_enabled_admin_idx", "id", postgresql_where=sa.text("admin AND NOT disabled AND deleted_at IS NULL")),
    schema="identity",
)

# A client's name, Admin flag, state and deletion are stored only in its user's row.
client = sa.Table(
    "client",
    metadata,
    sa.Column("id", _Id, primary_key=True),
    sa.Column("user_id", _Id, sa.ForeignKey("identity.user.id"), nullable=False),
    sa.Column("secret_digest", sa.LargeBinary, nullable=False),
    # Every token has the generation of its client at its issue, and is valid as long as the client has the same one.
    sa.Column("token_generation", sa.Integer, nullable=False, server_default=sa.text("0")),
    _moment("created_at"),
    _moment("updated_at"),
    sa.UniqueConstraint("user_id"),
    sa.Index("client_created_at_id_idx", "created_at", "id"),
    schema="identity",
)

api_key = sa.Table(
    "api_key",
    metadata,
    sa.Column("id", _Id, primary_key=True),
    sa.Column("user_id", _Id, sa.ForeignKey("identity.user.id"), nullable=False),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("prefix", sa.Text, nullable=False),
    sa.Column("digest", sa.LargeBinary, nullable=False),
    sa.Column("scopes", ARRAY(sa.Text), nullable=False),
    _moment("expires_at", nullable=True),
    _moment("last_used_at", nullable=True),
    _moment("created_at"),
    _moment("updated_at"),
    _moment("deleted_at", nullable=True),
    sa.UniqueConstraint("digest"),
    sa.Index("api_key_created_at_id_idx", "created_at", "id"),
    sa.Index("api_key_user_id_created_at_id_idx", "user_id", "created_at", "id"),
    schema="identity",
)

team = sa.Table(
    "team",
    metadata,
    sa.Column("id", _Id, primary_key=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("created_by", _Id, sa.ForeignKey("identity.user.id"), nullable=False),
    _moment("created_at"),
    _moment("updated_at"),
    _moment("deleted_at", nullable=True),
    sa.Index("team_name_key", "name", unique=True, postgresql_where=sa.text("deleted_at IS NULL")),
    sa.Index("team_created_at_id_idx", "created_at", "id"),
    schema="identity",
)

team_member = sa.Table(
    "team_member",
    metadata,
    sa.Column("team_id", _Id, sa.ForeignKey("identity.team.id"), primary_key=True),
    sa.Column("user_id", _Id, sa.ForeignKey("identity.user.id"), primary_key=True),
    _moment("created_at"),
    sa.Index("team_member_user_id_idx", "user_id"),
    schema="identity",
)

# Keys that sign access tokens. The private key is encrypted with the installation's keys.
signing_key = sa.Table(
    "signing_key",
    metadata,
    sa.Column("id", _Id, primary_key=True),
    sa.Column("private_key", sa.LargeBinary, nullable=False),
    sa.Column("signs_from", sa.DateTime(timezone=True), nullable=False),
    sa.Column("signs_until", sa.DateTime(timezone=True), nullable=False),
    sa.Column("verifies_until", sa.DateTime(timezone=True), nullable=False),
    schema="identity",
)

# Revoked access tokens (by `jti`), kept until they would have expired.
revoked_token = sa.Table(
    "revoked_token",
    metadata,
    sa.Column("id", _Id, primary_key=True),
    sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
    sa.Index("revoked_token_expires_at_idx", "expires_at"),
    schema="identity",
)

# Credentials of workers, as SHA-256 of 256 random bits: a change of the installation's secret leaves them valid.
worker_token = sa.Table(
    "worker_token",
    metadata,
    sa.Column("id", _Id, primary_key=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("prefix", sa.Text, nullable=False),
    sa.Column("digest", sa.LargeBinary, nullable=False),
    _moment("last_used_at", nullable=True),
    _moment("created_at"),
    _moment("updated_at"),
    _moment("deleted_at", nullable=True),
    sa.UniqueConstraint("digest"),
    sa.Index("worker_token_created_at_id_idx", "created_at", "id"),
    schema="identity",
)

# Sessions of people without an identity provider. A session has one access token after another, for refresh tokens that follow
# each other; `generation` is the number of the newest.
session = sa.Table(
    "session",
    metadata,
    sa.Column("id", _Id, primary_key=True),
    sa.Column("user_id", _Id, sa.ForeignKey("identity.user.id"), nullable=False),
    sa.Column("generation", sa.Integer, nullable=False, server_default=sa.text("1")),
    # Time at which the newest generation began.
    _moment("rotated_at"),
    _moment("used_at"),
    sa.Column("ends_at", sa.DateTime(timezone=True), nullable=False),
    # Time of a sign-out, or of the second use of an older refresh token.
    _moment("ended_at", nullable=True),
    _moment("created_at"),
    sa.Index("session_user_id_idx", "user_id"),
    sa.Index("session_ends_at_idx", "ends_at"),
    schema="identity",
)

# All refresh tokens of a session, so that an older one that comes again is known. Two of one generation were given for one
# token that came twice within a minute.
session_token = sa.Table(
    "session_token",
    metadata,
    sa.Column("digest", sa.LargeBinary, primary_key=True),
    sa.Column("session_id", _Id, sa.ForeignKey("identity.session.id", ondelete="CASCADE"), nullable=False),
    sa.Column("generation", sa.Integer, nullable=False),
    sa.Index("session_token_session_id_generation_idx", "session_id", "generation"),
    schema="identity",
)

# Links by which a person without an identity provider signs in on another device.
sign_in_link = sa.Table(
    "sign_in_link",
    metadata,
    sa.Column("id", _Id, primary_key=True),
    sa.Column("user_id", _Id, sa.ForeignKey("identity.user.id"), nullable=False),
    sa.Column("digest", sa.LargeBinary, nullable=False),
    # The session that made the link, with which it ends; NULL for one of an Admin.
    sa.Column("session_id", _Id, sa.ForeignKey("identity.session.id", ondelete="CASCADE"), nullable=True),
    sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
    _moment("created_at"),
    sa.UniqueConstraint("digest"),
    sa.Index("sign_in_link_expires_at_idx", "expires_at"),
    sa.Index("sign_in_link_session_id_idx", "session_id"),
    schema="identity",
)

# Failed client authentications of the last minute, by a digest of the client's id or of the caller's address.
failed_grant = sa.Table(
    "failed_grant",
    metadata,
    sa.Column("id", _Id, primary_key=True),
    sa.Column("key", sa.LargeBinary, nullable=False),
    sa.Column("failed_at", sa.DateTime(timezone=True), nullable=False, server_default=NOW),
    sa.Index("failed_grant_key_failed_at_idx", "key", "failed_at"),
    sa.Index("failed_grant_failed_at_idx", "failed_at"),
    schema="identity",
)
