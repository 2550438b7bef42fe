// The order in which the deployed version of a project declares its metrics and constraints.
import type { Order } from "../state/order.ts";
import type { Client } from "./client.ts";
import type { Deployment, ModelVersion } from "./types.ts";

type Declared = Pick<ModelVersion, "metrics" | "constraints">;

/** Return the order of a version. */
export function orderOf({ metrics, constraints }: Declared): Order {
  return { metrics: metrics.map(({ name }) => name), constraints: constraints.map(({ name }) => name) };
}

/** Return the order of the deployed version; null where it is not known, as to links, which see no models. */
export async function deployedOrder(client: Client, projectId: string): Promise<Order | null> {
  if (client.isLink) return null;
  const project = `/v1/projects/${encodeURIComponent(projectId)}`;
  try {
    const { rows } = await client.page<Deployment>(`${project}/deployments`, "deployments", 10, null);
    const active = rows.find(({ status }) => status === "active");
    if (active === undefined) return null;
    const path = `${project}/models/${active.model_id}/versions/${active.model_version_id}`;
    return orderOf(await client.change<ModelVersion>("GET", path, "model_version"));
  } catch {
    return null; // then they come by their names
  }
}
