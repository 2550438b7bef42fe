"""The order in which a model declares its metrics and constraints; an evaluation, as an object of JSON, has none."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from catenary_cli.remote.api import Api


async def ordered(api: Api, evaluation: Mapping[str, Any]) -> dict[str, Any]:
    """Return an evaluation with its metrics and constraints as its version declares them.

    They stay as they are where no deployment names the version, through which alone its model is found.
    """
    project = f"projects/{evaluation['project_id']}"
    version_id = evaluation["model_version_id"]
    deployments = (await api.get(f"{project}/deployments?limit=200"))["deployments"]
    model_id = next((one["model_id"] for one in deployments if one["model_version_id"] == version_id), None)
    if model_id is None:
        return dict(evaluation)
    version = (await api.get(f"{project}/models/{model_id}/versions/{version_id}"))["model_version"]
    return {
        **evaluation,
        **{
            key: arranged(evaluation[key], [declared["name"] for declared in version[key]])
            for key in ("metrics", "constraints")
        },
    }


def arranged(given: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """Return a mapping in the order of names; what they lack, such as derived metrics, comes after them."""
    return {name: given[name] for name in (*(name for name in names if name in given), *given)}
