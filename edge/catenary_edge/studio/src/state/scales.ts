// Axes of charts of many designs: their ranges, ticks, and places in pixels.
import type { Column } from "./candidates.ts";

/** A column along a line of the screen, from the pixel of its least to that of its greatest value. */
export interface Axis {
  column: Column;
  low: number;
  high: number;
  from: number;
  to: number;
}

/** Return the axis of a column between two pixels, with room around a lone value and half a place around categories. */
export function axisOf(column: Column, from: number, to: number): Axis {
  if (column.categories !== null) return { column, low: -0.5, high: column.categories.length - 0.5, from, to };
  const room = column.least < column.largest ? 0 : Math.abs(column.least) / 2 || 1;
  return { column, low: column.least - room, high: column.largest + room, from, to };
}

/** Return the pixel of a value; NaN where it is none. */
export function pixelOf({ low, high, from, to }: Axis, value: number): number {
  return from + ((value - low) / (high - low)) * (to - from);
}

/** Return the value at a pixel, within the axis and rounded to what a pixel can tell. */
export function valueAt({ column, low, high, from, to }: Axis, pixel: number): number {
  const exact = low + ((pixel - from) / (to - from)) * (high - low);
  const within = Math.min(Math.max(exact, low), high);
  if (column.categories !== null || within === low || within === high) return within;
  const step = 10 ** Math.floor(Math.log10((high - low) / 200));
  return Number((Math.round(within / step) * step).toPrecision(12));
}

/** Return round values along an axis, some `count` of them; of categories at most so many places. */
export function ticksOf({ column, low, high }: Axis, count: number): number[] {
  if (column.categories !== null) {
    const step = Math.ceil(column.categories.length / count);
    return column.categories.map((_, place) => place).filter((place) => place % step === 0);
  }
  const rough = (high - low) / Math.max(count, 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5].find((one) => one * power >= rough * 0.999) ?? 10) * power;
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, place) => Number(((first + place) * step).toPrecision(12)));
}
