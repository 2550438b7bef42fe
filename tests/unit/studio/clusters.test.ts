import assert from "node:assert/strict";
import { test } from "node:test";
import { clustered, type Mesh } from "../../../edge/catenary_edge/studio/src/state/clusters.ts";

/** A sphere of radius 1 about (5, 0, 0), of 2 × rings × sectors triangles. */
function sphere(rings: number, sectors: number): Mesh {
  const positions = new Float32Array((rings + 1) * sectors * 3);
  const indices = new Uint32Array(rings * sectors * 6);
  for (let ring = 0; ring <= rings; ring += 1) {
    for (let sector = 0; sector < sectors; sector += 1) {
      const [polar, turn] = [(Math.PI * ring) / rings, (2 * Math.PI * sector) / sectors];
      positions.set([5 + Math.sin(polar) * Math.cos(turn), Math.sin(polar) * Math.sin(turn), Math.cos(polar)], (ring * sectors + sector) * 3);
    }
  }
  for (let ring = 0, at = 0; ring < rings; ring += 1) {
    for (let sector = 0; sector < sectors; sector += 1, at += 6) {
      const [a, b] = [ring * sectors + sector, ring * sectors + ((sector + 1) % sectors)];
      indices.set([a, a + sectors, b, b, a + sectors, b + sectors], at);
    }
  }
  return { positions, indices };
}

test("a small mesh stays as it is", () => {
  const small = sphere(4, 8);
  assert.equal(clustered(small, 100), small);
});

test("a large mesh keeps its shape with few triangles", () => {
  const found = clustered(sphere(500, 1000), 20_000);
  const triangles = found.indices.length / 3;
  assert.ok(triangles > 20_000 / 4 && triangles < 30_000, String(triangles));
  for (let at = 0; at < found.positions.length; at += 3) {
    const [x = 0, y = 0, z = 0] = found.positions.slice(at, at + 3);
    const radius = Math.hypot(x - 5, y, z);
    assert.ok(radius > 0.98 && radius < 1.001, String(radius));
  }
  assert.ok(Math.max(...found.indices) < found.positions.length / 3);
});

test("thin parts do not vanish", () => {
  const { positions, indices } = sphere(200, 300);
  for (let at = 0; at < positions.length; at += 3) positions[at] = 5 + (positions[at]! - 5) * 100; // a needle
  const triangles = clustered({ positions, indices }, 5000).indices.length / 3;
  assert.ok(triangles > 500 && triangles < 7500, String(triangles));
});

test("a mesh within one point has no triangles", () => {
  const found = clustered({ positions: new Float32Array(9), indices: new Uint32Array([0, 1, 2, 0, 1, 2]) }, 1);
  assert.equal(found.indices.length, 0);
});
