import assert from "node:assert/strict";
import { test } from "node:test";
import type { Rows } from "../../../edge/catenary_edge/studio/src/api/types.ts";
import { size } from "../../../edge/catenary_edge/studio/src/state/format.ts";
import { columnsOf, csv, isNumeric, nextOrder, sorted, tabbed } from "../../../edge/catenary_edge/studio/src/state/table.ts";

const rows: Rows = [
  { member: "b10", force: -3.5, note: null },
  { member: "b9", force: 12 },
  { member: "a1", force: null, note: "=SUM(A1)" },
];
const names = (found: Rows) => found.map((row) => row["member"]);

test("columns stand as the rows name them first", () => {
  assert.deepEqual(columnsOf(rows), ["member", "force", "note"]);
  assert.deepEqual(columnsOf([]), []);
});

test("a column of numbers and gaps is numeric", () => {
  assert.ok(isNumeric(rows, "force"));
  assert.ok(!isNumeric(rows, "member"));
  assert.ok(!isNumeric(rows, "width"), "a column without a value");
});

test("a click sorts up, then down, then not at all", () => {
  const up = nextOrder(null, "force");
  const down = nextOrder(up, "force");
  assert.deepEqual([up, down, nextOrder(down, "force")], [{ column: "force", descending: false }, { column: "force", descending: true }, null]);
  assert.deepEqual(nextOrder(down, "member"), { column: "member", descending: false });
});

test("missing values are last in both directions", () => {
  assert.deepEqual(names(sorted(rows, { column: "force", descending: false })), ["b10", "b9", "a1"]);
  assert.deepEqual(names(sorted(rows, { column: "force", descending: true })), ["b9", "b10", "a1"]);
  assert.deepEqual(names(sorted(rows, null)), ["b10", "b9", "a1"]);
});

test("numbers within texts are compared as numbers", () => {
  assert.deepEqual(names(sorted(rows, { column: "member", descending: false })), ["a1", "b9", "b10"]);
  const mixed: Rows = [{ x: "2" }, { x: 10 }, { x: true }];
  assert.deepEqual(sorted(mixed, { column: "x", descending: false }).map((row) => row["x"]), [10, "2", true]);
});

test("a text that a spreadsheet would run is marked, a negative number is not", () => {
  assert.equal(csv(rows, columnsOf(rows)), "member,force,note\r\nb10,-3.5,\r\nb9,12,\r\na1,,'=SUM(A1)\r\n");
  assert.equal(csv([{ "=x": 'a "b", c' }], ["=x"]), `'=x\r\n"a ""b"", c"\r\n`);
});

test("a table for the clipboard has one line for each row", () => {
  assert.equal(tabbed([{ a: "x\ty\nz", b: 1 }], ["a", "b"]), "a\tb\nx y z\t1");
});

test("sizes are written for people", () => {
  assert.deepEqual([0, 999, 1500, 4079, 843_210, 999_600, 2_340_000].map(size), ["0 B", "999 B", "1.5 kB", "4.1 kB", "843 kB", "1 MB", "2.3 MB"]);
});
