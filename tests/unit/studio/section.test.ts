import assert from "node:assert/strict";
import { test } from "node:test";
import type { Point } from "../../../edge/catenary_edge/studio/src/state/camera.ts";
import { Section, rangeOf, type Box } from "../../../edge/catenary_edge/studio/src/state/section.ts";

const BOX: Box = { min: [-10, 0, 0], max: [10, 30, 100] };
const ABOVE: Point = [0, 0, 1];
const near = (found: readonly number[], wanted: readonly number[]) => found.forEach((one, axis) => assert.ok(Math.abs(one - wanted[axis]!) < 1e-9, `${found} is not ${wanted}`));

function cut(axis: "x" | "y" | "z" | "view", look: Point = ABOVE): Section {
  const section = new Section();
  section.along(axis, look);
  return section;
}

test("a box has its range along every direction", () => {
  assert.deepEqual(rangeOf(BOX, [0, 1, 0]), [0, 30]);
  near(rangeOf(BOX, [Math.SQRT1_2, 0, Math.SQRT1_2]), [-10 * Math.SQRT1_2, 110 * Math.SQRT1_2]);
});

test("a section begins in the middle and cuts away what is nearer", () => {
  assert.deepEqual(cut("z").plane(BOX), { point: [0, 15, 50], normal: [0, 0, 1] });
  assert.deepEqual(cut("y", [0.6, -0.8, 0]).plane(BOX), { point: [0, 15, 50], normal: [0, -1, 0] });
});

test("a section is put anywhere in the model, and turned", () => {
  const section = cut("x");
  section.slide(0.25, BOX);
  assert.equal(section.place(BOX), -5);
  section.flip();
  assert.deepEqual(section.plane(BOX), { point: [-5, 15, 50], normal: [-1, 0, 0] });
  assert.equal(section.place(BOX), -5);
});

test("a section keeps its place in a model that grows", () => {
  const section = cut("z");
  section.slide(0.8, BOX);
  assert.equal(section.place({ ...BOX, max: [10, 30, 200] }), 80);
  assert.equal(section.part({ ...BOX, max: [10, 30, 200] }), 0.4);
  assert.equal(section.place({ ...BOX, max: [10, 30, 60] }), 60);
  assert.equal(section.place(BOX), 80, "it comes back");
});

test("a section as one looks lies across the direction of view", () => {
  const look: Point = [0.6, -0.8, 0];
  const section = cut("view", look);
  const { normal, point } = section.plane(BOX);
  near(normal, look);
  near(point, [0, 15, 50]);
  section.slide(1, BOX);
  near([section.shownPlace(BOX)], [0]);
  section.slide(0, BOX);
  near([section.shownPlace(BOX)], [2 * (0.6 * 10 + 0.8 * 15)]);
});

test("a place is typed, and goes no farther than the model", () => {
  const section = cut("z");
  section.put(12.5, BOX);
  assert.equal(section.place(BOX), 12.5);
  section.put(500, BOX);
  assert.equal(section.place({ ...BOX, max: [10, 30, 1000] }), 100);
  const across = cut("view", [0, 1, 0]);
  across.put(7, BOX);
  assert.equal(across.place(BOX), 23);
  assert.equal(across.shownPlace(BOX), 7);
});

test("a flat model has one place for a section", () => {
  const flat: Box = { min: [0, 0, 5], max: [1, 1, 5] };
  assert.equal(cut("z").part(flat), 0);
  assert.equal(cut("z").place(flat), 5);
});

test("a saved section comes back with its axis and side", () => {
  const section = cut("y");
  const wanted = [
    ["x", { point: [3, 99, 1], normal: [-2, 0, 0] }, { point: [3, 15, 50], normal: [-1, 0, 0] }],
    ["z", { point: [0, 0, 20], normal: [0, 0, 1] }, { point: [0, 15, 20], normal: [0, 0, 1] }],
    ["view", { point: [0, 15, 50], normal: [0.6, -0.8, 0] }, { point: [0, 15, 50], normal: [0.6, -0.8, 0] }],
  ] as const;
  for (const [axis, plane, shown] of wanted) {
    section.restore(plane);
    const { point, normal } = section.plane(BOX);
    assert.equal(section.axis, axis);
    near(point, shown.point);
    near(normal, shown.normal);
  }
});
