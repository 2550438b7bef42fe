// Filters of candidates by their columns, as saved views keep them.
import type { Json, ViewFilter } from "../api/types.ts";
import { filters as texts } from "../texts/designs.ts";
import { keyOf, shownCategory, type Column } from "./candidates.ts";
import * as format from "./format.ts";

export type Filters = Readonly<Record<string, ViewFilter>>;

/** Return which candidates meet all filters; one without a value doesn't meet a filter of it. A filter without a column lets all pass. */
export function hitsOf(filters: Filters, columns: readonly Column[], count: number): Uint8Array {
  const hits = new Uint8Array(count).fill(1);
  for (const column of columns) {
    const filter = filters[column.name];
    if (filter === undefined) continue;
    const meets = testOf(filter, column);
    for (let place = 0; place < count; place++) if (hits[place] && !meets(column.numbers[place]!)) hits[place] = 0;
  }
  return hits;
}

function testOf({ min, max, values }: ViewFilter, { categories }: Column): (place: number) => boolean {
  const wanted = values.length === 0 ? null : new Set(values.map((one) => keyOf(one as Json)));
  if (categories !== null) {
    const meets = categories.map((one) => wanted === null || wanted.has(keyOf(one)));
    return (place) => meets[place] ?? false;
  }
  const [low, high] = [min ?? -Infinity, max ?? Infinity];
  return (value) => value >= low && value <= high && (wanted === null || wanted.has(keyOf(value)));
}

/** Return filters with another one of a column; one that lets all pass is none. */
export function withFilter(filters: Filters, name: string, filter: ViewFilter | null): Filters {
  const { [name]: _, ...others } = filters;
  const isOpen = filter === null || (filter.min === null && filter.max === null && filter.values.length === 0);
  return isOpen ? others : { ...others, [name]: filter };
}

/** Return the filter of a column between two places of its axis. */
export function between(column: Column, one: number, other: number): ViewFilter {
  const [low, high] = one <= other ? [one, other] : [other, one];
  // A bound beyond all candidates is none, so that later ones are not left out by it.
  if (column.categories === null) return { min: low <= column.least ? null : low, max: high >= column.largest ? null : high, values: [] };
  const values = column.categories.filter((_, place) => place >= low && place <= high);
  return values.length === column.categories.length ? ALL : { min: null, max: null, values };
}

const ALL: ViewFilter = { min: null, max: null, values: [] };

/** Return the filter after a click on a category: alone first, then with others, and none once all or none are left. */
export function toggled(filter: ViewFilter | undefined, column: Column, category: Json): ViewFilter {
  const chosen = new Set((filter?.values ?? []).map((one) => keyOf(one as Json)));
  if (!chosen.delete(keyOf(category))) chosen.add(keyOf(category));
  const values = (column.categories ?? []).filter((one) => chosen.has(keyOf(one)));
  return values.length === column.categories?.length ? ALL : { min: null, max: null, values };
}

/** Return the stretches of an axis that a filter marks, as pairs of places; none without a filter. */
export function stretchesOf(filter: ViewFilter | undefined, column: Column): [number, number][] {
  if (filter === undefined) return [];
  if (column.categories === null) {
    if (filter.values.length > 0) return filter.values.filter((one) => typeof one === "number").map((one) => [one, one]);
    return [[Math.max(filter.min ?? column.least, column.least), Math.min(filter.max ?? column.largest, column.largest)]];
  }
  const meets = testOf(filter, column);
  const found: [number, number][] = [];
  column.categories.forEach((_, place) => {
    if (!meets(place)) return;
    const last = found.at(-1);
    if (last !== undefined && last[1] === place - 0.5) last[1] = place + 0.5;
    else found.push([place - 0.5, place + 0.5]);
  });
  return found;
}

/** Read a bound that somebody typed; null for an empty text, undefined for what is no number. */
export function readBound(text: string): number | null | undefined {
  const plain = text.trim().replaceAll("\u2009", "").replace(",", ".");
  if (plain === "") return null;
  const value = Number(plain);
  return Number.isFinite(value) ? value : undefined;
}

/** Write a filter for people. */
export function told({ min, max, values }: ViewFilter): string {
  if (values.length > 0) return values.map((one) => (typeof one === "number" ? format.number(one) : shownCategory(one as Json))).join(", ");
  if (min !== null && max !== null) return texts.fromTo(format.number(min), format.number(max));
  return min !== null ? texts.from(format.number(min)) : texts.to(format.number(max));
}
