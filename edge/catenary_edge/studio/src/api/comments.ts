// Calls of the API for the comments of one project.
import type { CommentCalls } from "../state/discussion.ts";
import type { Client } from "./client.ts";
import type { Member } from "./types.ts";

export function commentCalls(client: Client, projectId: string): CommentCalls {
  const project = `/v1/projects/${encodeURIComponent(projectId)}/comments`;
  const one = (commentId: string) => `/v1/comments/${encodeURIComponent(commentId)}`;
  return {
    list: (variantId) => client.all(variantId === null ? project : `${project}?${new URLSearchParams({ variant_id: variantId })}`, "comments"),
    read: (commentId) => client.tagged(one(commentId), "comment"),
    add: (content, beside) => client.change("POST", project, "comment", { content, ...beside }),
    edit: (commentId, content, tag) => client.change("PATCH", one(commentId), "comment", { content }, tag),
    resolve: (commentId, resolved) => client.change("PATCH", one(commentId), "comment", { resolved }),
    remove: (commentId) => client.change("DELETE", one(commentId), "comment"),
  };
}

/** List the members of a project. */
export function members(client: Client, projectId: string): Promise<Member[]> {
  return client.all(`/v1/projects/${encodeURIComponent(projectId)}/members`, "members");
}
