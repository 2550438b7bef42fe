// The tables of a model: their columns, their order, and their text for spreadsheets.
import type { Json, Rows } from "../api/types.ts";

/** The column by which a table is sorted. */
export interface Order {
  column: string;
  descending: boolean;
}

/** Return the columns of a table, in the order in which its rows name them. */
export function columnsOf(rows: Rows): string[] {
  return [...new Set(rows.flatMap((row) => Object.keys(row)))];
}

/** Return whether all values of a column are numbers or missing, and one is a number. */
export function isNumeric(rows: Rows, column: string): boolean {
  const values = rows.map((row) => row[column] ?? null).filter((value) => value !== null);
  return values.length > 0 && values.every((value) => typeof value === "number");
}

/** Return the order after a click on a column: up, then down, then as the model gave the rows. */
export function nextOrder(order: Order | null, column: string): Order | null {
  if (order?.column !== column) return { column, descending: false };
  return order.descending ? null : { column, descending: true };
}

/** Return the rows in an order; numbers come before texts, and missing values last in both directions. */
export function sorted(rows: Rows, order: Order | null): Rows {
  if (order === null) return rows;
  const sign = order.descending ? -1 : 1;
  return rows.toSorted((one, other) => compare(one[order.column] ?? null, other[order.column] ?? null, sign));
}

function compare(one: Json, other: Json, sign: number): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  if (typeof one === "number" && typeof other === "number") return sign * (one - other);
  if (typeof one === "number" || typeof other === "number") return sign * (typeof one === "number" ? -1 : 1);
  return sign * textOf(one).localeCompare(textOf(other), "en", { numeric: true });
}

/** Write a value as a text, in full. */
export function textOf(value: Json | undefined): string {
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/** Write a value for a spreadsheet: what it would run as a formula becomes a text by an apostrophe, as in the CSV of the API. */
function cell(value: Json | undefined): string {
  const text = textOf(value);
  return typeof value === "string" && FORMULA.test(text) ? `'${text}` : text;
}

/** Write columns of a table as CSV (RFC 4180). */
export function csv(rows: Rows, columns: readonly string[]): string {
  const quoted = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return [columns.map(cell), ...rows.map((row) => columns.map((name) => cell(row[name])))].map((line) => `${line.map(quoted).join(",")}\r\n`).join("");
}

/** Write columns of a table for the clipboard, with a tab between cells, as spreadsheets take it. */
export function tabbed(rows: Rows, columns: readonly string[]): string {
  const plain = (text: string) => text.replace(/[\t\r\n]+/g, " ");
  return [columns.map(cell), ...rows.map((row) => columns.map((name) => cell(row[name])))].map((line) => line.map(plain).join("\t")).join("\n");
}
