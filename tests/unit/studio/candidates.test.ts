import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json } from "../../../edge/catenary_edge/studio/src/api/types.ts";
import { candidateOf, columnsOf, firstAxes, headingOf, shownValue, studyCandidateOf } from "../../../edge/catenary_edge/studio/src/state/candidates.ts";
import { candidate, column, COLUMNS, PARAMETERS, point } from "./designs.ts";
import { evaluation } from "./parameters.ts";

const NONE = { names: [], units: {} };
const broken = { light: { metric: "mass", op: "<=", limit: 1, unit: "kg", value: 2, satisfied: false } };

test("an evaluation with a result is a candidate, feasible by its constraints", () => {
  const found = candidateOf(evaluation({ evaluation_id: "e", parameters: { span: 1 }, metrics: { mass: { value: 2, unit: "kg" } }, constraints: broken }));
  assert.deepEqual(found, { id: "e", parameters: { span: 1 }, metrics: { mass: 2 }, isFeasible: false });
  for (const status of ["failed", "timed_out", "running", "cancelled"] as const) assert.equal(candidateOf(evaluation({ status })), null);
});

test("a point of a study has its objectives and the study's word on constraints", () => {
  const objectives = [{ value: 7 }, { value: null }] as never;
  const found = studyCandidateOf(point("e", { metrics: { mass: { value: 2, unit: "kg" } }, objectives, feasible: false }), ["mass * 2"]);
  assert.deepEqual(found?.metrics, { "mass * 2": 7, "Objective 2": null, mass: 2 });
  assert.equal(found?.isFeasible, false);
  assert.equal(studyCandidateOf(point("e", { status: "failed" }), []), null);
});

test("columns come as declared, with their units, and choices in their order", () => {
  assert.deepEqual(COLUMNS.map(({ name }) => name), ["span", "grade", "open", "sag", "mass"]);
  assert.deepEqual([...column("grade").numbers], [0, 1, 1]);
  assert.deepEqual(column("grade").categories, ["S355", "S235"]);
  assert.deepEqual([headingOf(column("span")), headingOf(column("grade")), headingOf(column("sag"))], ["Span (m)", "Grade", "Sag (mm)"]);
  assert.deepEqual(column("open").numbers.length, 3);
  assert.deepEqual([shownValue(column("open"), 0), shownValue(column("open"), 1)], ["off", "on"]);
});

test("a value that is missing is none, and its column is still an axis", () => {
  const { numbers, least, largest, isAxis } = column("sag");
  assert.ok(Number.isNaN(numbers[1]));
  assert.deepEqual([least, largest, isAxis, shownValue(column("sag"), Number.NaN)], [1, 3, true, "–"]);
});

test("what no axis can show is no axis: lists, many texts, long texts, nothing", () => {
  const of = (values: Json[]) => columnsOf(values.map((value, at) => candidate(String(at), { parameters: { x: value } })), [], NONE)[0]!.isAxis;
  assert.ok(of(["a", "b"]));
  assert.ok(of(Array.from({ length: 100 }, (_, at) => `t${at}`)));
  assert.ok(!of(Array.from({ length: 101 }, (_, at) => `t${at}`)));
  assert.ok(!of([[1, 2, 3], [4, 5, 6]]));
  assert.ok(!of(["x".repeat(501)]));
  assert.ok(!of([null, null]));
});

test("the first axes are those in which the candidates differ", () => {
  assert.deepEqual(firstAxes(COLUMNS), ["span", "grade", "open", "sag", "mass"]);
  const alike = [candidate("a", { parameters: { span: 1, height: 2 } }), candidate("b", { parameters: { span: 1, height: 3 } })];
  assert.deepEqual(firstAxes(columnsOf(alike, PARAMETERS, NONE)), ["height"]);
  assert.deepEqual(firstAxes(columnsOf(alike.slice(0, 1), PARAMETERS, NONE)), ["span", "height"]);
  assert.deepEqual(firstAxes(columnsOf([], PARAMETERS, NONE)), []);
});
