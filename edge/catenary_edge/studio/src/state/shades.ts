// The colours of designs by a third column, legible on a light and on a dark ground.
import type { Column } from "./candidates.ts";

/** Colours of categories in order, told apart in both themes and by most people with a colour deficiency (Okabe and Ito, 2008). */
export const COLORS = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00"];

/** From the least to the greatest number: blue, purple, orange, of like lightness. */
const RAMP = [
  [47, 111, 219],
  [154, 95, 196],
  [224, 102, 43],
] as const;
const STEPS = 12;

/** Shades of candidates. */
export interface Shades {
  /** The colours that occur, in order. */
  colors: readonly string[];
  /** The place of a candidate's colour; -1 where it has no value. */
  of(place: number): number;
}

function mixed(part: number): string {
  const at = Math.min(Math.max(part, 0), 1) * (RAMP.length - 1);
  const low = Math.min(Math.floor(at), RAMP.length - 2);
  const parts = RAMP[low]!.map((one, place) => Math.round(one + (RAMP[low + 1]![place]! - one) * (at - low)));
  return `#${parts.map((one) => one.toString(16).padStart(2, "0")).join("")}`;
}

/** Return the shades by a column, in steps; null for one whose candidates don't differ. */
export function shadesOf(column: Column | undefined): Shades | null {
  if (column === undefined || !column.isAxis) return null;
  const { categories, numbers, least, largest } = column;
  if (categories !== null && categories.length <= COLORS.length) return { colors: COLORS.slice(0, categories.length), of: (place) => numberOr(numbers[place]!) };
  if (least === largest) return null;
  const colors = Array.from({ length: STEPS }, (_, step) => mixed(step / (STEPS - 1)));
  const of = (place: number) => {
    const value = numbers[place]!;
    return Number.isNaN(value) ? -1 : Math.min(STEPS - 1, Math.floor(((value - least) / (largest - least)) * STEPS));
  };
  return { colors, of };
}

function numberOr(place: number): number {
  return Number.isNaN(place) ? -1 : place;
}
