import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json, Parameter } from "../../../edge/catenary_edge/studio/src/api/types.ts";
import { isShown as isShownByPage, withConditions } from "../../../edge/catenary_edge/studio/src/state/conditions.ts";
import { Refused } from "../../../edge/catenary_edge/studio/src/state/quantity.ts";
import { isShown, truthOf } from "../../../edge/catenary_edge/studio/src/state/shown_if.ts";
import table from "../../fixtures/conditions.json";
import { parameter } from "./parameters.ts";

const ALL = table.parameters.map(({ name, ...given }) => parameter(name, given as Partial<Parameter>));
const VALUES = table.values as { [name: string]: Json };
const asking = (condition: string | null) => parameter("depth", { unit: "m", show_if: condition });

function told(condition: string): boolean | string {
  try {
    return truthOf(asking(condition), [...ALL, asking(condition)], VALUES) ?? "undefined";
  } catch (error) {
    if (error instanceof Refused) return "refused";
    throw error;
  }
}

// The platform's own check tells the same (tests/unit/services/test_conditions.py).
for (const [condition, expected] of table.cases as [string, boolean | string][]) {
  test(`${condition || "nothing"} is ${expected}`, () => {
    assert.equal(told(condition), expected);
    assert.equal(isShown(asking(condition), ALL, VALUES), expected !== false);
  });
}

test("a value in a unit of another kind leaves its parameter shown", () => {
  const far = asking("span > 100 m");
  assert.ok(isShown(far, ALL, { ...VALUES, span: { value: 3, unit: "kg" } }));
  assert.ok(isShown(far, ALL, { ...VALUES, span: { value: 3, unit: "__proto__" } }));
  assert.ok(isShown(far, ALL, { ...VALUES, span: { value: 400, unit: "ft" } }));
  assert.ok(!isShown(far, ALL, { ...VALUES, span: { value: 300, unit: "ft" } }));
});

test("a page reads conditions once it has loaded what reads them", async () => {
  const hidden = asking("not braced");
  assert.ok(isShownByPage(hidden, ALL, VALUES));
  assert.deepEqual(await withConditions(ALL), ALL);
  assert.ok(isShownByPage(hidden, ALL, VALUES));
  await withConditions([...ALL, hidden]);
  assert.ok(!isShownByPage(hidden, ALL, VALUES));
  assert.ok(isShownByPage(asking(null), ALL, VALUES));
});
