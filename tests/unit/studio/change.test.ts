import assert from "node:assert/strict";
import { test } from "node:test";
import { changeOf } from "../../../edge/catenary_edge/studio/src/state/change.ts";

const mass = (value: number | null, unit: string | null = "kg") => ({ value, unit });

test("a change is told in its unit and in percent of the earlier value", () => {
  assert.equal(changeOf(mass(330), mass(300)), "+30 (+10 %)");
  assert.equal(changeOf(mass(270), mass(300)), "-30 (-10 %)");
  assert.equal(changeOf(mass(-330), mass(-300)), "-30 (-10 %)", "of a negative value");
});

test("a change has three digits", () => {
  assert.equal(changeOf(mass(25768), mass(25235.82)), "+532 (+2.1 %)");
});

test("very small and very large shares are not told in figures", () => {
  assert.equal(changeOf(mass(100.01), mass(100)), "under 0.1 %");
  assert.equal(changeOf(mass(5000), mass(1)), "+5\u2009000 (over 1000 %)");
});

test("a change from zero has no percent", () => {
  assert.equal(changeOf(mass(5), mass(0)), "+5");
});

test("what is equal or can't be compared has no change", () => {
  assert.equal(changeOf(mass(300), mass(300)), "");
  assert.equal(changeOf(mass(0.1 + 0.2), mass(0.3)), "", "noise of binary fractions");
  assert.equal(changeOf(mass(300), undefined), "");
  assert.equal(changeOf(mass(null), mass(300)), "");
  assert.equal(changeOf(mass(300, "t"), mass(300, "kg")), "");
});
