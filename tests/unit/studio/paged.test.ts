import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "../../../edge/catenary_edge/studio/src/api/client.ts";
import { Paged } from "../../../edge/catenary_edge/studio/src/state/paged.ts";

/** A list over pages that a server gives one after the other. */
function played(...pages: Page<string>[]) {
  const asked: (string | null)[] = [];
  const read = async (cursor: string | null) => {
    asked.push(cursor);
    return pages.shift()!;
  };
  return { asked, list: new Paged(read, (one) => one) };
}

const page = (ids: string, next: string | null): Page<string> => ({ rows: [...ids], next });

test("older rows follow, and none comes twice", async () => {
  const { asked, list } = played(page("32", "c"), page("21", null));
  await list.load();
  assert.ok(list.hasMore);
  await list.more();
  assert.deepEqual([list.list, asked, list.hasMore], [[..."321"], [null, "c"], false]);
});

test("older rows stay when the newest are read again", async () => {
  const { list } = played(page("65", "5"), page("43", "3"), page("76", "6"), page("76", "6"));
  await list.load();
  await list.more();
  await list.load();
  assert.deepEqual(list.list, [..."76543"]);
  assert.ok(list.hasMore, "the older ones go on where they ended");
});

test("a list begins anew where rows between could be missing", async () => {
  const { asked, list } = played(page("21", null), page("98", "8"), page("76", null));
  await list.load();
  await list.load();
  assert.deepEqual([list.list, list.hasMore], [[..."98"], true]);
  await list.more();
  assert.deepEqual([list.list, asked.at(-1)], [[..."9876"], "8"]);
});

test("older rows of a list that has begun anew are dropped", async () => {
  const answers: ((page: Page<string>) => void)[] = [];
  const list = new Paged((_: string | null) => new Promise<Page<string>>((resolve) => answers.push(resolve)), (one: string) => one);
  const first = list.load();
  answers[0]!(page("21", "1"));
  await first;
  const older = list.more();
  const again = list.load();
  answers[2]!(page("98", "8"));
  await again;
  answers[1]!(page("0", null));
  await older;
  assert.deepEqual([list.list, list.hasMore], [[..."98"], true]);
});
