import assert from "node:assert/strict";
import { test } from "node:test";
import type { Parameter } from "../../../edge/catenary_edge/studio/src/api/types.ts";
import { atPlace, changedFrom, coordinatesOf, defaultsOf, fitting, grouped, isSlider, placeOf, placesOf, readEntry, stepOf, withCoordinate } from "../../../edge/catenary_edge/studio/src/state/values.ts";
import { parameter } from "./parameters.ts";

const width = parameter("width", { min: 15, max: 80, step: 0.5, default: 36, unit: "m", group: "Plan" });
const sides = parameter("sides", { type: "integer", min: 3, max: 12, default: 5, group: "Plan" });
const name = parameter("name", { type: "string", default: "Tower" });

test("an entry takes a decimal comma and a unit", () => {
  assert.equal(readEntry("3,6", width), 3.6);
  assert.equal(readEntry(" 3.6 m ", width), 3.6);
  assert.equal(readEntry("-1e3", width), -1000);
  assert.deepEqual(readEntry("12 ft", width), { value: 12, unit: "ft" });
});

test("an entry that is no number is none", () => {
  for (const text of ["", "m", "1.2.3", "1,234,5", "NaN", "1e999", "--1"]) {
    const found = readEntry(text, sides);
    assert.equal(found, undefined, text);
  }
  assert.equal(readEntry("3 ft", sides), undefined, "a unit where the parameter has none");
});

test("the places of a slider are the steps of its parameter", () => {
  assert.equal(placesOf(width), 130);
  assert.equal(atPlace(width, 0), 15);
  assert.equal(atPlace(width, 1), 15.5);
  assert.equal(atPlace(width, 130), 80);
  assert.equal(placeOf(width, 36), 42);
  assert.equal(placesOf(sides), 9);
});

test("steps of tenths give values without noise", () => {
  const height = parameter("height", { min: 2.8, max: 5, step: 0.1, default: 3.6 });
  const values = Array.from({ length: placesOf(height) + 1 }, (_, place) => atPlace(height, place));
  assert.equal(values.length, 23);
  assert.deepEqual(values.slice(0, 4), [2.8, 2.9, 3, 3.1]);
  assert.equal(values.at(-1), 5);
});

test("a range that its step does not fill ends at the last step", () => {
  const panels = parameter("panels", { type: "integer", min: 4, max: 19, step: 2, default: 8 });
  assert.equal(atPlace(panels, placesOf(panels)), 18);
});

test("a range without a step reaches both its ends", () => {
  const free = parameter("free", { min: 0.25, max: 7.3, default: 1 });
  assert.equal(stepOf(free), 0.01);
  assert.equal(atPlace(free, placesOf(free)), 7.3);
});

test("only numbers with both bounds are sliders", () => {
  assert.ok(isSlider(width));
  assert.ok(!isSlider(name));
  assert.ok(!isSlider({ ...width, max: null }));
});

test("only values off their defaults are sent", () => {
  const all: Parameter[] = [width, sides, name];
  assert.deepEqual(changedFrom(all, defaultsOf(all)), {});
  assert.deepEqual(changedFrom(all, { ...defaultsOf(all), sides: 6, unknown: 1 }), { sides: 6 });
});

test("groups keep the order of the parameters", () => {
  const found = [...grouped([name, width, sides])].map(([group, members]) => [group, members.map((one) => one.name)]);
  assert.deepEqual(found, [["", ["name"]], ["Plan", ["width", "sides"]]]);
});

test("a coordinate is entered as a number in the unit of its point", () => {
  assert.deepEqual(withCoordinate([0, 1, 2], 1, "3,5", "m"), [0, 3.5, 2]);
  assert.deepEqual(withCoordinate([0, 1, 2], 2, "-4 m", "m"), [0, 1, -4]);
  for (const text of ["", "wide", "4 ft"]) assert.equal(withCoordinate([0, 1, 2], 0, text, "m"), undefined, text);
  for (const value of ["no point", { value: [1, 2, 3], unit: "ft" }]) assert.equal(withCoordinate(value, 0, "1", "m"), undefined);
  assert.deepEqual(coordinatesOf({ value: [1, 2, 3], unit: "ft" }), [1, 2, 3]);
  assert.deepEqual(coordinatesOf([1, 2]), []);
});

test("values that another version does not take are left out", () => {
  const grade = parameter("grade", { type: "choice", default: "S355", choices: ["S235", "S355"] });
  const all = [width, sides, name, grade, parameter("at", { type: "point", default: [0, 0, 0], unit: "m" })];
  const good = { width: 15.5, sides: 3, name: "x", grade: "S235", at: [1, 2, 3] };
  assert.deepEqual(fitting(all, { ...good, gone: 1 }), good);
  assert.deepEqual(fitting(all, { width: { value: 60, unit: "ft" } }), { width: { value: 60, unit: "ft" } });
  assert.deepEqual(fitting(all, { width: 15.2, sides: 3.5, name: true, grade: "S460", at: 1 }), {});
  assert.deepEqual(fitting(all, { width: 80.5, sides: 2 }), {});
  assert.deepEqual(fitting([parameter("file", { type: "file", default: null })], { file: "id" }), { file: "id" });
});
