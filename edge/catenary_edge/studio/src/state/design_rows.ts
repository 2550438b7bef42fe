// The rows of many designs: their order, and their text for spreadsheets.
import type { Json } from "../api/types.ts";
import type { Candidate, Column } from "./candidates.ts";
import { csv } from "./table.ts";

/** Return the places that are shown, by the values of a column; those without a value come last in both directions. */
export function orderedPlaces(hits: Uint8Array, column: Column | undefined, isDescending: boolean): number[] {
  const places = Array.from(hits.keys()).filter((place) => hits[place]);
  if (column === undefined) return places;
  const { numbers } = column;
  const sign = isDescending ? -1 : 1;
  return places.sort((one, other) => {
    const [a, b] = [numbers[one]!, numbers[other]!];
    if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
    return sign * (a - b) || one - other;
  });
}

/** Write designs as CSV with the columns of the API's own files, so that it takes them as a batch. */
export function exportOf(candidates: readonly Candidate[], columns: readonly Column[], places: readonly number[]): string {
  const headings = columns.map(({ name, unit, isMetric }) => `${isMetric ? "out" : "in"}:${name}${unit ? ` [${unit}]` : ""}`);
  const rows = places.map((place): Record<string, Json> => {
    const { parameters, metrics } = candidates[place]!;
    return Object.fromEntries(columns.map(({ name, isMetric }, at) => [headings[at]!, (isMetric ? metrics[name] : parameters[name]) ?? null]));
  });
  return csv(rows, headings);
}
