// Calls of the API for the models of one project, their versions and deployments.
import type { ModelCalls } from "../state/models.ts";
import type { Client } from "./client.ts";
import type { ModelVersion } from "./types.ts";

export function modelCalls(client: Client, projectId: string): ModelCalls {
  const project = `/v1/projects/${encodeURIComponent(projectId)}`;
  const model = (modelId: string) => `${project}/models/${encodeURIComponent(modelId)}`;
  const version = (one: Pick<ModelVersion, "model_id" | "model_version_id">) => `${model(one.model_id)}/versions/${encodeURIComponent(one.model_version_id)}`;
  return {
    models: () => client.all(`${project}/models`, "models"),
    create: (name) => client.change("POST", `${project}/models`, "model", { name }),
    rename: (modelId, name) => client.change("PATCH", model(modelId), "model", { name }),
    removeModel: (modelId) => client.change("DELETE", model(modelId), "model"),
    versions: (modelId) => client.all(`${model(modelId)}/versions`, "model_versions"),
    upload: (modelId, file, type, key) => client.upload(`${model(modelId)}/versions`, "model_version", file, type, key),
    version: (one, seconds) => client.waitFor(version(one), "model_version", seconds),
    removeVersion: (one) => client.change("DELETE", version(one), "model_version"),
    source: (one) => client.bytes(`${version(one)}/source`),
    log: (one) => client.change("GET", `${version(one)}/log`, "log"),
    deployments: (cursor) => client.page(`${project}/deployments`, "deployments", 100, cursor),
    undeploy: () => client.change("DELETE", `${project}/deployments/current`, "deployment"),
    deploy: (model_version_id) => client.change("POST", `${project}/deployments`, "deployment", { model_version_id }),
  };
}
