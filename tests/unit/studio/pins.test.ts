// Pinned designs side by side.
import assert from "node:assert/strict";
import { test } from "node:test";
import { sideBySide } from "../../../edge/catenary_edge/studio/src/state/pins.ts";
import { evaluation, parameter } from "./parameters.ts";

const PARAMETERS = [parameter("width", { unit: "m" }), parameter("braced", { type: "boolean", default: true })];

test("designs stand side by side in the declared order, each against the first", () => {
  const designs = [
    { name: "Pinned 1", outcome: evaluation({ parameters: { braced: true, width: 4 }, metrics: { area: { value: 16, unit: "m²" }, mass: { value: 8, unit: "kg" } } }) },
    { name: "Now", outcome: evaluation({ parameters: { braced: true, width: 3 }, metrics: { mass: { value: 6, unit: "kg" }, area: { value: 9, unit: "ft²" }, sag: { value: 1, unit: "mm" } } }) },
  ];
  const found = sideBySide(designs, PARAMETERS, ["mass", "area"]);
  assert.deepEqual(found.variants, [{ name: "Pinned 1" }, { name: "Now" }]);
  assert.deepEqual(found.parameters, [
    { name: "width", differs: true, items: [{ value: 4, unit: "m", difference: 0 }, { value: 3, unit: "m", difference: -1 }] },
    { name: "braced", differs: false, items: [{ value: true, unit: null, difference: null }, { value: true, unit: null, difference: null }] },
  ]);
  assert.deepEqual(
    found.metrics.map(({ name, differs, items }) => [name, differs, items.map((one) => one.difference)]),
    [["mass", true, [0, -2]], ["area", true, [0, null]], ["sag", true, [null, null]]],
  );
});
