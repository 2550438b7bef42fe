import assert from "node:assert/strict";
import { test } from "node:test";
import type { Camera } from "../../../edge/catenary_edge/studio/src/api/types.ts";
import { cameraOf, distanceFor, heightAt, poseOf, shownHeight, toModel, toView } from "../../../edge/catenary_edge/studio/src/state/camera.ts";

const camera = (given: Partial<Camera>): Camera => ({ position: [0, -10, 5], target: [0, 0, 5], up: [0, 0, 1], projection: "perspective", fov_degrees: 35, height: null, ...given });
const near = (found: readonly number[], wanted: readonly number[]) => found.forEach((one, axis) => assert.ok(Math.abs(one - wanted[axis]!) < 1e-9, `${found} is not ${wanted}`));

test("a place goes from Z up to Y up and back", () => {
  assert.deepEqual(toView([1, 2, 3]), [1, 3, -2]);
  assert.deepEqual(toModel(toView([1, 2, 3])), [1, 2, 3]);
  assert.ok(Object.is(toModel([0, 0, 0])[1], 0), "no negative zero goes into a comment");
});

test("a camera that is stored shows the same again", () => {
  const found = poseOf(cameraOf([4, 5, 6], [1, 2, 3], 35), 35)!;
  near(found.position, [4, 5, 6]);
  near(found.target, [1, 2, 3]);
});

test("another angle or projection keeps the height at the target", () => {
  const wide = poseOf(camera({ fov_degrees: 70 }), 35)!;
  near([wide.position[2]], [(10 * Math.tan((70 * Math.PI) / 360)) / Math.tan((35 * Math.PI) / 360)]);
  const parallel = poseOf(camera({ projection: "orthographic", height: 2 * Math.tan((35 * Math.PI) / 360) * 30 }), 35)!;
  near(parallel.position, [0, 5, 30]);
});

test("a camera at its own target has no pose", () => {
  assert.equal(poseOf(camera({ position: [1, 1, 1], target: [1, 1, 1] }), 35), null);
});

test("a change of projection keeps the size", () => {
  const height = heightAt(20, 35);
  near([distanceFor(height, 35)], [20]);
  const flat = cameraOf([0, 0, 20], [0, 0, 0], 35, height);
  assert.deepEqual([flat.projection, flat.fov_degrees], ["orthographic", null]);
  near([shownHeight(flat), shownHeight(cameraOf([0, 0, 20], [0, 0, 0], 35))], [height, height]);
  near(poseOf(flat, 35)!.position, [0, 0, 20]);
});

test("an orthographic camera is stored with its height", () => {
  const far = cameraOf([0, 0, 500], [0, 0, 0], 35, 3);
  near([heightAt(Math.hypot(...poseOf(far, 35)!.position), 35)], [3]);
  near([shownHeight(far)], [3]);
});
