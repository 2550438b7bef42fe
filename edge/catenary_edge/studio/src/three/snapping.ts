// Places that are measured: an end of an edge near the pointer, else the point of the surface below it.
import * as THREE from "three";
import type { Point } from "../state/camera.ts";
import { edgesOf } from "./model.ts";
import { nearby } from "./nearby.ts";
import { hitAt, isHidden, type Sight } from "./places.ts";

/** Pixels within which an end of an edge is taken. */
const NEAR_PIXELS = 12;
/** Ends that are looked at whether the model hides them. */
const MOST_TESTED = 12;
/** Parts of the model's size up to which two ends are one. */
const SAME = 1e-6;

/** A place to measure from, in the view. */
export interface Snapped {
  place: Point;
  /** Whether it is the end of an edge. */
  isEnd: boolean;
}

/** Return what is meant by a point of the picture, in parts of its width and height; null beside the model. */
export function snap(sight: Sight, x: number, y: number, width: number, height: number): Snapped | null {
  const around = nearby(sight, x, y, NEAR_PIXELS / width, NEAR_PIXELS / height);
  for (const place of endsNear(sight, x, y, width, height)) {
    if (!isHidden(around, place, sight.size / 1000)) return { place, isEnd: true };
  }
  const hit = hitAt(around, x, y);
  return hit && { place: hit.place, isEnd: false };
}

/** Return the ends of edges and lines, and where a section cuts them, near a point of the picture, nearest first. */
function endsNear({ cameras, objects, cut, size }: Sight, x: number, y: number, width: number, height: number): Point[] {
  const { camera } = cameras;
  const seen = new THREE.Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
  const found = new Map<string, { pixels: number; place: Point }>();
  const step = size * SAME;
  const spot = new THREE.Vector4();
  const take = (place: THREE.Vector3) => {
    spot.set(place.x, place.y, place.z, 1).applyMatrix4(seen);
    if (spot.w <= 0) return; // behind the camera
    const pixels = Math.hypot(((spot.x / spot.w + 1) / 2 - x) * width, ((1 - spot.y / spot.w) / 2 - y) * height);
    if (pixels > NEAR_PIXELS) return;
    const point = place.toArray();
    found.set(point.map((one) => Math.round(one / step)).join(), { pixels, place: point }); // edges share their ends
  };
  const [start, end] = [new THREE.Vector3(), new THREE.Vector3()];
  for (const object of objects) {
    const lines = object instanceof THREE.LineSegments ? object : edgesOf(object);
    const positions = lines?.geometry.getAttribute("position");
    if (!lines || !positions) continue;
    const corners = object === lines ? lines.geometry.getIndex() : null;
    const placeOf = (at: number, place: THREE.Vector3) => place.fromBufferAttribute(positions, corners?.getX(at) ?? at).applyMatrix4(object.matrixWorld);
    for (let at = 0; at + 1 < (corners ?? positions).count; at += 2) {
      placeOf(at, start);
      placeOf(at + 1, end);
      const [before, after] = cut === null ? [0, 0] : [cut.distanceToPoint(start), cut.distanceToPoint(end)];
      if (before >= 0) take(start);
      if (after >= 0) take(end);
      if (before * after < 0) take(start.lerp(end, before / (before - after))); // a corner of a cut face
    }
  }
  const nearest = [...found.values()].sort((one, other) => one.pixels - other.pixels);
  return nearest.slice(0, MOST_TESTED).map((one) => one.place);
}
