import assert from "node:assert/strict";
import { test } from "node:test";
import type { Chart } from "../../../edge/catenary_edge/studio/src/api/types.ts";
import { drawingOf, MAX_POINTS, spoken } from "../../../edge/catenary_edge/studio/src/state/chart.ts";

const LINE: Chart = { name: "sag", kind: "line", table: "spans", x: "at", y: ["sag_max", "limit"] };
const ROWS = [
  { at: 0, sag_max: 0, limit: 3 },
  { at: 2.5, sag_max: null, limit: 3 },
  { at: 5, sag_max: 1.5 },
];

test("a line has a series for each column and passes over gaps", () => {
  const found = drawingOf(LINE, { spans: ROWS })!;
  assert.deepEqual([found.isNumeric, found.x, found.y], [true, "At", ""]);
  assert.deepEqual(found.series, [
    { name: "Sag max", points: [[0, 0], [5, 1.5]] },
    { name: "Limit", points: [[0, 3], [2.5, 3]] },
  ]);
});

test("bars and columns of texts stand side by side by their names", () => {
  const rows = [{ at: "north", sag_max: 1 }, { at: "south", sag_max: 2 }];
  const found = drawingOf({ ...LINE, y: ["sag_max"] }, { spans: rows })!;
  assert.deepEqual([found.isNumeric, found.y, found.series[0]!.points], [false, "Sag max", [["north", 1], ["south", 2]]]);
  assert.deepEqual(drawingOf({ ...LINE, kind: "bar" }, { spans: ROWS })!.series[1]!.points, [["0", 3], ["2.5", 3]]);
});

test("a chart without a number draws nothing", () => {
  assert.equal(drawingOf(LINE, {}), null);
  assert.equal(drawingOf(LINE, { spans: [] }), null);
  assert.equal(drawingOf({ ...LINE, y: ["absent"] }, { spans: ROWS }), null);
});

test("a long table is thinned", () => {
  const rows = Array.from({ length: 12_001 }, (_, at) => ({ at, sag_max: 1 }));
  const { points } = drawingOf({ ...LINE, y: ["sag_max"] }, { spans: rows })!.series[0]!;
  assert.ok(points.length <= MAX_POINTS);
  assert.deepEqual(points.slice(0, 2), [[0, 1], [3, 1]]);
});

test("a chart says what it shows", () => {
  assert.equal(spoken(LINE), "Line chart of Sag max, Limit by At; its numbers are in the table Spans.");
});
