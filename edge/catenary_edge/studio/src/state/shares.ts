// The shares of a project: with people, teams and links.
import type { Found, Project, Share, Team } from "../api/types.ts";
import { shares as texts } from "../texts/shares.ts";

export type Role = Project["role"];

/** What is to be shared, with whom and until when, as the platform takes it. */
export interface Wanted {
  kind: "user" | "team" | "link";
  user_id?: string;
  team_id?: string;
  role?: Role;
  variant_id?: string;
  expires_at?: string;
}

/** The calls of the API that shares need. */
export interface ShareCalls {
  list(): Promise<Share[]>;
  make(wanted: Wanted): Promise<{ share: Share; url: string | null }>;
  remove(shareId: string): Promise<unknown>;
  /** Finds people by a part of their name or address. */
  people(search: string): Promise<Found[]>;
  teams(): Promise<Team[]>;
}

/** Characters from which on the platform searches for people. */
const LEAST_SEARCHED = 3;

/** Keeps the list as the server has it. A call that fails throws, and leaves the list as it was. */
export class Shares {
  list: readonly Share[] = [];
  teams: readonly Team[] = [];
  found: readonly Found[] = [];
  private searches = 0;

  constructor(private readonly calls: ShareCalls) {}

  /** Read the shares, and the teams where the caller may see any. */
  async load(): Promise<void> {
    [this.list, this.teams] = await Promise.all([this.calls.list(), this.calls.teams().catch(() => [])]);
  }

  /** Search for people; what was found for an older text is dropped. Returns whether the text was long enough. */
  async search(text: string): Promise<boolean> {
    this.searches += 1;
    const { searches } = this;
    if (text.trim().length < LEAST_SEARCHED) {
      this.found = [];
      return false;
    }
    const found = await this.calls.people(text.trim());
    if (searches === this.searches) this.found = found;
    return true;
  }

  /** Share something; returns the address of a link, which nobody can read again. */
  async make(wanted: Wanted): Promise<string | null> {
    const { share, url } = await this.calls.make(wanted);
    this.list = [...this.list, share];
    return url;
  }

  async remove(shareId: string): Promise<void> {
    await this.calls.remove(shareId);
    this.list = this.list.filter((one) => one.share_id !== shareId);
  }
}

/** Return the roles that a share may give: a link only shows, and a variant has nothing to edit. */
export function rolesOf(kind: Wanted["kind"], isOfVariant: boolean): readonly Role[] {
  if (kind === "link") return ["viewer"];
  return isOfVariant ? ["viewer", "evaluator"] : ["viewer", "evaluator", "editor"];
}

/** Return the end of a share as the platform takes it, from the text of an input of local time; undefined without one. */
export function endOf(text: string, now: number): string | undefined {
  if (text === "") return undefined;
  const at = new Date(text);
  if (Number.isNaN(at.getTime()) || at.getTime() <= now) throw new Error(texts.past);
  return at.toISOString();
}
