// An input that takes a table.

export const tableEntry = {
  boolean: (column: string) => `${column} must be true or false.`,
  integer: (column: string, unit: string) => `${column} must be a whole number${unit && `, as in 3,5 ${unit}`}.`,
  number: (column: string, unit: string) => `${column} must be a number${unit && `, as in 3,5 ${unit}`}.`,
} as const;

export const tableInput = {
  addRow: "Add a row",
  cell: (column: string, row: number) => `${column}, row ${row}`,
  edit: (label: string, size: string) => `${label}: edit the table, ${size}`,
  fault: (row: number, message: string, more: number) => `Row ${row}: ${message}${more > 0 ? ` ${more} more cells are wrong.` : ""}`,
  first: (rows: number, all: number) => `The first ${rows} of ${all} rows are shown. Paste into the first cell to replace them.`,
  paste: "Paste from a spreadsheet into a cell: its rows and columns go down and to the right.",
  removeRow: "Remove row",
  removeRowOf: (row: number) => `Remove row ${row}`,
  take: "Take the table",
} as const;
