// Calls of the API for the saved views of one project.
import type { ViewCalls } from "../state/views.ts";
import type { Client } from "./client.ts";

export function viewCalls(client: Client, projectId: string): ViewCalls {
  const project = `/v1/projects/${encodeURIComponent(projectId)}/views`;
  const one = (viewId: string) => `/v1/views/${encodeURIComponent(viewId)}`;
  return {
    list: () => client.all(project, "views"),
    read: (viewId) => client.tagged(one(viewId), "view"),
    save: (content) => client.change("POST", project, "view", content),
    replace: (viewId, content, tag) => client.change("PUT", one(viewId), "view", content, tag),
    remove: (viewId, tag) => client.change("DELETE", one(viewId), "view", undefined, tag),
  };
}
