// The people of a project: members with their roles, and invitations that nobody has taken yet.
import { ApiError } from "../api/client.ts";
import type { Invitation, Member, Project } from "../api/types.ts";

type Role = Project["role"];

const NOT_FOUND = 404;

/** The calls of the API that the people of a project need. */
export interface MemberCalls {
  members(): Promise<Member[]>;
  /** Gives a member another role. */
  change(id: string, role: Role): Promise<Member>;
  remove(id: string): Promise<unknown>;
  invitations(): Promise<Invitation[]>;
  invite(email: string, staffName: string, role: Role): Promise<{ invitation: Invitation; url: string }>;
  revoke(invitationId: string): Promise<unknown>;
}

/** Return the id of the user or the team that a member is. */
export function idOf(member: Member): string {
  return member.user_id ?? member.team_id ?? "";
}

/** Keeps both lists as the server has them. A call that fails throws, and leaves them as they were. */
export class Members {
  members: readonly Member[] = [];
  invitations: readonly Invitation[] = [];
  /** Whether the server takes people without an identity provider. */
  mayInvite = true;

  constructor(private readonly calls: MemberCalls) {}

  /** Return the invitations that can be taken. */
  get open(): readonly Invitation[] {
    return this.invitations.filter((one) => one.status === "open");
  }

  async load(): Promise<void> {
    [this.members, this.invitations] = await Promise.all([this.calls.members(), this.calls.invitations().catch((error: unknown) => this.withoutInvitations(error))]);
  }

  private withoutInvitations(error: unknown): Invitation[] {
    if (!(error instanceof ApiError) || error.status !== NOT_FOUND) throw error;
    this.mayInvite = false;
    return [];
  }

  async change(member: Member, role: Role): Promise<void> {
    const changed = await this.calls.change(idOf(member), role);
    this.members = this.members.map((one) => (one === member ? { ...one, role: changed.role } : one));
  }

  /** Remove a member, with what is shared with it. */
  async remove(member: Member): Promise<void> {
    await this.calls.remove(idOf(member));
    this.members = this.members.filter((one) => idOf(one) !== idOf(member));
  }

  /** Invite somebody; returns the address to pass on, which nobody can read again. */
  async invite(email: string, staffName: string, role: Role): Promise<string> {
    const { invitation, url } = await this.calls.invite(email.trim(), staffName.trim(), role);
    this.invitations = [...this.invitations, invitation];
    return url;
  }

  async revoke(invitationId: string): Promise<void> {
    await this.calls.revoke(invitationId);
    this.invitations = this.invitations.filter((one) => one.invitation_id !== invitationId);
  }
}
