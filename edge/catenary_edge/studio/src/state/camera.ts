// Places and cameras: the platform has Z up, as models give it, and the view Y up, as glTF has it.
import type { Camera } from "../api/types.ts";

export type Point = readonly [number, number, number];
export type Projection = Camera["projection"];

/** Return a place of the view as the model gives it. */
export function toModel([x, y, z]: Point): Point {
  return [x, negated(z), y];
}

/** Return a place of a model as it is in the view. */
export function toView([x, y, z]: Point): Point {
  return [x, z, negated(y)];
}

function negated(value: number): number {
  return value === 0 ? 0 : -value;
}

/** Return the height that a perspective camera shows at a distance. */
export function heightAt(distance: number, fovDegrees: number): number {
  return 2 * distance * Math.tan((fovDegrees * Math.PI) / 360);
}

/** Return the distance at which a perspective camera shows a height. */
export function distanceFor(height: number, fovDegrees: number): number {
  return height / heightAt(1, fovDegrees);
}

/**
 * What the view's own camera shows: where it is and looks, in the coordinates of the model, with its angle; with a height it is
 * an orthographic one.
 */
export function cameraOf(position: Point, target: Point, fovDegrees: number, height: number | null = null): Camera {
  const lens = height === null ? ({ projection: "perspective", fov_degrees: fovDegrees, height: null } as const) : ({ projection: "orthographic", fov_degrees: null, height } as const);
  return { position: [...toModel(position)], target: [...toModel(target)], up: [0, 0, 1], ...lens };
}

const DEFAULT_FOV = 35;

/** Return the height that a camera shows at its target. */
export function shownHeight(camera: Camera): number {
  if (camera.projection === "orthographic" && camera.height !== null) return camera.height;
  return heightAt(Math.hypot(...camera.position.map((one, axis) => one - camera.target[axis]!)), camera.fov_degrees ?? DEFAULT_FOV);
}

/**
 * Return where the view's camera, with its own angle, shows at the target what another camera shows there; null for a camera
 * without a place of its own.
 */
export function poseOf(camera: Camera, fovDegrees: number): { position: Point; target: Point } | null {
  const [position, target] = [camera.position, camera.target].map((one) => toView(one as unknown as Point)) as [Point, Point];
  const away = position.map((one, axis) => one - target[axis]!);
  const distance = Math.hypot(...away);
  if (!(distance > 0)) return null;
  const scale = distanceFor(shownHeight(camera), fovDegrees) / distance;
  return { position: target.map((one, axis) => one + away[axis]! * scale) as unknown as Point, target };
}
