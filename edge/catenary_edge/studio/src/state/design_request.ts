// What is asked of the platform when many designs are computed: a sample of the inputs' ranges, a search for the best designs, or a
// measurement of what each input counts for.
import type { Batch, Json, Parameter, Study } from "../api/types.ts";
import { designRequest as texts } from "../texts/designs.ts";
import { readBound } from "./filters.ts";
import { title } from "./format.ts";
import { isSame, isSlider, type Values } from "./values.ts";

export const PURPOSES = ["sample", "search", "sensitivity"] as const;
export type Purpose = (typeof PURPOSES)[number];
export type Direction = "minimize" | "maximize";

/** What a person enters of an input: whether it varies, and its bounds, of which an empty one is the model's. */
export interface Range {
  varies: boolean;
  min: string;
  max: string;
}

/** What a person has entered; what is not there is as it begins. */
export interface Entries {
  purpose: Purpose;
  ranges: Readonly<Record<string, Range>>;
  /** Metrics by which is searched. */
  directions: Readonly<Record<string, Direction>>;
  /** Metrics for which the inputs count. */
  measured: Readonly<Record<string, boolean>>;
  /** What designs of a search must meet: an expression on each line. */
  conditions: string;
  size: string;
  name: string;
}

export const BEGUN: Entries = { purpose: "sample", ranges: {}, directions: {}, measured: {}, conditions: "", size: "", name: "" };

/** Designs that are computed unless somebody says otherwise. */
export const SIZES: Readonly<Record<Purpose, number>> = { sample: 200, search: 500, sensitivity: 500 };
/** The most designs that the platform takes at a time. */
const MOST: Readonly<Record<Purpose, number>> = { sample: 10_000, search: 100_000, sensitivity: 100_000 };
/** The most objectives of a study. */
export const MOST_OBJECTIVES = 6;

/** Calls of the API that begin the computation of many designs. */
export interface DesignRequestCalls {
  sample(plan: object, name: string): Promise<Batch>;
  study(asked: object): Promise<Study>;
}

/** An entry that can't be taken, with what must be there instead. */
export class EntryError extends Error {}

/** Tell whether an input can vary. */
export function canVary({ type, choices }: Parameter): boolean {
  return type === "number" || type === "integer" || type === "boolean" || (type === "choice" && choices.length > 1);
}

/** Tell whether an input has bounds; others take all of their values. */
export function isBounded({ type }: Parameter): boolean {
  return type === "number" || type === "integer";
}

/** Return what was entered of an input; one without bounds of its own stays until somebody gives some. */
export function rangeOf({ ranges }: Entries, parameter: Parameter): Range {
  return ranges[parameter.name] ?? { varies: canVary(parameter) && (!isBounded(parameter) || isSlider(parameter)), min: "", max: "" };
}

/** Return the metrics for which the inputs count: those that were chosen, at first as many as a study takes. */
export function measuredOf({ measured }: Entries, metrics: readonly string[]): string[] {
  return metrics.filter((name, place) => measured[name] ?? place < MOST_OBJECTIVES);
}

/**
 * Begin the computation of what was entered. Inputs that don't vary keep the values of the design.
 *
 * @throws EntryError for an entry that can't be taken, and what the calls throw.
 */
export async function begin(entries: Entries, parameters: readonly Parameter[], metrics: readonly string[], values: Values, calls: DesignRequestCalls): Promise<string> {
  const { purpose, name } = entries;
  const size = sizeOf(entries);
  const varied = parameters.filter((one) => rangeOf(entries, one).varies);
  if (varied.length === 0) throw new EntryError(texts.nothingVaries);
  const ranges = varied.map((one): [string, object] => [one.name, boundsOf(entries, one)]);
  const kept = parameters.filter((one) => !varied.includes(one) && values[one.name] !== undefined);
  if (purpose === "sample") {
    const changed = kept.filter((one) => !isSame(values[one.name]!, one.default));
    const planned = Object.fromEntries([...ranges, ...changed.map((one): [string, object] => [one.name, { values: [values[one.name]] }])]);
    return `batch:${(await calls.sample({ kind: "sobol", size, parameters: planned }, name)).batch_id}`;
  }
  const objectives = purpose === "search" ? wantedOf(entries, metrics) : measuredOf(entries, metrics).map((metric) => ({ metric }));
  if (objectives.length === 0) throw new EntryError(purpose === "search" ? texts.noObjective : texts.noMetric);
  if (objectives.length > MOST_OBJECTIVES) throw new EntryError(texts.tooManyObjectives(MOST_OBJECTIVES));
  // One that could vary does so unless it is fixed; the others have no range, and are told where they have changed.
  const fixed = kept.filter((one) => canVary(one) || !isSame(values[one.name]!, one.default));
  const studied = Object.fromEntries([...ranges, ...fixed.map((one): [string, object] => [one.name, { fixed: values[one.name] as Json }])]);
  const study = { objectives, budget: size, parameters: studied, name };
  const asked = purpose === "search" ? { kind: "optimization", ...study, constraints: constraintsOf(entries) } : { kind: "sensitivity", ...study };
  try {
    return `study:${(await calls.study(asked)).study_id}`;
  } catch (error) {
    // The platform names a place in the request; a person has typed lines.
    if (error instanceof Error) error.message = error.message.replace(/constraints\[(\d+)\]\.expression/g, (_, place) => texts.condition(Number(place) + 1));
    throw error;
  }
}

function sizeOf({ purpose, size }: Entries): number {
  const found = size.trim() === "" ? SIZES[purpose] : readBound(size);
  if (typeof found === "number" && Number.isInteger(found) && found >= 1 && found <= MOST[purpose]) return found;
  throw new EntryError(texts.size(MOST[purpose].toLocaleString("en")));
}

function boundsOf(entries: Entries, parameter: Parameter): object {
  if (!isBounded(parameter)) return {};
  const { min, max } = rangeOf(entries, parameter);
  const found = { min: readBound(min), max: readBound(max) };
  const label = title(parameter.label || parameter.name);
  const [low, high] = [found.min ?? parameter.min, found.max ?? parameter.max];
  if (found.min === undefined || found.max === undefined) throw new EntryError(texts.noNumber(label));
  if (low === null || high === null) throw new EntryError(texts.noBounds(label));
  if (low >= high) throw new EntryError(texts.wrongWay(label));
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== null));
}

function constraintsOf({ conditions }: Entries): object[] {
  const lines = conditions.split("\n").map((line) => line.trim());
  return lines.filter((line) => line !== "").map((expression) => ({ expression }));
}

function wantedOf({ directions }: Entries, metrics: readonly string[]): object[] {
  return metrics.flatMap((metric) => (directions[metric] === undefined ? [] : [{ metric, direction: directions[metric] }]));
}
