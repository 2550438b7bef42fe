// One design: its inputs, what is told while it is computed, its numbers, tables and files.

export const chart = {
  kinds: { line: "Line chart", bar: "Bar chart", scatter: "Scatter chart" },
  spoken: (kind: string, up: string, across: string, table: string) => `${kind} of ${up} by ${across}; its numbers are in the table ${table}.`,
} as const;

export const charts = { notLoaded: "The charts can't be loaded. Check the connection, then load the page again." } as const;

export const design = {
  cancelled: "The evaluation was cancelled.",
  failed: (state: string, message: string, line: string) => `The model ${state}${message && `: ${message}`}${line}`,
  line: (line: number) => ` (line ${line})`,
  noResult: "gave no result",
  states: { failed: "failed", timed_out: "took too long" } as Readonly<Record<string, string>>,
} as const;

export const downloads = {
  title: "Downloads",
  download: (label: string, file: string) => `${label}: download ${file}`,
  none: (file: string) => `This design has no ${file}.`,
  stl: (unit: string) => `STL in ${unit}`,
} as const;

export const input = {
  coordinate: (unit: string) => `Each coordinate must be a number, such as 3.5 or 3,5${unit && `, in ${unit}`}.`,
  number: "Must be a number, such as 3.5 or 3,5.",
  quantity: (unit: string) => `Must be a number, with or without a unit, such as 3,5 ${unit}.`,
} as const;

export const inputs = {
  none: "The model has no parameters.",
  parameters: "Parameters",
  /** What is said to those who may not evaluate, by their role or by what shows them the design. */
  readers: {
    link: "A link shows a design, and changes nothing.",
    shared: "You see this design alone. Its values can be looked at, and not changed.",
    viewer: "You may look at this project: here is its newest design. To change it you need the role evaluator, which an owner gives.",
  },
  redo: "Redo",
  redoKeys: "Ctrl+Shift+Z",
  reset: "Reset",
  undo: "Undo",
  undoKeys: "Ctrl+Z",
} as const;

export const outputs = {
  first: "The first result comes in a moment.",
  lastGood: " Shown is the last design that worked.",
  log: "The model's log",
} as const;

export const results = {
  againstFirst: "Changes are against the first design.",
  againstPinned: "Changes are against the design pinned last.",
  none: "The model gives no metrics.",
  pin: "Pin this design",
  pinHint: "Show changes against this design",
  pinned: "This is the design pinned last.",
} as const;

export const status = {
  computing: "Computing…",
  connection: {
    connecting: "Connecting…",
    open: "Live",
    again: "Connection lost, connecting again…",
    resting: "Live when you go on",
    unavailable: "Not live: computed when a slider rests",
    ended: "",
  },
  progress: "Progress",
  slow: (seconds: string) => `A design of this model takes about ${seconds} s. It is computed when you let go of a slider.`,
  waiting: "Waiting for a worker…",
  whenLetGo: "Computed on release",
} as const;

export const tables = {
  copyOf: (table: string) => `Copy ${table}`,
  none: "The table has no rows.",
  notAllowed: "The browser does not allow copying here; save it as CSV.",
  save: (table: string) => `Save ${table} as CSV`,
  showAll: (rows: number) => `Show all ${rows} rows`,
} as const;
