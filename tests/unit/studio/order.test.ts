import assert from "node:assert/strict";
import { test } from "node:test";
import { ordered } from "../../../edge/catenary_edge/studio/src/state/order.ts";

const named = { area: 1, height: 2, other: 3, volume: 4 };

test("what is declared comes in its order", () => {
  const names = ordered(named, ["volume", "height", "area", "other"]).map(([name]) => name);
  assert.deepEqual(names, ["volume", "height", "area", "other"]);
});

test("what is not declared comes last, as it came", () => {
  const names = ordered(named, ["volume"]).map(([name]) => name);
  assert.deepEqual(names, ["volume", "area", "height", "other"]);
});

test("a declared name that is missing leaves no gap", () => {
  assert.deepEqual(ordered({ height: 2 }, ["volume", "height"]), [["height", 2]]);
});
