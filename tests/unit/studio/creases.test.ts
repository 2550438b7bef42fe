import assert from "node:assert/strict";
import { test } from "node:test";
import { creasesOf, type Mesh } from "../../../edge/catenary_edge/studio/src/state/creases.ts";

type Place = readonly [number, number, number];

/** A box of a size whose faces have n by n squares, each face with vertices of its own. */
function box(n: number, size = 1): Mesh {
  const [positions, indices]: [number[], number[]] = [[], []];
  for (const axis of [0, 1, 2]) {
    for (const side of [0, 1]) {
      const first = positions.length / 3;
      for (let i = 0; i <= n; i += 1) {
        for (let j = 0; j <= n; j += 1) {
          const place = [0, 0, 0];
          [place[axis], place[(axis + 1) % 3], place[(axis + 2) % 3]] = [side * size, (i / n) * size, (j / n) * size];
          positions.push(...place);
        }
      }
      for (let i = 0; i < n; i += 1) {
        for (let j = 0; j < n; j += 1) {
          const [a, b] = [first + i * (n + 1) + j, first + (i + 1) * (n + 1) + j];
          const corners = [a, b, b + 1, a, b + 1, a + 1];
          indices.push(...(side === 1 ? corners : corners.reverse()));
        }
      }
    }
  }
  return { positions: new Float32Array(positions), indices: new Uint32Array(indices) };
}

/** A prism around a circle of n sides, without its ends. */
function tube(n: number): Mesh {
  const positions = Array.from({ length: n }, (_, at) => (2 * Math.PI * at) / n).flatMap((turn) => [0, 1].flatMap((z) => [Math.cos(turn), Math.sin(turn), z]));
  const indices = Array.from({ length: n }, (_, at) => [2 * at, 2 * ((at + 1) % n)]).flatMap(([one, next]) => [one!, next!, next! + 1, one!, next! + 1, one! + 1]);
  return { positions: new Float32Array(positions), indices: new Uint16Array(indices) };
}

function linesOf(found: Float32Array | null): [Place, Place][] {
  assert.ok(found);
  return Array.from({ length: found.length / 6 }, (_, at) => {
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = found.slice(at * 6, at * 6 + 6);
    return [[a, b, c], [d, e, f]];
  });
}
const lengthOf = ([from, to]: [Place, Place]) => Math.hypot(...from.map((one, axis) => one - to[axis]!));
const ends = (lines: readonly [Place, Place][]) => new Set(lines.flat().map((one) => one.map((value) => value.toFixed(6)).join()));

test("a box has twelve edges however finely it is cut", () => {
  for (const n of [1, 2, 7, 40]) {
    const lines = linesOf(creasesOf(box(n)));
    assert.equal(lines.length, 12, `${n}`);
    assert.ok(lines.every((one) => Math.abs(lengthOf(one) - 1) < 1e-6));
    assert.equal(ends(lines).size, 8);
  }
});

test("edges are found in models of any size", () => {
  for (const size of [1e-4, 1e5]) assert.equal(linesOf(creasesOf(box(3, size))).length, 12);
});

test("faces that meet at thirty degrees or less have no edge", () => {
  assert.equal(linesOf(creasesOf(tube(13))).length, 2 * 13);
  assert.equal(linesOf(creasesOf(tube(11))).length, 3 * 11);
});

test("the round end of a surface keeps the corners of its polygon", () => {
  const lines = linesOf(creasesOf(tube(360)));
  assert.equal(ends(lines).size, 2 * 360);
});

test("a triangle without an area, and an empty mesh, have no edges", () => {
  assert.deepEqual(creasesOf({ positions: new Float32Array(9), indices: new Uint8Array([0, 1, 2]) }), new Float32Array());
  assert.deepEqual(creasesOf({ positions: new Float32Array(), indices: new Uint8Array() }), new Float32Array());
});

test("more edges than are wanted give none", () => {
  assert.equal(creasesOf(box(2), 11), null);
  assert.equal(linesOf(creasesOf(box(2), 12)).length, 12);
});

test("a million triangles take seconds, not minutes", () => {
  const mesh = box(289);
  const began = performance.now();
  assert.equal(linesOf(creasesOf(mesh)).length, 12);
  const seconds = (performance.now() - began) / 1000;
  assert.ok(mesh.indices.length / 3 > 1_000_000);
  assert.ok(seconds < 20, `${seconds} s`);
});
