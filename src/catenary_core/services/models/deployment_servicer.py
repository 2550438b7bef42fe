"""DeploymentService: the versions that projects evaluate."""

from __future__ import annotations

import uuid_utils

from catenary.platform.v1 import model_service_pb2, model_service_shapes
from catenary.platform.v1.model_shapes import Deployment
from catenary_core.call.call import Call
from catenary_core.call.errors import DomainError, invalid
from catenary_core.database.statements import shaped
from catenary_core.frame import Frame
from catenary_core.resources import platform_pages
from catenary_core.services.models import deployments, queries


class DeploymentServicer:
    """`catenary.platform.v1.DeploymentService`."""

    def __init__(self, frame: Frame) -> None:
        self._db = frame.db

    async def list_deployments(
        self, request: model_service_pb2.ListDeploymentsRequest, call: Call
    ) -> model_service_shapes.ListDeploymentsResponse:
        """List the deployments of a project, newest first."""
        page = platform_pages.page_of(request)
        async with self._db.read() as tx:
            rows, next_cursor = await queries.LIST_DEPLOYMENTS.read(tx, page, project_id=request.project_id)
        return {"deployments": [shaped(Deployment, row) for row in rows], "next_cursor": next_cursor}

    async def create_deployment(
        self, request: model_service_pb2.CreateDeploymentRequest, call: Call
    ) -> model_service_shapes.CreateDeploymentResponse:
        """Deploy a version."""
        async with self._db.transaction() as tx:
            await deployments.hold(tx, request.project_id)
            version = await tx.one_or_none(
                queries.GET_VERSION_OF_PROJECT,
                project_id=request.project_id,
                model_version_id=request.model_version_id,
            )
            if version is None:
                raise invalid(
                    "model_version_id",
                    "{field} names no model version of this project; give the id of one.",
                    value=request.model_version_id,
                    constraint="unknown",
                )
            if version["status"] == "failed":
                raise DomainError(
                    "CONFLICT", "The version failed its check and can't be deployed; upload a better one."
                )
            made = await deployments.request(tx, call, request.project_id, version, str(uuid_utils.uuid7()))
        return {"deployment": made}

    async def delete_current_deployment(
        self, request: model_service_pb2.DeleteCurrentDeploymentRequest, call: Call
    ) -> model_service_shapes.DeleteCurrentDeploymentResponse:
        """End the active deployment of a project."""
        async with self._db.transaction() as tx:
            await deployments.hold(tx, request.project_id)
            ended = await deployments.end(tx, call, request.project_id)
        return {"deployment": ended}
