import assert from "node:assert/strict";
import { test } from "node:test";
import { sessionCalls } from "../../../edge/catenary_edge/studio/src/api/session.ts";
import { ApiError } from "../../../edge/catenary_edge/studio/src/api/client.ts";
import type { Token } from "../../../edge/catenary_edge/studio/src/api/types.ts";
import type { Clock } from "../../../edge/catenary_edge/studio/src/state/live.ts";
import { secretOf } from "../../../edge/catenary_edge/studio/src/state/secret.ts";
import { Session, type Note, type Opening, type SessionCalls } from "../../../edge/catenary_edge/studio/src/state/session.ts";

/** A session over a server that numbers its tokens, and a clock that the test moves. */
class Played implements SessionCalls {
  readonly asked: string[] = [];
  readonly tokens: string[] = [];
  waiting: { milliseconds: number; work: () => void }[] = [];
  fails: Error | null = null;
  noted = false;
  readonly session: Session;

  constructor() {
    const clock: Clock = {
      now: () => 0,
      later: (milliseconds, work) => (this.waiting = [{ milliseconds, work }]),
      cancel: () => (this.waiting = []),
    };
    const note: Note = { isThere: () => this.noted, set: (isThere) => (this.noted = isThere) };
    this.session = new Session(this, note, (token) => this.tokens.push(token), clock);
  }

  private async answer(text: string): Promise<Token> {
    this.asked.push(text);
    if (this.fails) throw this.fails;
    return { access_token: `t${this.asked.length}`, expires_in: 3600 };
  }

  begin(opening: Opening): Promise<Token> {
    return this.answer(JSON.stringify(opening));
  }

  refresh(): Promise<Token> {
    return this.answer("refresh");
  }

  async end(): Promise<void> {
    this.asked.push("end");
  }
}

test("an invitation begins a session that renews its token", async () => {
  const played = new Played();
  await played.session.begin({ invitation: "i" });
  assert.deepEqual([played.noted, played.waiting[0]!.milliseconds], [true, 3_240_000]);
  played.waiting[0]!.work();
  await played.session.renew();
  assert.deepEqual(played.asked, ['{"invitation":"i"}', "refresh"], "two that ask at once ask once");
  assert.deepEqual(played.tokens, ["t1", "t2"]);
});

test("only a device that remembers a session asks for it", async () => {
  const played = new Played();
  assert.equal(await played.session.resume(), false);
  assert.deepEqual(played.asked, []);
  played.noted = true;
  assert.equal(await played.session.resume(), true);
  assert.deepEqual(played.tokens, ["t1"]);
});

test("a session that is over is forgotten and an unreachable one is not", async () => {
  const played = new Played();
  played.noted = true;
  played.fails = new ApiError(0, "UNREACHABLE", "lost");
  assert.equal(await played.session.resume(), false);
  assert.ok(played.noted);
  played.fails = null;
  await played.session.resume();
  played.fails = new ApiError(503, "UNAVAILABLE", "stops");
  assert.equal(await played.session.renew(), false);
  assert.equal(played.waiting[0]!.milliseconds, 30_000, "it is tried again");
  played.fails = new ApiError(401, "INVALID_TOKEN", "over");
  assert.equal(await played.session.renew(), false);
  assert.deepEqual([played.noted, played.session.isActive, played.waiting.length], [false, false, 0]);
});

test("whoever is signed in takes an invitation without a session", async () => {
  const played = new Played();
  await played.session.begin({ invitation: "i" }, true);
  assert.deepEqual([played.noted, played.session.isActive, played.tokens], [false, false, []]);
});

test("a sign-out ends the session on the server once", async () => {
  const played = new Played();
  await played.session.end();
  assert.deepEqual(played.asked, []);
  await played.session.begin({ sign_in: "s" });
  await played.session.end();
  await played.session.end();
  assert.deepEqual(played.asked, ['{"sign_in":"s"}', "end"]);
  assert.deepEqual([played.noted, played.waiting.length], [false, 0]);
});

test("the calls of a session name no secret but the given one", async () => {
  const sent: string[] = [];
  const calls = sessionCalls(
    async (path, init) => {
      const headers = new Headers(init.headers);
      sent.push(`${init.method} ${path} ${headers.get("Authorization")} ${init.body}`);
      return init.method === "DELETE" ? new Response(null, { status: 204 }) : Response.json({ access_token: "a", expires_in: 1 });
    },
    () => "bearer",
  );
  await calls.begin({ invitation: "i" });
  await calls.refresh();
  await calls.end();
  assert.deepEqual(sent, ['POST /v1/auth/session Bearer bearer {"invitation":"i"}', "POST /v1/auth/session/refresh null {}", "DELETE /v1/auth/session null undefined"]);
});

test("links for people are told apart", () => {
  assert.deepEqual(secretOf("#invite=i"), { kind: "invite", token: "i" });
  assert.deepEqual(secretOf("#sign_in=s"), { kind: "sign_in", token: "s" });
});
