import assert from "node:assert/strict";
import { test } from "node:test";
import { Dimensions, distanceOf } from "../../../edge/catenary_edge/studio/src/state/dimensions.ts";
import { isSameGeometry } from "../../../edge/catenary_edge/studio/src/state/geometry_files.ts";
import { lengthText, readLength, savedUnit } from "../../../edge/catenary_edge/studio/src/state/lengths.ts";

test("a distance has its parts along the axes", () => {
  assert.deepEqual(distanceOf([1, 2, 3], [4, 6, 3]), { distance: 5, dx: 3, dy: 4, dz: 0 });
  assert.deepEqual(distanceOf([0, 0, 10], [0, 0, -2]), { distance: 12, dx: 0, dy: 0, dz: -12 });
});

test("noise of 32-bit numbers is no length", () => {
  assert.equal(lengthText(1e-5, "m", 100), "0 m");
  assert.equal(lengthText(-1e-17, "mm", 1), "0 mm");
  assert.equal(lengthText(-0, null, 5), "0 m");
  assert.equal(lengthText(1e-5, "m", 1e-3), "1.000 × 10^-5 m");
});

test("a length is told in the unit of the model", () => {
  assert.equal(lengthText(0.35, "mm"), "350 mm");
  assert.equal(lengthText(172.8, "m"), "172.8 m");
  assert.equal(lengthText(0.3048, "ft"), "1 ft");
  assert.equal(lengthText(12.5, "mm"), "12\u2009500 mm");
  assert.equal(lengthText(2e-6, "um"), "2 µm");
});

test("without a known unit a length is in metres or millimetres", () => {
  assert.equal(lengthText(0.35, null), "350 mm");
  assert.equal(lengthText(-3.6, null), "-3.6 m");
  assert.equal(lengthText(1, "furlong"), "1 m");
  assert.equal(lengthText(0.35, null, 12), "0.35 m", "the parts of a distance are in its unit");
});

test("a view is saved with the unit that is shown", () => {
  assert.deepEqual([savedUnit("ft", 10), savedUnit(null, 10), savedUnit(null, 0.2)], ["ft", "m", "mm"]);
  assert.equal(savedUnit("km", 1e4), "m", "views have no such unit");
});

test("a typed length is in the shown unit or its own", () => {
  const metres = (text: string, unit: string | null = "mm") => readLength(text, unit, 10);
  assert.equal(metres("2,5", "m"), 2.5);
  assert.equal(metres("-12\u2009500 mm", "m"), -12.5);
  assert.equal(metres(" 3 m "), 3);
  assert.equal(metres("250"), 0.25);
  assert.equal(metres("4", null), 4);
  for (const text of ["", "m", "2 furlongs", "1.2.3", "two", "1e3"]) assert.equal(metres(text), undefined, text);
});

test("two clicks make a dimension", () => {
  let changes = 0;
  const dimensions = new Dimensions(() => (changes += 1));
  dimensions.click([0, 0, 0]);
  assert.equal(dimensions.list.length, 0);
  dimensions.click([0, 0, 0]);
  assert.equal(dimensions.list.length, 0, "a place has no distance to itself");
  dimensions.click([0, 0, 7]);
  assert.deepEqual(dimensions.list, [{ id: 1, from: [0, 0, 0], to: [0, 0, 7], isEarlier: false }]);
  assert.equal(dimensions.from, null);
  assert.equal(changes, 3);
});

test("a first place is given up", () => {
  const dimensions = new Dimensions();
  dimensions.click([0, 0, 0]);
  dimensions.cancel();
  dimensions.click([1, 0, 0]);
  assert.equal(dimensions.list.length, 0);
});

test("dimensions are removed singly and all", () => {
  const dimensions = new Dimensions();
  for (const at of [1, 2, 3]) {
    dimensions.click([0, 0, 0]);
    dimensions.click([at, 0, 0]);
  }
  dimensions.remove(2);
  assert.deepEqual(dimensions.list.map((one) => one.id), [1, 3]);
  dimensions.clear();
  assert.deepEqual(dimensions.list, []);
});

test("another geometry makes dimensions those of an earlier design", () => {
  const dimensions = new Dimensions();
  dimensions.click([0, 0, 0]);
  dimensions.click([1, 0, 0]);
  dimensions.click([2, 0, 0]);
  dimensions.age();
  assert.equal(dimensions.from, null);
  dimensions.click([0, 0, 0]);
  dimensions.click([0, 1, 0]);
  assert.deepEqual(dimensions.list.map((one) => one.isEarlier), [true, false]);
});

test("a geometry is the same if all its bytes are", () => {
  const file = (name: string, ...bytes: number[]) => ({ name, file: new Uint8Array(bytes).buffer });
  assert.ok(isSameGeometry([file("a", 1, 2)], [file("a", 1, 2)]));
  assert.ok(!isSameGeometry([file("a", 1, 2)], [file("a", 1, 3)]));
  assert.ok(!isSameGeometry([file("a", 1, 2)], [file("b", 1, 2)]));
  assert.ok(!isSameGeometry([file("a", 1, 2)], [file("a", 1)]));
  assert.ok(!isSameGeometry([file("a", 1)], []));
});
