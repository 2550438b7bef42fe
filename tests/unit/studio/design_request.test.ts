import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json } from "../../../edge/catenary_edge/studio/src/api/types.ts";
import { begin, BEGUN, canVary, EntryError, measuredOf, rangeOf, type Entries } from "../../../edge/catenary_edge/studio/src/state/design_request.ts";
import { batch, study } from "./designs.ts";
import { parameter } from "./parameters.ts";

const SPAN = parameter("span", { label: "Span", min: 5, max: 60, default: 20, unit: "m" });
const GRADE = parameter("grade", { type: "choice", choices: ["S235", "S355"], default: "S235" });
const LOAD = parameter("load", { label: "Load", default: 4 });
const TITLE = parameter("title", { type: "string", default: "Deck" });
const PARAMETERS = [SPAN, GRADE, LOAD, TITLE];
const METRICS = ["mass", "sag"];
const VALUES = { span: 30, grade: "S355", load: 4, title: "Deck" };

/** Begin what is entered, and return what was asked. */
async function asked(given: Partial<Entries>, values: Readonly<Record<string, Json>> = VALUES) {
  const calls: object[] = [];
  const key = await begin({ ...BEGUN, ...given }, PARAMETERS, METRICS, values, {
    sample: async (plan, name) => (calls.push({ plan, name }), batch("b")),
    study: async (one) => (calls.push(one), study("s")),
  });
  return { key, call: calls[0] };
}

const open = (name: string) => ({ [name]: { varies: true, min: "", max: "" } });
const kept = (name: string) => ({ [name]: { varies: false, min: "", max: "" } });

test("at first inputs vary that have bounds or values of their own", () => {
  assert.deepEqual(PARAMETERS.map((one) => rangeOf(BEGUN, one).varies), [true, true, false, false]);
  assert.deepEqual(PARAMETERS.map(canVary), [true, true, true, false]);
  assert.equal(canVary(parameter("one", { type: "choice", choices: ["a"] })), false);
});

test("a sample keeps the changed values of inputs that stay", async () => {
  const { key, call } = await asked({ ranges: { ...kept("grade"), span: { varies: true, min: "10", max: "" } }, name: "Spans" });
  assert.equal(key, "batch:b");
  assert.deepEqual(call, { plan: { kind: "sobol", size: 200, parameters: { span: { min: 10 }, grade: { values: ["S355"] } } }, name: "Spans" });
});

test("a search fixes each input that could vary and stays", async () => {
  const { key, call } = await asked({ purpose: "search", ranges: kept("span"), directions: { sag: "minimize" }, size: "1 000".replace(" ", "\u2009") }, { ...VALUES, title: "Roof" });
  assert.equal(key, "study:s");
  const parameters = { grade: {}, span: { fixed: 30 }, load: { fixed: 4 }, title: { fixed: "Roof" } };
  assert.deepEqual(call, { kind: "optimization", objectives: [{ metric: "sag", direction: "minimize" }], budget: 1000, parameters, name: "", constraints: [] });
});

test("each line of the conditions of a search is an expression, and other purposes have none", async () => {
  const entries = { directions: { sag: "minimize" as const }, conditions: " mass <= 2 t\n\nspan >= 12 m and sag < 30 mm \n" };
  const { call } = await asked({ ...entries, purpose: "search" });
  assert.deepEqual((call as { constraints: object }).constraints, [{ expression: "mass <= 2 t" }, { expression: "span >= 12 m and sag < 30 mm" }]);
  const other = await asked({ ...entries, purpose: "sensitivity" });
  assert.ok(!("constraints" in (other.call as object)));
});

test("a condition that the platform refuses is named by its number", async () => {
  const refusal = new Error("constraints[1].expression, column 5: <= can't join these.");
  const entries: Entries = { ...BEGUN, purpose: "search", directions: { sag: "minimize" }, conditions: "mass > 0\nsag <= 3 kg" };
  const refusing = begin(entries, PARAMETERS, ["mass", "sag"], VALUES, { sample: () => Promise.reject(refusal), study: () => Promise.reject(refusal) });
  await assert.rejects(refusing, { message: "Condition 2, column 5: <= can't join these." });
});

test("a sensitivity is measured for all metrics unless some are chosen", async () => {
  const { call } = await asked({ purpose: "sensitivity", measured: { sag: false } });
  assert.deepEqual((call as { objectives: object }).objectives, [{ metric: "mass" }]);
  assert.deepEqual(measuredOf(BEGUN, ["a", "b", "c", "d", "e", "f", "g"]), ["a", "b", "c", "d", "e", "f"]);
});

test("an entry that can't be taken is told with the way out, and nothing is asked", async () => {
  const bad: [Partial<Entries>, RegExp][] = [
    [{ ranges: { ...kept("span"), ...kept("grade") } }, /^Let an input vary/],
    [{ size: "0" }, /whole number from 1 to 10,000/],
    [{ size: "1.5" }, /whole number/],
    [{ size: "many" }, /whole number/],
    [{ purpose: "search" }, /^Choose what is to be low or high/],
    [{ purpose: "sensitivity", measured: { mass: false, sag: false } }, /^Choose a metric/],
    [{ ranges: open("load") }, /^Load has no bounds/],
    [{ ranges: { span: { varies: true, min: "ten", max: "" } } }, /^The bounds of Span must be numbers/],
    [{ ranges: { span: { varies: true, min: "", max: "5" } } }, /^The range of Span must go from a lower/],
  ];
  for (const [given, message] of bad) await assert.rejects(asked(given), (error: unknown) => error instanceof EntryError && message.test(error.message), String(message));
});
