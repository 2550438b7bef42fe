import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "../../../edge/catenary_edge/studio/src/api/client.ts";
import type { Evaluation } from "../../../edge/catenary_edge/studio/src/api/types.ts";
import { describe, Evaluations, verdictOf } from "../../../edge/catenary_edge/studio/src/state/evaluations.ts";
import { evaluation, parameter } from "./parameters.ts";

const page = (ids: string[], next: string | null): Page<Evaluation> => ({ rows: ids.map((evaluation_id) => evaluation({ evaluation_id })), next });

test("older evaluations follow, and none comes twice", async () => {
  const asked: (string | null)[] = [];
  const pages = [page(["3", "2"], "c"), page(["2", "1"], null)];
  const found = new Evaluations(async (cursor) => {
    asked.push(cursor);
    return pages.shift()!;
  });
  await found.load();
  assert.ok(found.hasMore);
  await found.more();
  assert.deepEqual(found.list.map((one) => one.evaluation_id), ["3", "2", "1"]);
  assert.deepEqual([asked, found.hasMore], [[null, "c"], false]);
});

const parameters = [
  parameter("span", { label: "Span", default: 20, unit: "m" }),
  parameter("open", { label: "Open", type: "boolean", default: false }),
  parameter("grade", { label: "", type: "choice", default: "S235" }),
  ...["a", "b"].map((name) => parameter(name)),
];

test("an evaluation is named by its values off the defaults", () => {
  const named = (values: Evaluation["parameters"]) => describe(evaluation({ parameters: values }), parameters);
  assert.equal(named({ span: 30, open: true, grade: "S355" }), "Span 30 m, Open on, Grade S355");
  assert.equal(named({ span: 20, open: false }), "All values as the model gives them");
  assert.equal(named({ span: 30, open: true, grade: "S355", a: 2, b: 3 }), "Span 30 m, Open on, Grade S355, A 2 and 1 more");
});

test("a verdict counts the broken constraints or names the end", () => {
  const limits = { tall: { value: 1, satisfied: true }, light: { value: 1, satisfied: false } };
  assert.deepEqual(verdictOf(evaluation({ constraints: limits })), { text: "✕ 1 of 2 fail", isGood: false });
  assert.deepEqual(verdictOf(evaluation({ constraints: { tall: limits.tall } })), { text: "✓ pass", isGood: true });
  assert.deepEqual(verdictOf(evaluation()), { text: "", isGood: true });
  assert.deepEqual(verdictOf(evaluation({ status: "timed_out" })), { text: "took too long", isGood: false });
});
