import assert from "node:assert/strict";
import { test } from "node:test";
import { fileOf, fitting, refusalOf } from "../../../edge/catenary_edge/studio/src/state/input_files.ts";
import { cellsOf, emptyRow, isManyCells, MAX_CELLS, rowsOf, withPaste, type Column } from "../../../edge/catenary_edge/studio/src/state/table_entry.ts";

const COLUMNS: Column[] = [
  { name: "at", type: "number", unit: "m" },
  { name: "count", type: "integer", unit: null },
  { name: "fixed", type: "boolean", unit: null },
  { name: "note", type: "string", unit: null },
];

test("rows become cells and the same rows again", () => {
  const rows = [
    { at: 2.5, count: 3, fixed: true, note: "snow, wind" },
    { at: { value: 8, unit: "ft" }, count: -1, fixed: false, note: "" },
  ];
  const cells = cellsOf(COLUMNS, rows);
  assert.deepEqual(cells, [
    ["2.5", "3", "true", "snow, wind"],
    ["8 ft", "-1", "false", ""],
  ]);
  assert.deepEqual(rowsOf(COLUMNS, cells), { rows, faults: [] });
  assert.deepEqual(cellsOf(COLUMNS, null), []);
});

test("a cell that can't be read is named with what it must be", () => {
  const { rows, faults } = rowsOf(COLUMNS, [
    ["2,5", "3", "yes", "=1+1"],
    ["x", "1.5", "maybe", ""],
  ]);
  assert.equal(rows, null);
  assert.deepEqual(
    faults.map(({ row, column, message }) => [row, column, message]),
    [
      [1, 0, "at must be a number, as in 3,5 m."],
      [1, 1, "count must be a whole number."],
      [1, 2, "fixed must be true or false."],
    ],
  );
  assert.deepEqual(rowsOf(COLUMNS, [["2,5", "3", "yes", "=1+1"]]).rows, [{ at: 2.5, count: 3, fixed: true, note: "=1+1" }]);
  assert.deepEqual(rowsOf(COLUMNS, [emptyRow(COLUMNS)]).faults.length, 2, "numbers must be typed");
});

test("a paste goes right and down, adds rows, and stays within the columns", () => {
  const cells = [["1", "1", "true", "a"]];
  assert.deepEqual(withPaste(COLUMNS, cells, 0, 2, "no\tb\tc\r\nyes\td\r\n"), [
    ["1", "1", "no", "b"],
    ["", "", "yes", "d"],
  ]);
  assert.deepEqual(cells, [["1", "1", "true", "a"]], "the cells of before are as they were");
  const long = withPaste(COLUMNS, cells, 0, 0, "1\n".repeat(20_000));
  assert.equal(long.length * COLUMNS.length, MAX_CELLS);
  assert.deepEqual(
    ["a", "a\n", "a\tb", "a\nb"].map((text) => isManyCells(text)),
    [false, false, true, true],
  );
});

test("a file that a parameter doesn't take is refused before it is sent", () => {
  const parameter = { accept: [".csv", ".dxf"], max_bytes: 10 };
  assert.equal(refusalOf({ name: "A.CSV", size: 10 }, parameter), "");
  assert.match(refusalOf({ name: "a.txt", size: 10 }, parameter), /must end with .csv or .dxf/);
  assert.match(refusalOf({ name: "a.csv", size: 11 }, parameter), /at most 10 bytes; it has 11/);
  assert.match(refusalOf({ name: "a.csv", size: 0 }, parameter), /empty/);
  assert.match(refusalOf({ name: "a", size: 2 ** 24 + 1 }, { accept: [], max_bytes: null }), /16,777,216/);
});

test("a value is a file by its id or its content", () => {
  const files = [
    { file_id: "1", name: "a.csv", size: 1, value: "sha.csv" },
    { file_id: "2", name: "b.csv", size: 1, value: "sha.csv" },
    { file_id: "3", name: "c.png", size: 1, value: "png" },
  ];
  assert.equal(fileOf(files, "2"), files[1]);
  assert.equal(fileOf(files, "sha.csv"), files[0]);
  assert.equal(fileOf(files, null), null);
  assert.deepEqual(fitting(files, { accept: [".csv"], max_bytes: null }), files.slice(0, 2));
});
