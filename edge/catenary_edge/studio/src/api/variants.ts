// Calls of the API for the variants of one project.
import type { VariantCalls } from "../state/variants.ts";
import type { Client } from "./client.ts";

export function variantCalls(client: Client, projectId: string): VariantCalls {
  const project = `/v1/projects/${encodeURIComponent(projectId)}/variants`;
  const one = (variantId: string) => `/v1/variants/${encodeURIComponent(variantId)}`;
  return {
    list: () => client.all(project, "variants"),
    read: (variantId) => client.change("GET", one(variantId), "variant"),
    save: (name, note, evaluation_id) => client.change("POST", project, "variant", { name, note, evaluation_id }),
    change: (variantId, name, note) => client.change("PATCH", one(variantId), "variant", { name, note }),
    remove: (variantId) => client.change("DELETE", one(variantId), "variant"),
    compare: (ids) => client.change("GET", `${project}/compare?${new URLSearchParams({ variant_id: ids.join(",") })}`, "comparison"),
  };
}

/** Return the id of the caller. */
export async function callerId(client: Client): Promise<string> {
  return (await client.change<{ user_id: string }>("GET", "/v1/users/me", "user")).user_id;
}
