import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { ApiError } from "../../../edge/catenary_edge/studio/src/api/client.ts";
import { Design, type Live } from "../../../edge/catenary_edge/studio/src/state/design.ts";
import type { Values } from "../../../edge/catenary_edge/studio/src/state/values.ts";
import type { Evaluation } from "../../../edge/catenary_edge/studio/src/api/types.ts";
import { evaluation, parameter } from "./parameters.ts";

const WIDTH = parameter("width", { default: 36, unit: "m" });

/** A server whose answers the test gives, and a design that asks it. */
class Played {
  readonly asked: Values[] = [];
  private readonly waiting: { resolve: (found: Evaluation) => void; reject: (error: unknown) => void }[] = [];
  readonly cancelled: string[] = [];
  watch: ((unfinished: Evaluation) => void) | undefined;
  readonly design = new Design(
    [WIDTH],
    {},
    {
      evaluate: (values, watch) => {
        this.watch = watch;
        return this.take(values);
      },
      cancel: async (evaluationId) => void this.cancelled.push(evaluationId),
      changed: () => undefined,
    },
    0,
    20,
  );

  private take(values: Values): Promise<Evaluation> {
    this.asked.push(values);
    return new Promise((resolve, reject) => this.waiting.push({ resolve, reject }));
  }

  get shownId(): string | undefined {
    return (this.design.outcome as Evaluation | null)?.evaluation_id;
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
  assert.equal(played.shownId, "last");
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
  assert.notEqual(played.design.outcome, null);
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
  assert.deepEqual([...played.design.refused], [["width", played.design.failure]], "the input that was changed last");
  assert.equal(played.shownId, "good");
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
  assert.equal(played.shownId, "stored");
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

/** A live session whose answers the test gives. */
class Session implements Live {
  isUsable = true;
  isWaiting = false;
  owesResult = false;
  rests = 0;
  readonly sent: Values[] = [];

  send(values: Values): void {
    this.sent.push(values);
    this.isWaiting = true;
  }

  rest(): void {
    this.rests += 1;
  }

  forget(): void {
    this.isWaiting = false;
  }
}

/** Designs whose timers are to end with their test. */
const designs: Design[] = [];
afterEach(() => designs.splice(0).forEach((one) => one.close()));

function live(): { played: Played; session: Session } {
  const [played, session] = [new Played(), new Session()];
  played.design.live = session;
  designs.push(played.design);
  return { played, session };
}

test("a slider that moves is sent at once and nothing is stored", async () => {
  const { played, session } = live();
  for (const value of [1, 2, 3]) played.design.set("width", value);
  await played.change(3);
  assert.deepEqual(session.sent, [{ width: 1 }, { width: 2 }, { width: 3 }]);
  assert.deepEqual(played.asked, []);
  played.design.undo();
  assert.deepEqual(session.sent.at(-1), {});
});

test("a live design that takes long becomes an evaluation with progress", async () => {
  const { played, session } = live();
  session.owesResult = true;
  played.design.set("width", 1);
  await new Promise((done) => setTimeout(done, 40));
  assert.deepEqual([played.asked, session.rests], [[{ width: 1 }], 1]);
  assert.ok(played.watch !== undefined && !played.design.isLive, "it tells its progress and can be cancelled");
  await played.answer(evaluation({ duration_ms: 30 }));
  assert.ok(played.design.isLive, "it was not the model that took long");
});

test("a live design that is answered, or waits for a connection, stays live", async () => {
  const { played, session } = live();
  session.owesResult = true;
  played.design.set("width", 1);
  played.design.showLive(evaluation(), { width: 1 }, 5);
  session.owesResult = false;
  played.design.set("width", 2);
  await new Promise((done) => setTimeout(done, 50));
  assert.deepEqual([played.asked, session.rests], [[], 0]);
  session.owesResult = true;
  await new Promise((done) => setTimeout(done, 40));
  assert.deepEqual(played.asked, [{ width: 2 }], "from the connection on it has the same time");
  await played.answer(evaluation());
});

test("a kept design is evaluated once and forgotten with its values", async () => {
  const { played } = live();
  played.design.set("width", 7);
  played.design.showLive(evaluation(), { width: 7 }, 5);
  assert.equal(played.design.kept, null);
  const kept = played.design.keep();
  await played.answer(evaluation({ evaluation_id: "kept" }));
  assert.equal((await kept).evaluation_id, "kept");
  assert.equal((await played.design.keep()).evaluation_id, "kept");
  assert.deepEqual(played.asked, [{ width: 7 }]);
  played.design.set("width", 8);
  assert.equal(played.design.kept, null);
});

test("a design that fails is not kept", async () => {
  const { played } = live();
  const kept = played.design.keep();
  await Promise.all([assert.rejects(kept, /took too long/), played.answer(evaluation({ status: "timed_out" }))]);
  assert.equal(played.design.kept, null);
});

test("a slow model is computed when the slider is let go, and can be cancelled", async () => {
  const { played, session } = live();
  played.design.showLive(evaluation(), {}, 1500);
  played.design.set("width", 1);
  played.design.set("width", 2);
  await new Promise((done) => setTimeout(done, 5));
  assert.deepEqual([session.sent, played.asked], [[], []]);
  played.design.commit();
  assert.deepEqual(played.asked, [{ width: 2 }]);
  played.watch!(evaluation({ evaluation_id: "long", status: "running", progress: { fraction: 0.4, message: "meshing" } }));
  assert.equal(played.design.running?.progress?.message, "meshing");
  await played.design.cancel();
  assert.deepEqual(played.cancelled, ["long"]);
  await played.answer(evaluation({ status: "cancelled", duration_ms: null }));
  assert.equal(played.design.failure, "The evaluation was cancelled.");
  assert.equal(played.design.running, null);
});

test("values of elsewhere are computed once by a slow model", () => {
  const { played } = live();
  played.design.showLive(evaluation(), {}, 1500);
  played.design.replace({ width: 5, unknown: 1 });
  assert.deepEqual(played.asked, [{ width: 5 }]);
  assert.ok(!("unknown" in played.design.values));
});

test("a model that is fast again follows the slider", async () => {
  const { played, session } = live();
  played.design.showLive(evaluation(), {}, 1500);
  await played.change(1);
  await played.answer(evaluation({ duration_ms: 700 }));
  assert.ok(!played.design.isLive, "between the bounds it stays as it is");
  await played.change(2);
  await played.answer(evaluation({ duration_ms: 100, cached: true }));
  assert.ok(!played.design.isLive, "a result that was stored says nothing of the model");
  await played.change(3);
  await played.answer(evaluation({ duration_ms: 100 }));
  assert.ok(played.design.isLive);
  played.design.set("width", 4);
  assert.deepEqual(session.sent, [{ width: 4 }]);
});

test("without a socket designs are evaluated when the slider rests", async () => {
  const { played, session } = live();
  session.isUsable = false;
  await played.change(1);
  assert.deepEqual([session.sent, played.asked], [[], [{ width: 1 }]]);
});

test("changes are against the first result, or the one pinned last", async () => {
  const played = new Played();
  const { design } = played;
  design.pin();
  assert.equal(design.baseline, null, "nothing to compare with yet");
  for (const id of ["1", "2", "3"]) {
    await played.change(Number(id));
    await played.answer(evaluation({ evaluation_id: id }));
    if (id === "2") design.pin();
  }
  const idOf = () => (design.baseline as Evaluation).evaluation_id;
  assert.equal(idOf(), "2");
  design.pin();
  design.pin();
  assert.deepEqual([design.pins.length, design.canPin, idOf()], [2, false, "3"], "no result is pinned twice");
  design.unpin(design.pins[1]!);
  assert.equal(idOf(), "2");
  design.unpin(design.pins[0]!);
  assert.equal(idOf(), "1");
  await played.change(4);
  await played.answer(evaluation({ evaluation_id: "4", status: "failed" }));
  design.pin();
  assert.equal(idOf(), "3", "a failure is nothing to compare with");
});

test("three results are pinned at most", async () => {
  const played = new Played();
  for (const id of ["1", "2", "3", "4"]) {
    await played.change(Number(id));
    await played.answer(evaluation({ evaluation_id: id }));
    played.design.pin();
  }
  assert.deepEqual(played.design.pins.map((one) => (one as Evaluation).evaluation_id), ["1", "2", "3"]);
  assert.equal(played.design.canPin, false);
});
