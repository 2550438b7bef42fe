// Calls of the API for the people of one project.
import type { MemberCalls } from "../state/members.ts";
import type { Client } from "./client.ts";

export function memberCalls(client: Client, projectId: string): MemberCalls {
  const project = `/v1/projects/${encodeURIComponent(projectId)}`;
  const member = (id: string) => `${project}/members/${encodeURIComponent(id)}`;
  const invitations = `${project}/invitations`;
  return {
    members: () => client.all(`${project}/members`, "members"),
    change: (id, role) => client.change("PUT", member(id), "member", { role }),
    remove: (id) => client.change("DELETE", member(id), "member"),
    invitations: () => client.all(invitations, "invitations"),
    invite: (email, staff_name, role) => client.send("POST", invitations, { email, staff_name, role }),
    revoke: (invitationId) => client.change("DELETE", `${invitations}/${encodeURIComponent(invitationId)}`, "invitation"),
  };
}
