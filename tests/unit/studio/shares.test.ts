import assert from "node:assert/strict";
import { test } from "node:test";
import { Client } from "../../../edge/catenary_edge/studio/src/api/client.ts";
import type { Found, Share, Team } from "../../../edge/catenary_edge/studio/src/api/types.ts";
import { secretOf } from "../../../edge/catenary_edge/studio/src/state/secret.ts";
import { Shares, endOf, rolesOf, type ShareCalls, type Wanted } from "../../../edge/catenary_edge/studio/src/state/shares.ts";

const share = (id: string, kind: Share["kind"] = "link"): Share => ({ share_id: id, kind, name: null, role: "viewer", variant_id: null, expires_at: null, created_at: "" });

/** Shares over a server that has one, and whose searches the test answers. */
class Played implements ShareCalls {
  fails = false;
  readonly searches: { text: string; answer: (found: Found[]) => void }[] = [];
  readonly shares = new Shares(this);

  async list(): Promise<Share[]> {
    return [share("a", "user")];
  }

  async make(wanted: Wanted) {
    if (this.fails) throw new Error("refused");
    return { share: share("b", wanted.kind), url: wanted.kind === "link" ? "/studio/#share=t" : null };
  }

  async remove(): Promise<void> {
    if (this.fails) throw new Error("refused");
  }

  people(text: string): Promise<Found[]> {
    return new Promise((answer) => this.searches.push({ text, answer }));
  }

  async teams(): Promise<Team[]> {
    throw new Error("refused");
  }
}

const ids = ({ shares }: Played) => shares.list.map((one) => one.share_id);

test("a share that is made or ended changes the list", async () => {
  const played = new Played();
  await played.shares.load();
  assert.deepEqual(played.shares.teams, [], "who may see no teams shares with none");
  assert.equal(await played.shares.make({ kind: "link" }), "/studio/#share=t");
  assert.deepEqual(ids(played), ["a", "b"]);
  played.fails = true;
  await assert.rejects(played.shares.remove("a"), /refused/);
  await assert.rejects(played.shares.make({ kind: "link" }), /refused/);
  assert.deepEqual(ids(played), ["a", "b"]);
  played.fails = false;
  await played.shares.remove("a");
  assert.deepEqual(ids(played), ["b"]);
});

test("people of an older search are dropped", async () => {
  const played = new Played();
  const person = (user_id: string) => [{ user_id, staff_name: user_id, email: "" }];
  assert.equal(await played.shares.search("Ro "), false);
  assert.equal(played.searches.length, 0, "the platform takes three characters or more");
  const [first, second] = [played.shares.search("Rob"), played.shares.search("Robi ")];
  played.searches[1]!.answer(person("new"));
  played.searches[0]!.answer(person("old"));
  assert.deepEqual(await Promise.all([first, second]), [true, true]);
  assert.deepEqual([played.searches[1]!.text, played.shares.found[0]?.user_id], ["Robi", "new"]);
  await played.shares.search("");
  assert.deepEqual(played.shares.found, []);
});

test("an end is in the future and written with its zone", () => {
  const now = Date.parse("2030-01-31T12:00:00Z");
  assert.equal(endOf("", now), undefined);
  assert.match(endOf("2030-03-01T10:00", now)!, /^2030-0[23]-\d\dT\d\d:\d\d:00\.000Z$/);
  for (const text of ["2029-01-01T10:00", "soon"]) assert.throws(() => endOf(text, now), /must be a time in the future/);
});

test("a link only shows and a variant has no editors", () => {
  assert.deepEqual(rolesOf("link", false), ["viewer"]);
  assert.deepEqual(rolesOf("user", true), ["viewer", "evaluator"]);
  assert.ok(rolesOf("team", false).includes("editor") && !rolesOf("team", false).includes("owner"));
});

test("a secret is read from the fragment alone", () => {
  assert.deepEqual(secretOf("#share=cat_share_x"), { kind: "share", token: "cat_share_x" });
  for (const text of ["", "#share=", "#project=p&p.share=1"]) assert.equal(secretOf(text), null, text);
});

test("the token of a link goes in its own header", async () => {
  const sent: Headers[] = [];
  const client = new Client({ kind: "share", value: "t" }, async (_, init) => {
    sent.push(new Headers(init.headers));
    return Response.json({ data: { share: { project_id: "p" } } });
  });
  await client.change("GET", "/v1/shares/current", "share");
  assert.deepEqual([sent[0]!.get("X-Share-Token"), sent[0]!.get("Authorization")], ["t", null]);
  assert.deepEqual([client.isLink, client.token, client.protocol], [true, null, "share.t"]);
});

test("a WebSocket takes each credential as a subprotocol of its kind", () => {
  const protocols = (["token", "api_key", "share"] as const).map((kind) => new Client({ kind, value: "t" }, async () => Response.json({})).protocol);
  assert.deepEqual(protocols, ["bearer.t", "key.t", "share.t"]);
});
