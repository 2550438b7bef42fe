// Distances that are measured in the view, each between two places of the model.
import type { Point } from "./camera.ts";

export interface Dimension {
  id: number;
  /** Places in metres, with Z up as the model gives them. */
  from: Point;
  to: Point;
  /** Whether the geometry has changed since it was measured. */
  isEarlier: boolean;
}

export interface Distance {
  distance: number;
  dx: number;
  dy: number;
  dz: number;
}

/** Return the distance between two places, and its parts along the axes. */
export function distanceOf(from: Point, to: Point): Distance {
  const along = to.map((one, axis) => one - from[axis]!);
  const [dx = 0, dy = 0, dz = 0] = along;
  return { distance: Math.hypot(...along), dx, dy, dz };
}

/** Keeps the dimensions of a view; `changed` is called after each change. */
export class Dimensions {
  list: readonly Dimension[] = [];
  /** The first place of a dimension that waits for its second. */
  from: Point | null = null;
  private last = 0;

  constructor(private readonly changed: () => void = () => undefined) {}

  /** Take a clicked place: the first of a dimension, or the second, which must be another. */
  click(place: Point): void {
    const { from } = this;
    if (from === null) this.from = place;
    else if (distanceOf(from, place).distance > 0) {
      this.list = [...this.list, { id: (this.last += 1), from, to: place, isEarlier: false }];
      this.from = null;
    }
    this.changed();
  }

  /** Forget a first place. */
  cancel(): void {
    this.from = null;
    this.changed();
  }

  remove(id: number): void {
    this.list = this.list.filter((one) => one.id !== id);
    this.changed();
  }

  clear(): void {
    this.list = [];
    this.cancel();
  }

  /** Note that the geometry is another one: what was measured tells of an earlier design. */
  age(): void {
    if (this.list.length === 0 && this.from === null) return;
    this.list = this.list.map((one) => ({ ...one, isEarlier: true }));
    this.cancel();
  }
}
