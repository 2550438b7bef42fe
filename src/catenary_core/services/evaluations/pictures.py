"""Pictures of evaluations, drawn of the first GLB when somebody asks for one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from catenary.platform.v1 import evaluation_shapes
from catenary_core.call.call import Call
from catenary_core.call.errors import not_found
from catenary_core.database.transactions import Database, Transaction
from catenary_core.services.evaluations import queries
from catenary_core.services.evaluations.conversions import Conversions, NotConvertedError
from catenary_core.services.evaluations.points.geometry import PointGeometry

FORM = "png"
"""The format that a picture has among the conversions."""


class Pictures:
    """Finds pictures, and has them drawn."""

    def __init__(self, db: Database, conversions: Conversions, points: PointGeometry) -> None:
        self._db = db
        self._conversions = conversions
        self._points = points

    async def sizes(
        self, tx: Transaction, evaluations: Iterable[evaluation_shapes.Evaluation]
    ) -> Mapping[str, int | None]:
        """Map the ids of evaluations that a picture can show to its bytes; None where none was drawn yet."""
        sources = {
            str(one["evaluation_id"]): glb.get("sha256")
            for one in evaluations
            if one["status"] == "completed" and (glb := _first_glb(one["geometry"])) is not None
        }
        drawn = [sha256 for sha256 in sources.values() if sha256 is not None]
        found = await tx.all(queries.CONVERSIONS, sources=drawn, format=FORM) if drawn else []
        sizes = {row["source_sha256"]: row["size"] for row in found}
        return {evaluation_id: sizes.get(sha256) for evaluation_id, sha256 in sources.items()}

    async def file(self, call: Call, evaluation: evaluation_shapes.Evaluation) -> tuple[str, int] | None:
        """Return SHA-256 and size of an evaluation's picture; None while a point's geometry is being made for it.

        The response metadata then says to ask again.

        Raises NOT_FOUND: there is nothing to draw, or it can't be drawn. Raises what `PointGeometry.find` raises.
        """
        glb = _first_glb(evaluation["geometry"]) if evaluation["status"] == "completed" else None
        if glb is not None and glb["sha256"] is None:
            found = await self._points.find(str(evaluation["evaluation_id"]), str(glb["name"]), call)
            if found is None:
                return None
            glb = _first_glb(found)
        if glb is None:
            raise not_found("thumbnail")
        try:
            return await self._conversions.converted(glb["sha256"], glb["size"], FORM, "", call.caller.principal_id)
        except NotConvertedError:
            raise not_found("thumbnail") from None


def _first_glb(geometry: Sequence[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    return next((item for item in geometry if item["format"] == "glb"), None)
