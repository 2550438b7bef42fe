// Calls of the API for the shares of one project, and for what a link shows.
import type { ShareCalls } from "../state/shares.ts";
import type { Client } from "./client.ts";
import type { Linked } from "./types.ts";

export function shareCalls(client: Client, projectId: string): ShareCalls {
  const project = `/v1/projects/${encodeURIComponent(projectId)}/shares`;
  return {
    list: () => client.all(project, "shares"),
    make: (wanted) => client.send("POST", project, wanted),
    remove: (shareId) => client.change("DELETE", `${project}/${encodeURIComponent(shareId)}`, "share"),
    people: (search) => client.change("GET", `/v1/users?${new URLSearchParams({ search, limit: "20" })}`, "users"),
    teams: () => client.all("/v1/teams", "teams"),
  };
}

/** Return what the link of the caller shows. */
export function linked(client: Client): Promise<Linked> {
  return client.change("GET", "/v1/shares/current", "share");
}
