// Parallel coordinates: where the axes stand, and which design's line is near a place.
import type { Column } from "./candidates.ts";
import { axisOf, pixelOf, type Axis } from "./scales.ts";

/** An upright axis at a place across the chart. */
export interface Upright extends Axis {
  x: number;
}

/** Return upright axes of columns in a chart of a width; the greatest values are at `top`. */
export function uprightOf(columns: readonly Column[], width: number, top: number, bottom: number): Upright[] {
  const part = width / columns.length;
  return columns.map((column, place) => ({ ...axisOf(column, bottom, top), x: part * (place + 0.5) }));
}

/** Return the place whose line is nearest to a point, among those that `counts` lets; -1 if none is within a distance. */
export function nearestLine(axes: readonly Upright[], count: number, x: number, y: number, within: number, counts: (place: number) => boolean): number {
  const next = axes.findIndex((one) => one.x >= x);
  const right = axes[next === -1 ? axes.length - 1 : next];
  if (right === undefined) return -1;
  const left = next > 0 ? axes[next - 1]! : right;
  const part = left === right ? 0 : (x - left.x) / (right.x - left.x);
  let [best, distance] = [-1, within];
  for (let place = 0; place < count; place++) {
    if (!counts(place)) continue;
    const from = pixelOf(left, left.column.numbers[place]!);
    const to = pixelOf(right, right.column.numbers[place]!);
    const slope = left === right ? 0 : (to - from) / (right.x - left.x);
    const off = Math.abs(from + (to - from) * part - y) / Math.hypot(1, slope); // across the line, not down
    if (off < distance) [best, distance] = [place, off];
  }
  return best;
}

/** Return the place to which an axis goes that is let go at a point across the chart. */
export function placeAt(width: number, count: number, x: number): number {
  return Math.min(Math.max(Math.floor((x / width) * count), 0), count - 1);
}
