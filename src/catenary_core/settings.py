"""Settings of the core, from flags or `CATENARY_*` variables. guide/settings.md lists all of them; a test compares."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, SecretStr, StringConstraints, field_validator, model_validator
from pydantic_core import PydanticCustomError
from pydantic_settings import BaseSettings, SettingsConfigDict


class OidcIssuer(BaseModel):
    """An enterprise identity provider whose tokens are accepted (OpenID Connect Discovery 1.0)."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    issuer: str = Field(description="The exact `iss` of its tokens; the discovery document is read below this URL.")
    audience: str = Field(description="The `aud` that its tokens must have.")
    only_audience: bool = Field(default=False, description="Whether tokens for others beside us are refused.")
    jwks_uri: str | None = Field(default=None, description="URL of its keys, instead of discovery.")
    groups_claim: str = Field(default="groups", description="Claim with a person's groups, or path to it.")
    admin_group: str | None = Field(default=None, description="Group whose people are Admins.")
    algorithms: list[str] = Field(default=["ES256", "RS256"], description="Signature algorithms that it uses.")
    studio_client_id: str | None = Field(default=None, description="Public id of the Studio's client there.")
    studio_scope: str = Field(
        default="openid profile email", description="Scopes that the Studio asks for; they must lead to `audience`."
    )
    name: str | None = Field(default=None, description="Name that people know it by; unset: the host of `issuer`.")


class Tier(BaseModel):
    """The quotas of a user of a tier; null: without a limit."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    evaluations: int | None = Field(default=None, ge=0, lt=2**63, description="Evaluations in a month.")
    compute_seconds: int | None = Field(default=None, ge=0, lt=2**63, description="Seconds of workers in a month.")
    storage_bytes: int | None = Field(default=None, ge=0, lt=2**63, description="Bytes of model sources and artefacts.")

    @model_validator(mode="before")
    @classmethod
    def _with_the_new_name(cls, given: Any) -> Any:
        """Refuse the former name of `storage_bytes` by a sentence with the present one.

        Raises PydanticCustomError: the former name is there.
        """
        if isinstance(given, Mapping) and "storage" in given:
            raise PydanticCustomError("renamed", "the key `storage` is called `storage_bytes` now; rename it")
        return given


DEFAULT_TIER = "standard"
"""The tier of users who were given no other one."""
_STANDARD = Tier(evaluations=200_000, compute_seconds=360_000, storage_bytes=50 * 1024**3)


class CoreSettings(BaseSettings):
    """The settings that the core needs at its start."""

    model_config = SettingsConfigDict(env_prefix="CATENARY_", extra="ignore")

    database_url: SecretStr | None = Field(
        default=None,
        description="PostgreSQL to use (conninfo or URL); unset: an embedded server in the data directory.",
    )
    data_dir: Path | None = Field(default=None, description="Folder of the embedded server, objects and keys.")
    postgres_binaries: Path | None = Field(
        default=None, description="Folder of the PostgreSQL programs to use instead of the packaged ones."
    )
    object_store: str | None = Field(
        default=None, description="URL of the object store (s3, gs, az, file); unset: in the data directory."
    )
    secret_key: SecretStr | None = Field(
        default=None,
        description="32 random bytes in base64, the same on every node; unset: kept in the data directory.",
    )
    public_url: str | None = Field(
        default=None, description="Address of the edge for callers; unset: the scheme and host of each request."
    )
    oidc_issuers: list[OidcIssuer] = Field(default=[], description="Enterprise identity providers, as a JSON list.")
    trusted_edges: list[str] = Field(
        default=[],
        description="Networks (CIDR) of edges on other machines, as a JSON list, trusted about their callers.",
    )
    requests_per_hour: int = Field(
        default=1000, ge=1, le=10**9, description="Requests that a user may make in an hour."
    )
    evaluations_per_hour: int = Field(
        default=100, ge=1, le=10**9, description="Evaluations that a project may have in an hour."
    )
    free_space: int = Field(
        default=512 * 1024**2,
        ge=0,
        le=2**50,
        description="Bytes of free disk space at the data directory, below which nothing is stored; 0: no floor.",
    )
    bulk_operations: int = Field(default=10, ge=1, le=10**6, description="Concurrent bulk operations of a user.")
    tiers: dict[Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_-]{0,63}$")], Tier] = Field(
        default={},
        validate_default=True,
        description="Tiers of users by name, as JSON; `standard` is that of all others.",
    )
    streams_per_user: int = Field(
        default=100, ge=1, le=10**6, description="Concurrent streams of events of a user at a node."
    )
    max_connections: int = Field(default=20, ge=2, le=500, description="Database connections of a node.")
    token_lifetime: int = Field(default=3600, ge=60, le=86400, description="Seconds that an access token lasts.")
    evaluation_timeout: float = Field(default=60.0, gt=0, le=3600, description="Seconds that a model may run.")
    evaluation_memory: int = Field(
        default=2 * 1024**3, ge=256 * 1024**2, description="Bytes of memory that a model may use."
    )
    lease_seconds: float = Field(
        default=10.0, ge=1, le=300, description="Seconds after which an unrenewed job is leased again."
    )
    independent_review: bool = Field(
        default=False, description="Whether the creator of a revision may neither check nor approve it."
    )
    audit_days: int = Field(
        default=365, ge=1, le=36500, description="Days that entries of the audit trail are kept; addresses 90 at most."
    )
    webhook_allow_private: bool = Field(
        default=False,
        description="Let webhooks go to private addresses and over plain http; `--dev` does not imply it.",
    )

    @field_validator("tiers")
    @classmethod
    def _with_the_default(cls, tiers: dict[str, Tier]) -> dict[str, Tier]:
        """Add the default tier where none is given."""
        return {DEFAULT_TIER: _STANDARD, **tiers}
