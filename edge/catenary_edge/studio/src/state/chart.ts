// The charts of a model: what each draws from its table.
import type { Chart, Json, Rows } from "../api/types.ts";
import { chart as texts } from "../texts/design.ts";
import { title } from "./format.ts";

/** The points of one column against another, in the order of the rows. */
export interface Series {
  name: string;
  points: [number | string, number][];
}

export interface Drawing {
  kind: Chart["kind"];
  /** Whether the horizontal axis has numbers, else names. */
  isNumeric: boolean;
  x: string;
  /** Title of the vertical axis; empty with a legend. */
  y: string;
  series: Series[];
}

/** Points of a chart that are drawn; of more, each so-and-so-manieth one. */
export const MAX_POINTS = 5_000;

/** Return what a chart draws; null where its table has nothing of it. */
export function drawingOf(chart: Chart, tables: Readonly<Record<string, Rows>>): Drawing | null {
  const rows = thinned(tables[chart.table] ?? []);
  const isNumeric = chart.kind !== "bar" && rows.every((row) => typeof (row[chart.x] ?? 0) === "number");
  const series = chart.y.map((name) => ({ name: title(name), points: pointsOf(rows, chart.x, name, isNumeric) })).filter(({ points }) => points.length > 0);
  if (series.length === 0) return null;
  return { kind: chart.kind, isNumeric, x: title(chart.x), y: series.length === 1 ? series[0]!.name : "", series };
}

function thinned(rows: Rows): Rows {
  const step = Math.ceil(rows.length / MAX_POINTS);
  return step <= 1 ? rows : rows.filter((_, place) => place % step === 0);
}

function pointsOf(rows: Rows, x: string, y: string, isNumeric: boolean): [number | string, number][] {
  const found: [number | string, number][] = [];
  for (const row of rows) {
    const [across, up] = [row[x] ?? null, row[y] ?? null];
    if (typeof up !== "number" || across === null) continue; // a gap
    found.push([isNumeric ? (across as number) : nameOf(across), up]);
  }
  return found;
}

function nameOf(value: Json): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** Say what a chart shows, for those who don't see it. */
export function spoken(chart: Chart): string {
  return texts.spoken(texts.kinds[chart.kind], chart.y.map(title).join(", "), title(chart.x), title(chart.table));
}
