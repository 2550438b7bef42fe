import assert from "node:assert/strict";
import { test } from "node:test";
import { Client } from "../../../edge/catenary_edge/studio/src/api/client.ts";
import { pictureOf, type Picture } from "../../../edge/catenary_edge/studio/src/state/picture.ts";

const BYTES = new Blob(["png"]);

test("a picture that is being made is asked for again", async () => {
  const answers: Picture[] = [{ again: 2 }, { again: Number.NaN }, { again: 99 }, { bytes: BYTES }];
  const pauses: number[] = [];
  const found = await pictureOf(async () => answers.shift()!, () => true, async (milliseconds) => void pauses.push(milliseconds));
  assert.equal(found, BYTES);
  assert.deepEqual(pauses, [2000, 1000, 10_000]);
});

test("a picture that nobody waits for is not asked for again", async () => {
  let asked = 0;
  const ask = async (): Promise<Picture> => ((asked += 1), { again: 1 });
  assert.equal(await pictureOf(ask, () => asked < 2, async () => undefined), null);
  assert.equal(asked, 2);
  assert.equal(await pictureOf(ask, () => true, async () => undefined), null, "the tries have an end");
  assert.ok(asked < 50);
});

test("a client tells a picture from one that is being made", async () => {
  const answers = [new Response("{}", { status: 202, headers: { "Retry-After": "3" } }), new Response("png")];
  const client = new Client({ kind: "token", value: "t" }, async () => answers.shift()!);
  assert.deepEqual(await client.picture("/v1/variants/v/thumbnail"), { again: 3 });
  const found = await client.picture("/v1/variants/v/thumbnail");
  assert.ok("bytes" in found && found.bytes.size === 3);
});
