// The session of a person: access tokens one after the other, for a cookie that no script can read, or by a provider.
import { ApiError } from "../api/client.ts";
import type { Token } from "../api/types.ts";
import { LONGEST_MS } from "./again.ts";
import { CLOCK, type Clock } from "./live.ts";

/** What begins a session; each works once. */
export type Opening = { invitation: string } | { sign_in: string };

/** The calls that a session needs. */
export interface SessionCalls<Given = Opening> {
  begin(opening: Given): Promise<Token>;
  refresh(): Promise<Token>;
  end(): Promise<unknown>;
}

/** Remembers on this device that there was a session, and nothing else of it. */
export interface Note {
  isThere(): boolean;
  set(isThere: boolean): void;
}

const UNAUTHORIZED = 401;
/** Part of a token's life after which another one is asked for. */
const RENEWED_AT = 0.9;

/** Gives access tokens as long as the session lasts. */
export class Session<Given = Opening> {
  private timer: unknown;
  private renewal: Promise<boolean> | null = null;
  isActive = false;

  constructor(
    private readonly calls: SessionCalls<Given>,
    private readonly note: Note,
    /** Takes each new access token. */
    private readonly renewed: (token: string) => void,
    private readonly clock: Clock = CLOCK,
  ) {}

  /** Begin a session by an invitation or a link. Who is signed in takes an invitation as that user, and gets no session. */
  async begin(opening: Given, isSignedIn = false): Promise<void> {
    const token = await this.calls.begin(opening);
    if (isSignedIn) return;
    this.note.set(true);
    this.take(token);
  }

  /** Go on with the session that this device had; tell whether there is one. */
  async resume(): Promise<boolean> {
    return this.note.isThere() && this.renew();
  }

  /** Ask for another access token; tell whether there is one. Two that ask at once get one: each use changes the cookie. */
  renew(): Promise<boolean> {
    this.renewal ??= this.refresh().finally(() => (this.renewal = null));
    return this.renewal;
  }

  private async refresh(): Promise<boolean> {
    try {
      this.take(await this.calls.refresh());
      return true;
    } catch (error) {
      const isOver = error instanceof ApiError && error.status === UNAUTHORIZED;
      if (isOver) this.forget();
      else if (this.isActive) this.later(LONGEST_MS);
      return false;
    }
  }

  /** End the session on the server too. */
  async end(): Promise<void> {
    const wasActive = this.isActive;
    this.forget();
    if (wasActive) await this.calls.end();
  }

  private take(token: Token): void {
    this.isActive = true;
    this.later(token.expires_in * 1000 * RENEWED_AT);
    this.renewed(token.access_token);
  }

  private later(milliseconds: number): void {
    this.clock.cancel(this.timer);
    this.timer = this.clock.later(milliseconds, () => void this.renew());
  }

  private forget(): void {
    this.clock.cancel(this.timer);
    this.isActive = false;
    this.note.set(false);
  }
}
