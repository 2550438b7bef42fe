import assert from "node:assert/strict";
import { test } from "node:test";
import { isShown } from "../../../edge/catenary_edge/studio/src/state/shown_if.ts";
import { parameter } from "./parameters.ts";

const ALL = [
  parameter("span", { unit: "m" }),
  parameter("load", { unit: "kN/m2" }),
  parameter("bays", { type: "integer" }),
  parameter("braced", { type: "boolean" }),
  parameter("roof", { type: "choice" }),
  parameter("loads", { type: "table" }),
];
const VALUES = { span: 20, load: 5, bays: 4, braced: true, roof: "flat", loads: [] };
const shown = (condition: string | null) => isShown(parameter("depth", { show_if: condition }), ALL, VALUES);

test("a parameter without a condition is shown", () => {
  assert.ok(shown(null));
});

const TRUE = ["braced", "braced and span > 15 m", "not braced or roof == 'flat'", 'roof != "pitched"', "span >= 20 m", "span == 20m", "load < 6 kN/m2",
  "bays * 2 == 8", "span / bays > 4 m", "-span < 0", "span > 0", "(bays + 1) * 2 - 3 > 6", "span / span == 1", "span <= 2e1 m", "braced == true_name or braced"];
const FALSE = ["not braced", "braced and span > 25 m", "roof == 'pitched'", "span != 20 m", "bays > 4", "not (braced or bays > 9)", "span < 20 m",
  "unknown > 3 and not braced", "0.5 * span > 10 m", "load >= 5.1 kN/m2"];
const UNTOLD = ["span > 30 ft", "span * span > 1 m2", "sqrt(bays) > 9", "bays ** 2 < 1", "loads", "unknown", "span > ", "span > 3 US gal", "(", "", "bays / 0 > 9",
  "not unknown", "roof > 'a' and braced"];

for (const [conditions, expected] of [[TRUE, true], [FALSE, false], [UNTOLD, true]] as const) {
  for (const condition of conditions) test(`${condition || "nothing"} ${expected ? "shows" : "hides"} its parameter`, () => assert.equal(shown(condition), expected));
}

test("a value in another unit than the condition's shows the parameter", () => {
  const asked = parameter("depth", { show_if: "span > 100 m" });
  assert.ok(isShown(asked, ALL, { ...VALUES, span: { value: 3, unit: "ft" } }));
  assert.ok(!isShown(asked, ALL, { ...VALUES, span: { value: 3, unit: "m" } }));
});
