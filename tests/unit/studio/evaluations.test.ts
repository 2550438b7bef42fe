import assert from "node:assert/strict";
import { test } from "node:test";
import type { Evaluation } from "../../../edge/catenary_edge/studio/src/api/types.ts";
import { describe, verdictOf } from "../../../edge/catenary_edge/studio/src/state/evaluations.ts";
import { evaluation, parameter } from "./parameters.ts";

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
