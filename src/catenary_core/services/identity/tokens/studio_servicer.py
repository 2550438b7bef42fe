"""StudioService: how people can sign in to the Studio."""

from __future__ import annotations

import asyncio
from importlib import metadata
from urllib.parse import urlsplit

from catenary.platform.v1 import studio_service_pb2 as pb
from catenary.platform.v1 import studio_service_shapes as shapes
from catenary_core.call.call import Call
from catenary_core.frame import Frame
from catenary_core.services.identity.tokens.sign_in_endpoints import SignInEndpoints
from catenary_core.settings import OidcIssuer


class StudioServicer:
    """Tells what the Studio must know before anybody has signed in."""

    def __init__(self, frame: Frame) -> None:
        self._issuers = [
            (one, SignInEndpoints(one)) for one in frame.settings.oidc_issuers if one.studio_client_id is not None
        ]
        self._demo = frame.demo
        self._version = metadata.version("catenary")

    async def get_studio_config(self, request: pb.GetStudioConfigRequest, call: Call) -> shapes.GetStudioConfigResponse:
        """Return the configured ways to sign in."""
        issuers = await asyncio.gather(*(_issuer(*one) for one in self._issuers))
        return {"config": {"issuers": issuers, "demo": self._demo, "version": self._version}}


async def _issuer(config: OidcIssuer, endpoints: SignInEndpoints) -> shapes.StudioIssuer:
    found = await endpoints.find()
    return {
        "issuer": config.issuer,
        "studio_client_id": config.studio_client_id or "",
        "name": config.name or urlsplit(config.issuer).hostname or "",
        "scope": config.studio_scope,
        "authorization_endpoint": found.authorization,
        "token_endpoint": found.token,
        "end_session_endpoint": found.end_session,
    }
