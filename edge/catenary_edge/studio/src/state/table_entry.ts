// A parameter that is a table, as cells that people type or paste, and as the rows that a request sends.
import type { Json, Parameter } from "../api/types.ts";
import { tableEntry as texts } from "../texts/table_input.ts";
import { readEntry } from "./values.ts";

export type Column = Parameter["columns"][number];
/** Texts of cells, row by row. */
export type Cells = readonly (readonly string[])[];

/** What is wrong with a cell, both counted from 0. */
export interface CellFault {
  row: number;
  column: number;
  message: string;
}

/** Cells that all tables of an evaluation may have. */
export const MAX_CELLS = 10_000;
const TRUE = /^(true|yes|1)$/i;
const FALSE = /^(false|no|0)$/i;

/** Return the cells of a value; those of anything but rows are none. */
export function cellsOf(columns: readonly Column[], value: Json): Cells {
  if (!Array.isArray(value)) return [];
  return value.map((row) => columns.map(({ name }) => textOf(typeof row === "object" && row !== null && !Array.isArray(row) ? (row[name] ?? "") : "")));
}

function textOf(value: Json): string {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return String(value ?? "");
  return `${String(value["value"])} ${String(value["unit"])}`;
}

/** Return a row that can be typed over. */
export function emptyRow(columns: readonly Column[]): readonly string[] {
  return columns.map(({ type }) => (type === "boolean" ? "false" : ""));
}

/** Read the cells; what can't be read is named, and the rows are then null. */
export function rowsOf(columns: readonly Column[], cells: Cells): { rows: Json[] | null; faults: readonly CellFault[] } {
  const faults: CellFault[] = [];
  const rows = cells.map((written, row) => {
    const found: { [name: string]: Json } = {};
    for (const [place, column] of columns.entries()) {
      const value = read(written[place] ?? "", column);
      if (value === undefined) faults.push({ row, column: place, message: expected(column) });
      else found[column.name] = value;
    }
    return found;
  });
  return { rows: faults.length > 0 ? null : rows, faults };
}

function read(text: string, { type, unit }: Column): Json | undefined {
  const plain = text.trim();
  switch (type) {
    case "string":
      return text;
    case "boolean":
      return TRUE.test(plain) ? true : FALSE.test(plain) ? false : undefined;
    case "integer":
    case "number": {
      const value = readEntry(plain, { unit });
      return type === "integer" && typeof value === "number" && !Number.isInteger(value) ? undefined : value;
    }
  }
}

function expected({ name, type, unit }: Column): string {
  if (type === "boolean") return texts.boolean(name);
  return (type === "integer" ? texts.integer : texts.number)(name, unit ?? "");
}

/** Return the cells with a text of a spreadsheet from one cell on, to the right and down; rows are added as needed. */
export function withPaste(columns: readonly Column[], cells: Cells, row: number, column: number, text: string): Cells {
  const lines = text.replace(/\r?\n$/, "").split(/\r?\n/).map((line) => line.split("\t"));
  const most = Math.floor(MAX_CELLS / columns.length);
  const found = cells.map((one) => [...one]);
  for (const [down, line] of lines.slice(0, Math.max(0, most - row)).entries()) {
    const target = (found[row + down] ??= [...emptyRow(columns)]);
    for (const [right, part] of line.slice(0, columns.length - column).entries()) target[column + right] = part;
  }
  return found;
}

/** Return whether a pasted text is more than one cell. */
export function isManyCells(text: string): boolean {
  return /[\t\n]/.test(text.replace(/\r?\n$/, ""));
}
