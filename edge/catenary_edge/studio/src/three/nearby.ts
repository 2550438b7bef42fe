// What of very large parts is near a point of the picture: rays through that point then meet hundreds of triangles, not millions.
import * as THREE from "three";
import type { Drawn } from "./model.ts";
import type { Sight } from "./places.ts";

/** Triangles up to which a part is taken as it is. */
const FEW = 20_000;
/** Sides of the window on which a vertex lies. */
const [LEFT, RIGHT, BELOW, ABOVE] = [1, 2, 4, 8];

/** Return a sight with the triangles alone that meet a window of the picture around a point; all are parts of its width and height. */
export function nearby(sight: Sight, x: number, y: number, wide: number, high: number): Sight {
  const { camera } = sight.cameras;
  const seen = new THREE.Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
  const window = { left: 2 * (x - wide) - 1, right: 2 * (x + wide) - 1, low: 1 - 2 * (y + high), top: 1 - 2 * (y - high) };
  return { ...sight, objects: sight.objects.map((object) => thinned(object, seen, window)) };
}

interface Window {
  left: number;
  right: number;
  low: number;
  top: number;
}

/** Return a stand-in of a large mesh whose triangles are those that may meet the window. */
function thinned(object: Drawn, seen: THREE.Matrix4, window: Window): Drawn {
  const corners = object.geometry.getIndex()?.array;
  if (!(object instanceof THREE.Mesh) || corners === undefined || corners.length / 3 <= FEW) return object;
  const positions = object.geometry.getAttribute("position");
  const sides = sidesOf(positions.array as Float32Array, new THREE.Matrix4().multiplyMatrices(seen, object.matrixWorld).elements, window);
  const near: number[] = [];
  for (let at = 0; at < corners.length; at += 3) {
    const [a, b, c] = [corners[at]!, corners[at + 1]!, corners[at + 2]!];
    if ((sides[a]! & sides[b]! & sides[c]!) === 0) near.push(a, b, c);
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", positions);
  geometry.setIndex(new THREE.BufferAttribute(Uint32Array.from(near), 1));
  if (object.geometry.boundingSphere === null) object.geometry.computeBoundingSphere();
  geometry.boundingSphere = object.geometry.boundingSphere; // else it would be that of all vertices, reckoned anew
  const found = new THREE.Mesh(geometry, object.material);
  found.name = object.name;
  found.matrixWorld.copy(object.matrixWorld);
  return found;
}

/** Return for each vertex the sides of the window on which it lies; one behind the camera lies on none. */
function sidesOf(positions: Float32Array, by: readonly number[], { left, right, low, top }: Window): Uint8Array {
  const [m0, m4, m8, m12] = [by[0]!, by[4]!, by[8]!, by[12]!];
  const [m1, m5, m9, m13] = [by[1]!, by[5]!, by[9]!, by[13]!];
  const [m3, m7, m11, m15] = [by[3]!, by[7]!, by[11]!, by[15]!];
  const sides = new Uint8Array(positions.length / 3);
  for (let vertex = 0, at = 0; vertex < sides.length; vertex += 1, at += 3) {
    const [east, up, south] = [positions[at]!, positions[at + 1]!, positions[at + 2]!];
    const depth = m3 * east + m7 * up + m11 * south + m15;
    if (depth <= 0) continue;
    const x = m0 * east + m4 * up + m8 * south + m12;
    const y = m1 * east + m5 * up + m9 * south + m13;
    sides[vertex] = (x < left * depth ? LEFT : 0) | (x > right * depth ? RIGHT : 0) | (y < low * depth ? BELOW : 0) | (y > top * depth ? ABOVE : 0);
  }
  return sides;
}
