import assert from "node:assert/strict";
import { test } from "node:test";
import { between, hitsOf, readBound, stretchesOf, toggled, told, withFilter, type Filters } from "../../../edge/catenary_edge/studio/src/state/filters.ts";
import { column, COLUMNS } from "./designs.ts";

const hits = (filters: Filters) => [...hitsOf(filters, COLUMNS, 3)].join("");
const range = (min: number | null, max: number | null) => ({ min, max, values: [] });

test("a candidate passes that meets every filter", () => {
  assert.equal(hits({}), "111");
  assert.equal(hits({ span: range(15, null) }), "011");
  assert.equal(hits({ span: range(15, null), mass: range(null, 5) }), "001");
  assert.equal(hits({ grade: { min: null, max: null, values: ["S235"] }, open: { min: null, max: null, values: [true] } }), "001");
  assert.equal(hits({ span: { min: null, max: null, values: [10, 30] } }), "101");
});

test("a missing value meets no filter, and an unknown name lets all pass", () => {
  assert.equal(hits({ sag: range(0, 10) }), "101");
  assert.equal(hits({ gone: range(0, 1) }), "111");
  assert.equal(hits({ grade: { min: null, max: null, values: ["S460"] } }), "000");
});

test("a filter that lets all pass is none", () => {
  const filters = withFilter({ mass: range(1, 2) }, "span", range(3, null));
  assert.deepEqual(Object.keys(filters), ["mass", "span"]);
  assert.deepEqual(Object.keys(withFilter(filters, "span", range(null, null))), ["mass"]);
  assert.deepEqual(Object.keys(withFilter(filters, "mass", null)), ["span"]);
});

test("a brush is a range, open where it reaches the last value", () => {
  assert.deepEqual(between(column("span"), 25, 12), range(12, 25));
  assert.deepEqual(between(column("span"), 12, 30), range(12, null));
  assert.deepEqual(between(column("span"), 0, 40), range(null, null));
  assert.deepEqual(between(column("grade"), -0.4, 0.3).values, ["S355"]);
  assert.deepEqual(between(column("grade"), -0.5, 1.5).values, [], "all of them");
  assert.deepEqual(between(column("grade"), 0.2, 0.4).values, [], "none of them");
});

test("a click on a category takes it in, and a second one out", () => {
  const one = toggled(undefined, column("grade"), "S235");
  assert.deepEqual(one.values, ["S235"]);
  assert.deepEqual(toggled(one, column("grade"), "S355").values, []);
  assert.deepEqual(toggled(one, column("grade"), "S235").values, []);
});

test("the stretches of an axis are those of its filter", () => {
  assert.deepEqual(stretchesOf(undefined, column("span")), []);
  assert.deepEqual(stretchesOf(range(5, 25), column("span")), [[10, 25]]);
  assert.deepEqual(stretchesOf({ min: null, max: null, values: ["S235"] }, column("grade")), [[0.5, 1.5]]);
  assert.deepEqual(stretchesOf({ min: null, max: null, values: ["S235", "S355"] }, column("grade")), [[-0.5, 1.5]]);
});

test("a bound is a number, or nothing", () => {
  assert.deepEqual(["3,5", " 12 ", "1\u2009200", "", "-1e3"].map(readBound), [3.5, 12, 1200, null, -1000]);
  assert.deepEqual(["abc", "1 m", "NaN", "Infinity"].map(readBound), [undefined, undefined, undefined, undefined]);
});

test("a filter is told as its bounds or its values", () => {
  assert.deepEqual([range(1, 2.5), range(10_000, null), range(null, 3)].map(told), ["1 to 2.5", "from 10\u2009000", "to 3"]);
  assert.equal(told({ min: null, max: null, values: ["S235", true, 4] }), "S235, on, 4");
});
