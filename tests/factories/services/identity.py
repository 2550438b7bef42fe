"""Identity as bootstrap assembles it, with the clocks in the test's hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from google.protobuf.message import Message

from catenary.platform.v1 import auth_service_pb2
from catenary_core.access.policy import Policy
from catenary_core.call.call import Identity
from catenary_core.call.methods import bindings_of, service_descriptors
from catenary_core.frame import Frame
from catenary_core.server.dispatch import Dispatch, UnaryResponse
from catenary_core.services.identity.clients.api_key_servicer import ApiKeyServicer
from catenary_core.services.identity.clients.client_servicer import ClientServicer
from catenary_core.services.identity.clients.creation import create_client
from catenary_core.services.identity.people.team_servicer import TeamServicer
from catenary_core.services.identity.people.user_servicer import UserServicer
from catenary_core.services.identity.tokens.access_tokens import AccessTokens
from catenary_core.services.identity.tokens.credentials import Credentials
from catenary_core.services.identity.tokens.enterprise_issuers import EnterpriseIssuers
from catenary_core.services.identity.tokens.servicer import AuthServicer
from catenary_core.services.identity.tokens.signing_keys import SigningKeys
from catenary_core.services.identity.tokens.studio_servicer import StudioServicer
from catenary_core.services.identity.workers.worker_token_servicer import WorkerTokenServicer

PACKAGE = "catenary.platform.v1"
START = 1_800_000_000.0


@dataclass(slots=True)
class Clock:
    """Seconds that pass when a test says so: Unix time by `wall`, and the same steps by `steady`."""

    now: float = START

    def wall(self) -> float:
        return self.now

    def steady(self) -> float:
        return self.now - START


@dataclass(slots=True)
class IdentityService:
    """The identity service of one node behind a dispatcher."""

    frame: Frame
    clock: Clock = field(default_factory=Clock)
    issuers: EnterpriseIssuers = field(default_factory=lambda: EnterpriseIssuers([]))
    keys: SigningKeys = field(init=False)
    tokens: AccessTokens = field(init=False)
    credentials: Credentials = field(init=False)
    dispatch: Dispatch = field(init=False)

    def __post_init__(self) -> None:
        frame, clock = self.frame, self.clock
        self.keys = SigningKeys(frame.db, frame.secrets, clock.wall)
        self.tokens = AccessTokens(frame.settings, frame.secrets, self.keys, clock.wall)
        self.credentials = Credentials(frame, self.tokens, self.issuers, clock=clock.wall, monotonic=clock.steady)
        servicers = {
            f"{PACKAGE}.AuthService": AuthServicer(frame, self.tokens, self.keys, clock.steady),
            f"{PACKAGE}.UserService": UserServicer(frame),
            f"{PACKAGE}.ClientService": ClientServicer(frame),
            f"{PACKAGE}.ApiKeyService": ApiKeyServicer(frame, clock.wall),
            f"{PACKAGE}.TeamService": TeamServicer(frame),
            f"{PACKAGE}.StudioService": StudioServicer(frame),
            f"{PACKAGE}.WorkerTokenService": WorkerTokenServicer(frame),
        }
        services = [service for service in service_descriptors() if service.full_name in servicers]
        self.dispatch = Dispatch(bindings_of(services), servicers, self.credentials, Policy(_no_role, {}))

    async def client(self, name: str = "c", *, admin: bool = False) -> tuple[dict[str, Any], str]:
        """Make a client as the command line does; return its row and secret."""
        async with self.frame.db.transaction() as tx:
            return await create_client(tx, self.frame.secrets, name, admin)

    async def token(self, name: str = "c", *, admin: bool = False, scope: str = "") -> str:
        """Make a client and return a token of it."""
        row, secret = await self.client(name, admin=admin)
        return await self.token_of(row["client_id"], secret, scope)

    async def token_of(self, client_id: str, secret: str, scope: str = "") -> str:
        """Return a token of a client."""
        request = auth_service_pb2.IssueTokenRequest(
            grant_type="client_credentials", client_id=client_id, client_secret=secret, scope=scope
        )
        return str((await self.call("Auth", "IssueToken", request)).body["access_token"])

    async def call(
        self, service: str, method: str, request: Message, token: str | None = None, **metadata: str
    ) -> UnaryResponse:
        """Call a method, with a bearer token if one is given."""
        sent = {name.replace("_", "-"): value for name, value in metadata.items()}
        if token is not None:
            sent["authorization"] = f"Bearer {token}"
        return await self.dispatch.call(f"/{PACKAGE}.{service}Service/{method}", request, sent)

    async def who(self, metadata: Mapping[str, str]) -> Identity:
        """Return the identity of the credentials in the metadata."""
        return await self.credentials.authenticate(metadata)


async def _no_role(project_id: str, caller: Identity) -> int | None:
    return None
