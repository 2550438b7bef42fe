// The tab of many designs.
import { plural } from "./common.ts";

export const candidates = { objective: (number: number) => `Objective ${number}` } as const;

export const designChart = {
  kinds: { parallel: "Parallel coordinates", scatter: "Scatter", scatter_matrix: "Scatter matrix", line: "Lines", bar: "Bars" },
  kind: "Kind of chart",
  across: "Across",
  axes: (number: number) => `Axes (${number})`,
  colour: "Colour",
  colourBy: "Colour by",
  few: (kind: string, axes: number) => `${kind} need at least ${axes} axes that these designs have. Choose them under Axes.`,
  notLoaded: "The chart can't be loaded. Check the connection, then load the page again.",
  ofAllAlike: "of all alike",
  remove: (kind: string) => `Remove the chart: ${kind}`,
  scatter: (up: string, across: string) => `Scatter chart of ${up} by ${across}; the numbers are in the table of designs.`,
  means: (kind: "line" | "bar", up: string, across: string) => `${kind === "line" ? "Line" : "Bar"} chart of the mean of ${up} by ${across}; the numbers are in the table of designs.`,
  up: "Up",
} as const;

export const designPlot = {
  mean: "Mean",
  meanOf: (column: string) => `Mean of ${column}`,
} as const;

export const designTable = {
  title: "Table of designs",
  more: (rows: number, all: string) => `Show ${rows} more of ${all}`,
  number: "No.",
  open: (number: number) => `Open design ${number}`,
  passing: "Designs that pass all filters",
  save: "Save the designs as CSV",
} as const;

export const designRequest = {
  title: "Compute designs",
  allValues: "all of its values",
  condition: (number: number) => `Condition ${number}`,
  conditions: "Conditions, one on each line (optional)",
  conditionsExample: (metric: string) => `${metric} <= 100`,
  conditionsGuide: "How conditions are written",
  designs: "Number of designs",
  directions: { "": "does not matter", minimize: "as low as possible", maximize: "as high as possible" },
  from: "From",
  fromHeard: (input: string) => `${input}: from`,
  hints: {
    sample: "Designs that fill the ranges evenly, for charts.",
    search: "The best designs, and the trade-offs between objectives.",
    sensitivity: "How much of each metric's variation each input causes.",
  },
  input: "Input",
  measured: "For which metrics",
  name: "Name (optional)",
  noBounds: (input: string) => `${input} has no bounds of its own: give both, or let it stay.`,
  noMetric: "Choose a metric.",
  noNumber: (input: string) => `The bounds of ${input} must be numbers, such as 3.5, or empty for those of the model.`,
  noObjective: "Choose what is to be low or high.",
  nothingVaries: "Let an input vary.",
  objectives: "What is better",
  objectivesHint: "Designs that break one of these or a constraint of the model count as worse than all that meet them.",
  open: "Compute designs…",
  others: (names: string) => `Unchanged: ${names}.`,
  purpose: "What for",
  purposes: { sample: "Look around", search: "Find the best", sensitivity: "See what matters" },
  size: (most: string) => `The number of designs must be a whole number from 1 to ${most}.`,
  start: "Start",
  stays: (value: string) => `stays at ${value}`,
  to: "To",
  toHeard: (input: string) => `${input}: to`,
  tooManyObjectives: (most: number) => `Choose ${most} metrics at most.`,
  varied: "Inputs that vary",
  wrongWay: (input: string) => `The range of ${input} must go from a lower to a higher number.`,
} as const;

export const designs = {
  title: "Many designs",
  addChart: "Add a chart",
  addChartHint: "Add a chart…",
  breaking: (number: number, shown: string) => `${shown} of them ${plural(number, "breaks", "break")} a constraint, drawn grey.`,
  chosen: "Chosen design",
  clearFilters: "Clear filters",
  cancelling: "Cancelling…",
  design: (number: string) => `Design ${number}`,
  draft: "Deploy this version to compute many designs of it.",
  evaluator: "Nobody has evaluated a design of this version yet. Move a slider and keep the design, or compute many at once.",
  expected: (when: string) => `, until about ${when}`,
  failedAll: "None of these designs has a result: the model failed for all of them.",
  feasibleOnly: "Only those that meet all constraints",
  filters: "Filters",
  gone: "The designs that were wanted are no more. Shown are others.",
  hits: (passing: string, all: number, shown: string) => `${passing} of ${shown} ${plural(all, "design", "designs")}`,
  leftOut: (what: string) => `Left out: ${what}.`,
  most: (number: string) => `Shown are ${number} designs, the most that the page reads.`,
  noFilters: "No filters",
  noHits: "No design passes all filters. Widen one, or clear them.",
  none: "There are no designs here.",
  noResultYet: "No design has a result yet.",
  notAll: "Not all designs were read. Read again for all of them.",
  of: "Designs of",
  openAgain: "Open again",
  progress: (ended: string, total: string) => `${ended} of ${total} designs computed`,
  otherVersion: "These are designs of another version of the model. Opening one takes the values that fit this version.",
  readAgain: "Read again",
  reading: "Reading the designs…",
  removeFilter: "Remove this filter",
  removeFilterHeard: ": remove the filter",
  showFront: (number: number, shown: string) => `Show the ${plural(number, "design", `${shown} designs`)} that no other surpasses`,
  soFar: " so far…",
  stop: "Stop",
  unfinished: (number: string) => `${number} not finished`,
  viewer: "Nobody has evaluated a design of this version yet. Those who may evaluate make them, one by one or as a batch.",
  withoutChoice: "Click a line, a point or a number of the table: the values of that design stand here, and the view shows it.",
  withoutResult: (number: string) => `${number} without a result`,
} as const;

export const filters = {
  from: (least: string) => `from ${least}`,
  fromTo: (least: string, most: string) => `${least} to ${most}`,
  to: (most: string) => `to ${most}`,
} as const;

export const indices = {
  title: (metric: string) => `What counts for ${metric}`,
  leftOut: (left: number, all: number) => `${left} of ${all} groups of designs were left out, since one of them has no result.`,
  morris: ["Input", "Effect (μ*)", "Spread (σ)"],
  morrisHint: "The mean change of the metric over the whole range of an input; a large spread means that it depends on the other inputs.",
  sobol: ["Input", "Total effect", "Alone"],
  sobolHint: "The part of the metric's variance that an input causes, with all others and alone; ± is the confidence interval.",
  unknown: "–",
} as const;

export const matrix = {
  title: (names: string) => `Scatter plots of every two of ${names}; their numbers are in the table of designs.`,
} as const;

export const parallel = {
  title: (names: string) => `Parallel coordinates of ${names}`,
  hint: "Drag along an axis to filter, or type bounds. A click on a line opens its design.",
} as const;

export const sources = {
  batch: (which: string) => `Batch of ${which}`,
  designs: (number: number, shown: string, when: string, status: string) => `${shown} ${plural(number, "design", "designs")}, ${when}${status && ` (${status})`}`,
  front: (which: string) => `Front of the study: ${which}`,
  least: (name: string) => `least ${name}`,
  most: (name: string) => `most ${name}`,
  named: (name: string, source: string) => `${name} (${source})`,
  sensitivity: (which: string, objectives: string) => `Sensitivity of ${which}: ${objectives}`,
  stopped: {
    seconds: "The study ended before its budget was used: its time was over.",
    stalled_generations: "The study ended before its budget was used: its last generations found nothing better.",
  },
  stored: "Stored evaluations of this version",
  study: (which: string, objectives: string) => `Study of ${which}: ${objectives}`,
} as const;

export const upright = {
  atLeast: (column: string) => `${column}: at least`,
  atMost: (column: string) => `${column}: at most`,
  bound: "Type a number, such as 3.5, or nothing for no bound.",
  move: (column: string) => `${column}. Drag it, or press the left or right arrow key, to move the axis.`,
  moveHeard: ": moved by the arrow keys",
  show: (category: string) => `Show designs with ${category}`,
} as const;
