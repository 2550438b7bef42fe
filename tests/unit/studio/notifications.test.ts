import assert from "node:assert/strict";
import { test } from "node:test";
import type { Notification } from "../../../edge/catenary_edge/studio/src/api/types.ts";
import { addressWith, readAddress, variantIn } from "../../../edge/catenary_edge/studio/src/state/address.ts";
import { BEGINNING } from "../../../edge/catenary_edge/studio/src/state/beside.ts";
import { addressOf, Notifications } from "../../../edge/catenary_edge/studio/src/state/notifications.ts";

function notification(id: string, given: Partial<Notification> = {}): Notification {
  return {
    notification_id: id,
    kind: "share",
    title: "A project was shared with you.",
    subject: "/v1/projects/p",
    project_id: "p",
    event_id: null,
    actor_id: null,
    actor: null,
    read: false,
    read_at: null,
    created_at: "2026-11-27T08:00:00Z",
    ...given,
  };
}

test("unread ones are counted until they are read", async () => {
  const marked: string[] = [];
  const store = new Notifications(
    {
      list: async () => [notification("a"), notification("b", { read: true }), notification("c")],
      mark: async (id, read) => (marked.push(id), notification(id, { read })),
    },
    () => undefined,
  );
  await store.load();
  assert.equal(store.unread, 2);
  await store.read(store.items[0]!);
  assert.equal(store.unread, 1);
  await store.readAll();
  assert.deepEqual([store.unread, marked], [0, ["a", "c"]]);
});

test("many that are told at once are read at most twice", async () => {
  let readings = 0;
  const found: Notification[] = [];
  const store = new Notifications({ list: async () => ((readings += 1), [...found]), mark: async (id, read) => notification(id, { read }) }, () => undefined);
  const first = store.load();
  found.push(notification("a"), notification("b"));
  await Promise.all([first, store.load(), store.load(), store.load()]);
  assert.deepEqual([readings, store.unread], [2, 2]);
  await store.load();
  assert.equal(readings, 3);
});

test("a refused mark is shown as unread again, with the reason", async () => {
  const seen: number[] = [];
  const store: Notifications = new Notifications({ list: async () => [notification("a")], mark: () => Promise.reject(new Error("Too many requests.")) }, () => seen.push(store.unread));
  await store.load();
  await store.read(store.items[0]!);
  assert.deepEqual([store.unread, store.failure], [1, "Too many requests."]);
  assert.ok(seen.includes(0), "it was shown as read at once");
});

test("a notification leads to what it is about", () => {
  const cases: [string, string | null, string | null][] = [
    ["/v1/variants/1-2", "p", "#variant=1-2"],
    ["/v1/comments/1", "p", "#project=p"],
    ["/v1/projects/q", null, "#project=q"],
    ["/v1/webhooks/1", null, null],
    ["/v1/users/1", null, null],
  ];
  for (const [subject, project_id, address] of cases) assert.equal(addressOf({ subject, project_id }), address, subject);
});

test("an address may name a variant alone", () => {
  assert.equal(variantIn("#variant=1"), "1");
  assert.equal(variantIn("#project=1"), null);
  assert.equal(readAddress("#variant=1"), null);
  assert.deepEqual(readAddress(addressWith("p", { height: 40, name: "a & b" })), { projectId: "p", beside: BEGINNING, values: new Map([["height", "40"], ["name", '"a & b"']]) });
});
