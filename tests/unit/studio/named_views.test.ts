import assert from "node:assert/strict";
import { test } from "node:test";
import { NAMED_VIEWS, directionOf, nearestAngle } from "../../../edge/catenary_edge/studio/src/state/named_views.ts";

const seenFrom = (name: string) => directionOf(NAMED_VIEWS.find((one) => one.name === name)!).map((one) => Math.round(one * 1e9) / 1e9 + 0);

test("each named view looks from its own side, with Z up", () => {
  assert.deepEqual(seenFrom("front"), [0, -1, 0]);
  assert.deepEqual(seenFrom("back"), [0, 1, 0]);
  assert.deepEqual(seenFrom("left"), [-1, 0, 0]);
  assert.deepEqual(seenFrom("right"), [1, 0, 0]);
  assert.deepEqual(seenFrom("top"), [0, 0, 1]);
  assert.deepEqual(seenFrom("bottom"), [0, 0, -1]);
});

test("the isometric view shows the three axes at one length", () => {
  const lengths = seenFrom("isometric").map(Math.abs);
  assert.ok(lengths.every((one) => Math.abs(one - 1 / Math.sqrt(3)) < 1e-8));
});

test("the keys 1 to 7 choose the named views", () => {
  assert.deepEqual(NAMED_VIEWS.map((one) => one.key).join(""), "1234567");
});

test("a turn goes the short way", () => {
  assert.equal(nearestAngle(Math.PI / 2, 0), Math.PI / 2);
  assert.ok(Math.abs(nearestAngle(-Math.PI / 2, Math.PI) - 1.5 * Math.PI) < 1e-12);
  assert.ok(Math.abs(nearestAngle(0, 6.2) - 2 * Math.PI) < 1e-12);
});
