// Places and cameras: the platform has Z up, as models give it, and the view Y up, as glTF has it.
import type { Camera } from "../api/types.ts";

export type Point = readonly [number, number, number];

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

/** What the view's own camera shows: where it is and looks, in the coordinates of the model, with its angle. */
export function cameraOf(position: Point, target: Point, fovDegrees: number): Camera {
  return { position: [...toModel(position)], target: [...toModel(target)], up: [0, 0, 1], projection: "perspective", fov_degrees: fovDegrees, height: null };
}

const DEFAULT_FOV = 35;

/**
 * Return where the view's camera, with its own angle, shows at the target what another camera shows there; null for a camera
 * without a place of its own.
 */
export function poseOf(camera: Camera, fovDegrees: number): { position: Point; target: Point } | null {
  const [position, target] = [camera.position, camera.target].map((one) => toView(one as unknown as Point)) as [Point, Point];
  const away = position.map((one, axis) => one - target[axis]!);
  const distance = Math.hypot(...away);
  if (!(distance > 0)) return null;
  const half = (degrees: number) => Math.tan((degrees * Math.PI) / 360);
  const height = camera.projection === "orthographic" && camera.height !== null ? camera.height / 2 : distance * half(camera.fov_degrees ?? DEFAULT_FOV);
  const scale = height / half(fovDegrees) / distance;
  return { position: target.map((one, axis) => one + away[axis]! * scale) as unknown as Point, target };
}
