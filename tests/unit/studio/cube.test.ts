import assert from "node:assert/strict";
import { test } from "node:test";
import type { Point } from "../../../edge/catenary_edge/studio/src/state/camera.ts";
import { FACES, REGIONS, directionTo, facing, isShown, neighbour, outlineOf, placeOf, squaresOf, textOf, type Place, type Region } from "../../../edge/catenary_edge/studio/src/state/cube.ts";
import { NAMED_VIEWS, directionOf, type Direction } from "../../../edge/catenary_edge/studio/src/state/named_views.ts";

const named = (name: string): Region => REGIONS.find((one) => one.name === name)!;
const rounded = (values: readonly number[]) => values.map((one) => Math.round(one * 1e9) / 1e9 + 0);

/** The model's axes as a camera of a direction shows them: right, up and towards the viewer. */
function axesFrom({ azimuth, polar }: Direction): Point[] {
  const right: Point = [Math.cos(azimuth), Math.sin(azimuth), 0];
  const near: Point = directionOf({ azimuth, polar });
  const up: Point = [-Math.cos(polar) * Math.sin(azimuth), Math.cos(polar) * Math.cos(azimuth), Math.sin(polar)];
  return [0, 1, 2].map((axis): Point => [right[axis]!, up[axis]!, near[axis]!]);
}
const view = (name: string) => axesFrom(NAMED_VIEWS.find((one) => one.name === name)!);

test("the cube has six faces, twelve edges and eight corners", () => {
  assert.equal(REGIONS.length, 26);
  assert.deepEqual(FACES.map((one) => one.name).sort(), ["back", "bottom", "front", "left", "right", "top"]);
  assert.equal(new Set(REGIONS.map((one) => one.name)).size, 26);
  assert.deepEqual(named("top front right").sides, [1, -1, 1]);
});

test("a face looks as the named view of its name", () => {
  for (const face of FACES) {
    const { azimuth, polar } = NAMED_VIEWS.find((one) => one.name === face.name)!;
    assert.deepEqual(rounded([directionTo(face).azimuth, directionTo(face).polar]), rounded([azimuth, polar]), face.name);
  }
  const { azimuth, polar } = NAMED_VIEWS.find((one) => one.name === "isometric")!;
  assert.deepEqual(rounded(Object.values(directionTo(named("top front right")))), rounded([azimuth, polar]));
});

test("each region turns to where it faces the viewer", () => {
  for (const region of REGIONS) {
    const length = Math.hypot(...region.sides);
    assert.deepEqual(rounded(directionOf(directionTo(region))), rounded(region.sides.map((one) => one / length)), region.name);
    assert.equal(facing(axesFrom(directionTo(region))).name, region.name);
  }
});

test("a face seen from its side is a square with its rim around", () => {
  const axes = view("front");
  assert.deepEqual(REGIONS.filter((one) => isShown(one, axes)).length, 9);
  const [square] = squaresOf(named("front"), axes);
  assert.ok(square!.every(([x, y]) => Math.abs(Math.abs(x) - 0.58) < 1e-9 && Math.abs(Math.abs(y) - 0.58) < 1e-9));
  assert.deepEqual(outlineOf(named("front"), axes).map(rounded), [[-1, 1], [1, 1], [1, -1], [-1, -1]]);
  assert.deepEqual(squaresOf(named("back"), axes), []);
});

test("the squares of what is seen cover the faces without overlap", () => {
  const area = (corners: readonly Place[]) => Math.abs(corners.reduce((sum, [x, y], at) => sum + x * corners[(at + 1) % 4]![1] - corners[(at + 1) % 4]![0] * y, 0)) / 2;
  const axes = axesFrom({ azimuth: 0.6, polar: 1.1 });
  const squares = REGIONS.flatMap((one) => squaresOf(one, axes)).reduce((sum, one) => sum + area(one), 0);
  const faces = FACES.filter((one) => isShown(one, axes)).reduce((sum, one) => sum + area(outlineOf(one, axes)), 0);
  assert.ok(Math.abs(squares - faces) < 1e-9);
});

test("words on a face are read from its view, never mirrored", () => {
  for (const face of FACES) {
    const { along, down, middle } = textOf(face, axesFrom(directionTo(face)));
    assert.deepEqual([along, down, middle].map(rounded), [[1, 0], [0, 1], [0, 0]], face.name);
  }
});

test("X goes right and Z up on the cube seen from the front", () => {
  assert.deepEqual(rounded(placeOf([1, 0, 0], view("front"))), [1, 0]);
  assert.deepEqual(rounded(placeOf([0, 0, 1], view("front"))), [0, -1]);
  assert.deepEqual(rounded(placeOf([0, 1, 0], view("top"))), [0, -1]);
});

test("arrow keys go to the region beside, and nowhere over the rim", () => {
  const axes = view("front");
  assert.equal(neighbour(named("front"), [1, 0], axes)?.name, "front right");
  assert.equal(neighbour(named("front"), [0, -1], axes)?.name, "top front");
  assert.equal(neighbour(named("top front"), [1, 0], axes)?.name, "top front right");
  assert.equal(neighbour(named("front right"), [1, 0], axes), null);
  const turned = view("isometric");
  assert.equal(neighbour(named("front"), [1, 0], turned)?.name, "front right");
  assert.equal(neighbour(named("front right"), [1, 0], turned)?.name, "right");
});

test("every region that is seen can be reached by arrows", () => {
  const axes = axesFrom({ azimuth: 0.6, polar: 1.1 });
  const reached = new Set([facing(axes)]);
  for (const from of reached) {
    for (const arrow of [[1, 0], [-1, 0], [0, 1], [0, -1]] as const) {
      const next = neighbour(from, arrow, axes);
      if (next) reached.add(next);
    }
  }
  assert.equal(reached.size, REGIONS.filter((one) => isShown(one, axes)).length);
});
