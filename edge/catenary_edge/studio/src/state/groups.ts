// Means of many designs over the values of one column, for lines and bars.
import { shownValue, type Column } from "./candidates.ts";

/** Different numbers that stay apart; more become ranges of equal width. */
const MOST_APART = 60;
const RANGES = 20;

/** Designs with like values of a column. */
export interface Group {
  /** The value, or the middle of the range. */
  at: number;
  label: string;
  places: number[];
}

/** Return the groups of the places that count, in the order of the column; those without a value are in none. */
export function groupsOf(column: Column, counts: (place: number) => boolean): Group[] {
  const { numbers, least, largest, categories } = column;
  const places = Array.from(numbers.keys()).filter((place) => counts(place) && !Number.isNaN(numbers[place]!));
  const apart = new Set(places.map((place) => numbers[place]!));
  const isRanged = categories === null && apart.size > MOST_APART;
  const width = (largest - least) / RANGES;
  const at = (value: number) => (isRanged ? least + width * (Math.min(RANGES - 1, Math.floor((value - least) / width)) + 0.5) : value);
  const label = (value: number) => (isRanged ? `${shownValue(column, value - width / 2)} – ${shownValue(column, value + width / 2)}` : shownValue(column, value));
  const found = new Map<number, Group>();
  for (const place of places) {
    const value = at(numbers[place]!);
    if (!found.has(value)) found.set(value, { at: value, label: label(value), places: [] });
    found.get(value)!.places.push(place);
  }
  return [...found.values()].sort((one, other) => one.at - other.at);
}

/** Return the mean of a column over places; null where none of them has a value. */
export function meanOf({ numbers }: Column, places: readonly number[]): number | null {
  const known = places.map((place) => numbers[place]!).filter((value) => !Number.isNaN(value));
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
}
