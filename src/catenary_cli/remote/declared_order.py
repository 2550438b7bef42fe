"""The order in which a model declares its metrics and constraints; an evaluation, as an object of JSON, has none."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from catenary_cli.remote.api import Api


Order = Mapping[str, Sequence[str]]
"""The declared names of `metrics` and of `constraints`."""
UNKNOWN: Order = {"metrics": (), "constraints": ()}
"""Leaves what is ordered by it as it is."""


async def order_of(api: Api, project_id: str, model_version_id: str) -> Order:
    """Return the order in which a version declares, UNKNOWN where no deployment names it.

    Only through a deployment its model is found.
    """
    project = f"projects/{project_id}"
    deployments = (await api.get(f"{project}/deployments?limit=200"))["deployments"]
    model_id = next((one["model_id"] for one in deployments if one["model_version_id"] == model_version_id), None)
    if model_id is None:
        return UNKNOWN
    version = (await api.get(f"{project}/models/{model_id}/versions/{model_version_id}"))["model_version"]
    return {key: [declared["name"] for declared in version[key]] for key in UNKNOWN}


async def ordered(api: Api, evaluation: Mapping[str, Any]) -> dict[str, Any]:
    """Return an evaluation with its metrics and constraints as its version declares them."""
    order = await order_of(api, evaluation["project_id"], evaluation["model_version_id"])
    return {**evaluation, **{key: arranged(evaluation[key], names) for key, names in order.items()}}


def arranged(given: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """Return a mapping in the order of names; what they lack, such as derived metrics, comes after them."""
    return {name: given[name] for name in (*(name for name in names if name in given), *given)}
