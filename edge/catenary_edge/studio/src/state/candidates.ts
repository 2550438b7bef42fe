// Many designs side by side: each a candidate, with a column for each parameter and metric.
import type { Constraint, Evaluation, Json, Measured, Parameter, StudyResult } from "../api/types.ts";
import { values as words } from "../texts/common.ts";
import { candidates as texts } from "../texts/designs.ts";
import * as format from "./format.ts";
import { textOf } from "./table.ts";

/** An evaluated design among many. */
export interface Candidate {
  id: string;
  parameters: Readonly<Record<string, Json>>;
  metrics: Readonly<Record<string, number | null>>;
  /** Whether it meets all constraints. */
  isFeasible: boolean;
}

/** The values of one parameter or metric. */
export interface Column {
  name: string;
  label: string;
  unit: string | null;
  isMetric: boolean;
  /** What the places of an axis stand for, in their order; null for numbers. */
  categories: readonly Json[] | null;
  /** The number, or the place of the category, of each candidate; NaN where it has none. */
  numbers: Float64Array;
  least: number;
  largest: number;
  /** Whether it can be the axis of a chart. */
  isAxis: boolean;
}

/** Different texts of a column that still make an axis, and of a filter that can be saved. */
const MOST_CATEGORIES = 100;
/** Characters of a text that can be a category. */
const LONGEST_CATEGORY = 500;
/** Axes that a chart begins with. */
const FIRST_PARAMETERS = 5;
const FIRST_METRICS = 4;

type Evaluated = Pick<Evaluation, "evaluation_id" | "status"> & { parameters: Record<string, Json>; metrics: Record<string, Measured>; constraints: Record<string, Constraint> };

/** Return an evaluation as a candidate; null without a result. */
export function candidateOf(one: Evaluated): Candidate | null {
  if (one.status !== "completed") return null;
  const metrics = Object.fromEntries(Object.entries(one.metrics).map(([name, { value }]) => [name, value]));
  return { id: one.evaluation_id, parameters: one.parameters, metrics, isFeasible: Object.values(one.constraints).every(({ satisfied }) => satisfied) };
}

/** Return a point of a study as a candidate, with the objectives that are no metrics of the model; null without a result. */
export function studyCandidateOf(one: StudyResult, objectives: readonly string[]): Candidate | null {
  const found = candidateOf(one);
  if (found === null) return null;
  const values = one.objectives.map(({ value }, place): [string, number | null] => [objectives[place] ?? texts.objective(place + 1), value ?? null]);
  return { ...found, metrics: { ...Object.fromEntries(values), ...found.metrics }, isFeasible: one.feasible ?? found.isFeasible };
}

/** What is known of metrics beside their values: the order in which they are declared, and their units. */
export interface KnownMetrics {
  names: readonly string[];
  units: Readonly<Record<string, string | null>>;
}

/** Return the columns of candidates: declared parameters and metrics in their order, then others. */
export function columnsOf(candidates: readonly Candidate[], parameters: readonly Parameter[], metrics: KnownMetrics): Column[] {
  const declared = new Map(parameters.map((one) => [one.name, one]));
  const inputs = namesOf(candidates.map((one) => one.parameters), [...declared.keys()]);
  const outputs = namesOf(candidates.map((one) => one.metrics), metrics.names).filter((name) => !inputs.includes(name));
  return [
    ...inputs.map((name) => parameterColumn(name, candidates.map((one) => one.parameters[name] ?? null), declared.get(name))),
    ...outputs.map((name) => columnOf({ name, label: format.title(name), unit: metrics.units[name] ?? null, isMetric: true }, candidates.map((one) => one.metrics[name] ?? null), [])),
  ];
}

function namesOf(all: readonly Readonly<Record<string, unknown>>[], declared: readonly string[]): string[] {
  const found = new Set(all.flatMap((one) => Object.keys(one)));
  return [...declared.filter((name) => found.delete(name)), ...found];
}

function parameterColumn(name: string, values: readonly Json[], declared: Parameter | undefined): Column {
  const label = format.title(declared?.label || name);
  return columnOf({ name, label, unit: declared?.unit ?? null, isMetric: false }, values, declared?.choices ?? []);
}

function columnOf(named: Pick<Column, "name" | "label" | "unit" | "isMetric">, values: readonly Json[], choices: readonly Json[]): Column {
  const isNumeric = values.every((value) => value === null || typeof value === "number");
  const categories = isNumeric ? null : categoriesOf(values, choices);
  const places = new Map((categories ?? []).map((value, place) => [keyOf(value), place]));
  const numbers = Float64Array.from(values, (value) => (value === null ? Number.NaN : isNumeric ? (value as number) : places.get(keyOf(value))!));
  let [least, largest] = [Infinity, -Infinity];
  for (const one of numbers) {
    if (one < least) least = one;
    if (one > largest) largest = one;
  }
  const isPlain = categories === null || (categories.length <= MOST_CATEGORIES && categories.every((one) => typeof one !== "object" && String(one).length <= LONGEST_CATEGORY));
  return { ...named, categories, numbers, least, largest, isAxis: isPlain && least <= largest };
}

/** The key by which equal values are told. */
export function keyOf(value: Json): string {
  return JSON.stringify(value);
}

function categoriesOf(values: readonly Json[], choices: readonly Json[]): Json[] {
  const found = new Map(values.filter((value) => value !== null).map((value) => [keyOf(value), value]));
  const declared = choices.filter((one) => found.delete(keyOf(one)));
  return [...declared, ...[...found.values()].sort((one, other) => textOf(one).localeCompare(textOf(other), "en", { numeric: true }))];
}

/** Write a value of a column for people. */
export function shownValue(column: Pick<Column, "categories">, place: number): string {
  if (Number.isNaN(place)) return "–";
  if (column.categories === null) return format.number(place);
  return shownCategory(column.categories[place] ?? null);
}

/** Write a category for people. */
export function shownCategory(value: Json): string {
  return typeof value === "boolean" ? (value ? words.on : words.off) : textOf(value);
}

/** Write the label of a column with its unit. */
export function headingOf({ label, unit }: Pick<Column, "label" | "unit">): string {
  return unit ? `${label} (${format.unit(unit)})` : label;
}

/** Return whether the candidates differ in a column. */
export function varies({ least, largest }: Column): boolean {
  return least < largest;
}

/** Return the names of the axes that a chart begins with: what differs, some parameters and some metrics. */
export function firstAxes(columns: readonly Column[]): string[] {
  const fit = columns.filter((one) => one.isAxis && varies(one));
  const inputs = fit.filter((one) => !one.isMetric).slice(0, FIRST_PARAMETERS);
  const outputs = fit.filter((one) => one.isMetric).slice(0, FIRST_METRICS);
  const found = [...inputs, ...outputs];
  return (found.length > 0 ? found : columns.filter((one) => one.isAxis).slice(0, FIRST_PARAMETERS)).map(({ name }) => name);
}
