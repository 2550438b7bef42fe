import assert from "node:assert/strict";
import { test } from "node:test";
import { Fresh } from "../../../edge/catenary_edge/studio/src/state/fresh.ts";

/** A list whose answers come when the test says so. */
function played() {
  const answers: ((found: string) => void)[] = [];
  const taken: string[] = [];
  const fresh = new Fresh(() => new Promise<string>((resolve) => answers.push(resolve)), (found) => taken.push(found));
  return { answers, taken, fresh };
}

const tick = () => new Promise((resolve) => setImmediate(resolve));

test("an older answer that comes late is dropped", async () => {
  const { answers, taken, fresh } = played();
  const readings = [fresh.read(), fresh.read()];
  answers[1]!("new");
  await tick();
  answers[0]!("old");
  await Promise.all(readings);
  assert.deepEqual(taken, ["new"]);
});

test("answers in the order of asking are all taken", async () => {
  const { answers, taken, fresh } = played();
  const readings = [fresh.read(), fresh.read()];
  answers[0]!("first");
  await tick();
  answers[1]!("second");
  await Promise.all(readings);
  assert.deepEqual(taken, ["first", "second"]);
});

test("an answer that was asked for before a change is asked for again", async () => {
  const { answers, taken, fresh } = played();
  const reading = fresh.read();
  fresh.note();
  answers[0]!("without the change");
  await tick();
  assert.deepEqual(taken, []);
  answers[1]!("with the change");
  await reading;
  assert.deepEqual(taken, ["with the change"]);
});

test("a reading that fails is told, and the next one is taken", async () => {
  const taken: string[] = [];
  const results = [() => Promise.reject(new Error("busy")), () => Promise.resolve("there")];
  const fresh = new Fresh(() => results.shift()!(), (found: string) => taken.push(found));
  await assert.rejects(fresh.read(), /busy/);
  await fresh.read();
  assert.deepEqual(taken, ["there"]);
});
