"""StudioService: how people can sign in to the Studio."""

from __future__ import annotations

from importlib import metadata

from catenary.platform.v1 import studio_service_pb2 as pb
from catenary.platform.v1 import studio_service_shapes as shapes
from catenary_core.call.call import Call
from catenary_core.frame import Frame


class StudioServicer:
    """Tells what the Studio must know before anybody has signed in."""

    def __init__(self, frame: Frame) -> None:
        issuers: list[shapes.StudioIssuer] = [
            {"issuer": one.issuer, "studio_client_id": one.studio_client_id}
            for one in frame.settings.oidc_issuers
            if one.studio_client_id is not None
        ]
        self._config: shapes.StudioConfig = {
            "issuers": issuers,
            "demo": frame.demo,
            "version": metadata.version("catenary"),
        }

    async def get_studio_config(self, request: pb.GetStudioConfigRequest, call: Call) -> shapes.GetStudioConfigResponse:
        """Return the configured ways to sign in."""
        return {"config": self._config}
