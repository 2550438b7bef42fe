import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "../../../edge/catenary_edge/studio/src/api/client.ts";
import type { Evaluation } from "../../../edge/catenary_edge/studio/src/api/types.ts";
import { Design } from "../../../edge/catenary_edge/studio/src/state/design.ts";
import type { Values } from "../../../edge/catenary_edge/studio/src/state/values.ts";
import { parameter } from "./parameters.ts";

const WIDTH = parameter("width", { default: 36, unit: "m" });

function evaluation(given: Partial<Evaluation> = {}): Evaluation {
  return { evaluation_id: "1", status: "completed", parameters: {}, metrics: {}, constraints: {}, geometry: [], error: null, duration_ms: 1, ...given };
}

/** A server whose answers the test gives, and a design that asks it. */
class Played {
  readonly asked: Values[] = [];
  private readonly waiting: { resolve: (found: Evaluation) => void; reject: (error: unknown) => void }[] = [];
  readonly design = new Design([WIDTH], {}, (values) => this.take(values), () => undefined, 0);

  private take(values: Values): Promise<Evaluation> {
    this.asked.push(values);
    return new Promise((resolve, reject) => this.waiting.push({ resolve, reject }));
  }

  async answer(found: Evaluation | Error): Promise<void> {
    const next = this.waiting.shift()!;
    if (found instanceof Error) next.reject(found);
    else next.resolve(found);
    await new Promise((done) => setTimeout(done, 5));
  }

  async change(value: number): Promise<void> {
    this.design.set("width", value);
    this.design.commit();
    await new Promise((done) => setTimeout(done, 5));
  }
}

test("of what is asked meanwhile only the newest is computed", async () => {
  const played = new Played();
  for (const value of [1, 2, 3]) await played.change(value);
  assert.deepEqual(played.asked, [{ width: 1 }]);
  await played.answer(evaluation({ evaluation_id: "first" }));
  assert.deepEqual(played.asked, [{ width: 1 }, { width: 3 }]);
  assert.ok(played.design.busy);
  await played.answer(evaluation({ evaluation_id: "last" }));
  assert.equal(played.design.evaluation?.evaluation_id, "last");
  assert.ok(!played.design.busy);
});

test("a refusal stands at its input and keeps the last design", async () => {
  const played = new Played();
  played.design.evaluate();
  await played.answer(evaluation());
  await played.change(-1);
  await played.answer(new ApiError(400, "PARAMETER_OUT_OF_RANGE", "width must be positive.", new Map([["width", "must be positive"]])));
  assert.equal(played.design.failure, "width must be positive.");
  assert.equal(played.design.refused.get("width"), "must be positive");
  assert.notEqual(played.design.evaluation, null);
  await played.change(2);
  await played.answer(evaluation());
  assert.equal(played.design.failure, "");
  assert.equal(played.design.refused.size, 0);
});

test("a model that fails tells why and keeps the last design", async () => {
  const played = new Played();
  played.design.evaluate();
  await played.answer(evaluation({ evaluation_id: "good" }));
  await played.change(9);
  await played.answer(evaluation({ status: "failed", error: { code: "MODEL_ERROR", message: "division by zero", line: 7 } }));
  assert.equal(played.design.failure, "The model failed: division by zero (line 7)");
  assert.equal(played.design.evaluation?.evaluation_id, "good");
});

test("a late failure of an older design is not told", async () => {
  const played = new Played();
  await played.change(1);
  await played.change(2);
  await played.answer(new ApiError(400, "X", "the older one"));
  assert.equal(played.design.failure, "");
});

test("undo and redo go through committed values and evaluate them", async () => {
  const played = new Played();
  await played.change(1);
  await played.answer(evaluation());
  await played.change(2);
  await played.answer(evaluation());
  played.design.undo();
  assert.equal(played.design.values["width"], 1);
  assert.deepEqual(played.asked.at(-1), { width: 1 });
  await played.answer(evaluation());
  played.design.undo();
  assert.ok(played.design.isDefault && !played.design.canUndo);
  played.design.redo();
  assert.equal(played.design.values["width"], 1);
  played.design.reset();
  assert.ok(played.design.isDefault && played.design.canUndo && !played.design.canRedo);
});

test("a stored evaluation brings its values and asks nothing", () => {
  const played = new Played();
  played.design.adopt(evaluation({ evaluation_id: "stored", parameters: { width: 20 } }));
  assert.equal(played.design.values["width"], 20);
  assert.equal(played.design.evaluation?.evaluation_id, "stored");
  assert.deepEqual(played.asked, []);
});

test("values of another address are one step and the rest defaults", async () => {
  const played = new Played();
  await played.change(1);
  played.design.replace({});
  assert.ok(played.design.isDefault && played.design.canUndo);
  played.design.undo();
  assert.equal(played.design.values["width"], 1);
});

test("a value in another unit becomes the one that was used", async () => {
  const played = new Played();
  played.design.set("width", { value: 100, unit: "ft" });
  played.design.evaluate();
  await played.answer(evaluation({ parameters: { width: 30.5 } }));
  assert.equal(played.design.values["width"], 30.5);
});
