import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "../../../edge/catenary_edge/studio/src/api/client.ts";
import type { Invitation, Member, Project } from "../../../edge/catenary_edge/studio/src/api/types.ts";
import { Members, type MemberCalls } from "../../../edge/catenary_edge/studio/src/state/members.ts";

const member = (id: string, given: Partial<Member> = {}): Member => ({ user_id: id, team_id: null, name: id, role: "viewer", expires_at: null, share_id: null, ...given });
const invitation = (id: string, status: Invitation["status"]): Invitation => ({ invitation_id: id, email: "", staff_name: id, role: "viewer", status, expires_at: "" });

/** The people of a project over a server with a user who has a share too, a team, and invitations of each status. */
class Played implements MemberCalls {
  readonly asked: string[] = [];
  fails = false;
  readonly people = new Members(this);

  private note(text: string): void {
    this.asked.push(text);
    if (this.fails) throw new Error("refused");
  }

  async members(): Promise<Member[]> {
    return [member("a"), member("a", { share_id: "s", role: "editor" }), member("", { user_id: null, team_id: "t" })];
  }

  async change(id: string, role: Project["role"]): Promise<Member> {
    this.note(`change ${id} ${role}`);
    return member(id, { role });
  }

  async remove(id: string): Promise<void> {
    this.note(`remove ${id}`);
  }

  hasInvitations = true;

  async invitations(): Promise<Invitation[]> {
    if (!this.hasInvitations) throw new ApiError(404, "NOT_FOUND", "no such route");
    return [invitation("i", "open"), invitation("j", "taken"), invitation("k", "expired")];
  }

  async invite(email: string, staffName: string, role: Project["role"]) {
    this.note(`invite ${email}|${staffName}|${role}`);
    return { invitation: invitation("n", "open"), url: "/studio/#invite=x" };
  }

  async revoke(id: string): Promise<void> {
    this.note(`revoke ${id}`);
  }
}

test("a changed role changes the member alone and not its share", async () => {
  const played = new Played();
  await played.people.load();
  await played.people.change(played.people.members[0]!, "owner");
  await played.people.change(played.people.members[2]!, "editor");
  assert.deepEqual(played.people.members.map((one) => one.role), ["owner", "editor", "editor"]);
  assert.deepEqual(played.asked, ["change a owner", "change t editor"]);
});

test("a removed member loses what is shared with it too", async () => {
  const played = new Played();
  await played.people.load();
  await played.people.remove(played.people.members[0]!);
  assert.deepEqual(played.people.members.map((one) => one.team_id), ["t"]);
});

test("an invitation is open until it is taken or revoked", async () => {
  const played = new Played();
  await played.people.load();
  assert.equal(await played.people.invite(" r@example.com ", " Robin ", "evaluator"), "/studio/#invite=x");
  await played.people.revoke("i");
  assert.deepEqual(played.people.open.map((one) => one.invitation_id), ["n"]);
  assert.deepEqual(played.asked, ["invite r@example.com|Robin|evaluator", "revoke i"]);
});

test("what is refused leaves the people as they were", async () => {
  const played = new Played();
  await played.people.load();
  played.fails = true;
  const [first] = played.people.members;
  for (const work of [played.people.change(first!, "owner"), played.people.remove(first!), played.people.revoke("i"), played.people.invite("", "", "viewer")]) await assert.rejects(work, /refused/);
  assert.deepEqual([played.people.members.length, played.people.open.length, played.people.members[0]!.role], [3, 1, "viewer"]);
});

test("a server without invitations shows the members alone", async () => {
  const played = new Played();
  played.hasInvitations = false;
  await played.people.load();
  assert.deepEqual([played.people.mayInvite, played.people.members.length], [false, 3]);
});
