// The plane that cuts the model open: along an axis or as one looks, at a place within the model.
import type { Point } from "./camera.ts";

/** A box along the axes of the model, in metres with Z up. */
export interface Box {
  min: Point;
  max: Point;
}

export type Axis = "x" | "y" | "z" | "view";

/** A plane as views of the platform keep it: the normal points to the side that is cut away. */
export interface Plane {
  point: Point;
  normal: Point;
}

const AXES: Readonly<Record<Exclude<Axis, "view">, Point>> = { x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1] };

/** The part of a direction that lies along an axis, above which it is that axis. */
const ALONG = 1 - 1e-9;

function dot(a: Point, b: Point): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

function scaled(a: Point, by: number): Point {
  return [a[0] * by, a[1] * by, a[2] * by];
}

/** Return from where to where a box goes along a direction of length 1. */
export function rangeOf({ min, max }: Box, direction: Point): readonly [number, number] {
  const middle = dot(direction, scaled([min[0] + max[0], min[1] + max[1], min[2] + max[2]], 0.5));
  const half = direction.reduce((sum, one, axis) => sum + (Math.abs(one) * (max[axis]! - min[axis]!)) / 2, 0);
  return [middle - half, middle + half];
}

/** Keeps where the model is cut; `changed` is called after each change. */
export class Section {
  axis: Axis = "z";
  private direction: Point = AXES.z;
  /** 1 where the side is cut away to which the direction points, else -1. */
  private side: 1 | -1 = 1;
  /** Where it was put along its direction, in metres; null for the middle of the model. */
  private wanted: number | null = null;

  constructor(private readonly changed: () => void = () => undefined) {}

  /** Cut through the middle along an axis, and away what is nearer to the viewer; `look` is the direction to the camera, of length 1. */
  along(axis: Axis, look: Point): void {
    this.axis = axis;
    this.direction = axis === "view" ? look : AXES[axis];
    this.side = dot(this.direction, look) < 0 ? -1 : 1;
    this.wanted = null;
    this.changed();
  }

  /** Put the plane where a view keeps it, with the same side cut away. */
  restore({ point, normal }: Plane): void {
    const away = scaled(normal, 1 / Math.hypot(...normal));
    const axis = (["x", "y", "z"] as const).find((one) => Math.abs(dot(AXES[one], away)) > ALONG);
    this.axis = axis ?? "view";
    this.direction = axis === undefined ? away : AXES[axis];
    this.side = dot(this.direction, away) < 0 ? -1 : 1;
    this.wanted = dot(point, this.direction);
    this.changed();
  }

  flip(): void {
    this.side = this.side === 1 ? -1 : 1;
    this.changed();
  }

  /** Put the plane at a part of its range, from 0 to 1. */
  slide(part: number, box: Box): void {
    const [low, high] = rangeOf(box, this.direction);
    this.wanted = low + part * (high - low);
    this.changed();
  }

  /** Return where the plane is along its direction: where it was put, within a model that may have changed since. */
  place(box: Box): number {
    const [low, high] = rangeOf(box, this.direction);
    return this.wanted === null ? (low + high) / 2 : Math.min(Math.max(this.wanted, low), high);
  }

  /** Return the part of its range at which the plane is, from 0 to 1. */
  part(box: Box): number {
    const [low, high] = rangeOf(box, this.direction);
    return high > low ? (this.place(box) - low) / (high - low) : 0;
  }

  /** Return the place as people read it: the coordinate, or how deep the plane is below what is nearest. */
  shownPlace(box: Box): number {
    return this.axis === "view" ? rangeOf(box, this.direction)[1] - this.place(box) : this.place(box);
  }

  /** Put the plane where somebody reads it to be; beyond the model it goes to its end. */
  put(shown: number, box: Box): void {
    this.wanted = this.axis === "view" ? rangeOf(box, this.direction)[1] - shown : shown;
    this.wanted = this.place(box);
    this.changed();
  }

  plane(box: Box): Plane {
    const middle = scaled([box.min[0] + box.max[0], box.min[1] + box.max[1], box.min[2] + box.max[2]], 0.5);
    const off = this.place(box) - dot(middle, this.direction);
    const point = middle.map((one, axis) => one + this.direction[axis]! * off) as unknown as Point;
    return { point, normal: this.direction.map((one) => (one === 0 ? 0 : one * this.side)) as unknown as Point };
  }
}
