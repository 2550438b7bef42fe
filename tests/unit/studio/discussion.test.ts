import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "../../../edge/catenary_edge/studio/src/api/client.ts";
import type { Comment, Json, Project } from "../../../edge/catenary_edge/studio/src/api/types.ts";
import { Discussion, type Beside, type CommentCalls } from "../../../edge/catenary_edge/studio/src/state/discussion.ts";

function comment(id: string, given: Partial<Comment> = {}): Comment {
  const person = { user_id: "me", staff_name: "Me" };
  return { comment_id: id, variant_id: null, parent_id: null, content: id, anchor: null, camera: null, mentions: [], resolved: false, resolved_by: null, created_by: person, created_at: "", updated_at: "", ...given };
}

/** A discussion over a server that keeps comments with a number as their tag, and all that it was asked. */
class Played implements CommentCalls {
  readonly asked: string[] = [];
  readonly kept = new Map<string, { value: Comment; tag: string }>();
  readonly discussion: Discussion;
  doubts = 0;
  /** The status with which writes are refused; 0 for none. */
  refused = 0;

  constructor(comments: Comment[], role: Project["role"] = "evaluator", variantId: string | null = null) {
    for (const one of comments) this.kept.set(one.comment_id, { value: one, tag: "1" });
    this.discussion = new Discussion(this, role, "me", variantId, undefined, () => (this.doubts += 1));
  }

  change(id: string, given: Partial<Comment>): void {
    const { value, tag } = this.kept.get(id)!;
    this.kept.set(id, { value: { ...value, ...given }, tag: `${Number(tag) + 1}` });
  }

  async list(variantId: string | null): Promise<Comment[]> {
    return [...this.kept.values()].map((one) => one.value).filter((one) => variantId === null || one.variant_id === variantId);
  }

  async read(id: string) {
    const found = this.kept.get(id);
    if (found === undefined) throw new ApiError(404, "NOT_FOUND", "gone");
    return found;
  }

  async add(content: string, beside: Beside): Promise<Comment> {
    this.asked.push(JSON.stringify(beside));
    if (this.refused) throw new ApiError(this.refused, "REFUSED", "refused");
    return comment("z", { content, parent_id: beside.parent_id ?? null, variant_id: beside.variant_id ?? null });
  }

  async edit(id: string, content: string, tag: string): Promise<Comment> {
    if (this.kept.get(id)!.tag !== tag) throw new ApiError(412, "PRECONDITION_FAILED", "changed");
    this.change(id, { content });
    return this.kept.get(id)!.value;
  }

  async resolve(id: string, resolved: boolean): Promise<Comment> {
    this.asked.push(`resolve ${id} ${resolved}`);
    this.change(id, { resolved });
    return this.kept.get(id)!.value;
  }

  async remove(id: string): Promise<void> {
    this.asked.push(`remove ${id}`);
  }
}

const ids = (played: Played, isResolved = false) => played.discussion.threads(isResolved).map((one) => `${one.id}:${one.replies.map((reply) => reply.comment_id)}`);
const event = (type: string, told: object) => ({ id: "e", type, data: { comment: told as { [key: string]: Json } } });

test("threads come newest first and their replies oldest first", async () => {
  const played = new Played([comment("d", { parent_id: "a" }), comment("c"), comment("b", { parent_id: "a" }), comment("a")]);
  await played.discussion.load();
  assert.deepEqual(ids(played), ["c:", "a:b,d"]);
  assert.equal(played.discussion.threadOf("d")?.id, "a");
});

test("a deleted first comment leaves its replies as a thread", async () => {
  const played = new Played([comment("b", { parent_id: "a" }), comment("a")]);
  await played.discussion.load();
  await played.discussion.remove("a");
  const [thread] = played.discussion.threads(false);
  assert.deepEqual([thread!.first, thread!.replies.length], [null, 1]);
  await played.discussion.resolve(thread!, true);
  assert.deepEqual(played.asked, ["remove a", "resolve b true"]);
});

test("resolving one comment moves its whole thread", async () => {
  const played = new Played([comment("b", { parent_id: "a" }), comment("a"), comment("c")]);
  await played.discussion.load();
  await played.discussion.resolve(played.discussion.threadOf("a")!, true);
  assert.deepEqual([ids(played), ids(played, true)], [["c:"], ["a:b"]]);
});

test("an event brings the comment that it has no text of", async () => {
  const played = new Played([comment("a")]);
  await played.discussion.load();
  played.kept.set("b", { value: comment("b", { parent_id: "a", content: "text" }), tag: "1" });
  await played.discussion.follow(event("comment.created", { comment_id: "b", variant_id: null }));
  assert.deepEqual(ids(played), ["a:b"]);
  assert.equal(played.discussion.threads(false)[0]!.replies[0]!.content, "text");
  await played.discussion.follow(event("comment.deleted", { comment_id: "b", variant_id: null }));
  await played.discussion.follow(event("comment.updated", { comment_id: "gone", variant_id: null }));
  assert.deepEqual(ids(played), ["a:"]);
});

test("the comments of a variant hear of no others", async () => {
  const played = new Played([comment("a", { variant_id: "v" }), comment("b")], "evaluator", "v");
  await played.discussion.load();
  await played.discussion.follow(event("comment.updated", { comment_id: "b", variant_id: null }));
  assert.deepEqual(ids(played), ["a:"]);
  await played.discussion.add(" new ", {});
  await played.discussion.add("reply", { parent_id: "a" });
  assert.deepEqual(played.asked, ['{"variant_id":"v"}', '{"variant_id":"v","parent_id":"a"}']);
});

test("a conflict keeps the typed text and shows the newer one", async () => {
  const played = new Played([comment("a")]);
  await played.discussion.load();
  const editing = await played.discussion.edit("a");
  played.change("a", { content: "theirs" });
  const again = await played.discussion.save(editing, "mine");
  assert.equal(again?.newer, "theirs");
  assert.equal(await played.discussion.save(again!, "mine"), null);
  assert.equal(played.kept.get("a")!.value.content, "mine");
});

test("a text is saved though its thread was resolved meanwhile", async () => {
  const played = new Played([comment("a")]);
  await played.discussion.load();
  const editing = await played.discussion.edit("a");
  played.change("a", { resolved: true });
  assert.equal(await played.discussion.save(editing, " mine "), null);
  assert.deepEqual(played.kept.get("a")!.value, comment("a", { content: "mine", resolved: true }));
});

test("each role may change what the platform lets it", () => {
  const other = comment("o", { created_by: { user_id: "other", staff_name: "Other" } });
  const may = (role: Project["role"]) => {
    const { discussion } = new Played([], role);
    return [discussion.mayWrite, discussion.mayEdit(comment("a")), discussion.mayEdit(other), discussion.mayDelete(comment("a")), discussion.mayDelete(other)];
  };
  assert.deepEqual(may("viewer"), [false, false, false, false, false]);
  assert.deepEqual(may("evaluator"), [true, true, false, true, false]);
  assert.deepEqual(may("editor"), [true, true, false, true, true]);
});

test("a refused write doubts the role, and another failure does not", async () => {
  const played = new Played([comment("a", { variant_id: "v" })], "evaluator", "v");
  await played.discussion.load();
  for (const [status, doubts] of [[403, 1], [404, 2], [400, 2], [429, 2], [0, 2]] as const) {
    played.refused = status;
    const told = status === 404 ? { message: /not comment on this variant any more/ } : { status };
    if (status) await assert.rejects(played.discussion.add("text", {}), told);
    assert.equal(played.doubts, doubts, String(status));
  }
  assert.deepEqual(ids(played), ["a:"]);
});

test("a role that changes meanwhile keeps the comments", async () => {
  const played = new Played([comment("a")], "evaluator");
  await played.discussion.load();
  played.discussion.role = "viewer";
  assert.deepEqual([played.discussion.mayWrite, played.discussion.mayEdit(comment("a")), ids(played)], [false, false, ["a:"]]);
});
