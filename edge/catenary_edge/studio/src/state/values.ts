// The values of a project's parameters: defaults, entries by people, and what a request sends.
import type { Json, Parameter } from "../api/types.ts";

export type Values = Readonly<Record<string, Json>>;

/** Return the default of every parameter. */
export function defaultsOf(parameters: readonly Parameter[]): Values {
  return Object.fromEntries(parameters.map((one) => [one.name, one.default]));
}

/** Return the values that differ from the defaults: the rest need not be sent. */
export function changedFrom(parameters: readonly Parameter[], values: Values): Values {
  const changed = parameters.filter((one) => one.name in values && !isSame(values[one.name]!, one.default));
  return Object.fromEntries(changed.map((one) => [one.name, values[one.name]!]));
}

/** Return the values that other parameters take too, as those of another version of a model. */
export function fitting(parameters: readonly Parameter[], values: Values): Values {
  return Object.fromEntries(parameters.filter((one) => one.name in values && fits(one, values[one.name]!)).map((one) => [one.name, values[one.name]!]));
}

function fits(parameter: Parameter, value: Json): boolean {
  const { type, choices, min, max, step } = parameter;
  if (type === "choice") return choices.some((one) => isSame(one, value));
  if (type === "file") return true;
  if (typeof value !== typeof parameter.default || Array.isArray(value) !== Array.isArray(parameter.default)) {
    return typeof value === "object" && value !== null && "unit" in value && parameter.unit !== null; // the server converts it
  }
  if (typeof value !== "number") return true;
  const places = step === null ? 0 : (value - (min ?? 0)) / step;
  const isWhole = type !== "integer" || Number.isInteger(value);
  return isWhole && value >= (min ?? -Infinity) && value <= (max ?? Infinity) && Math.abs(places - Math.round(places)) <= OFF_STEP;
}

/** How far off its steps a value may be, counted in steps. */
const OFF_STEP = 1e-9;

export function isSame(one: Json, other: Json): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

const ENTRY = /^([+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:e[+-]?\d+)?)\s*(\S.*)?$/i;

/** Read a number with a decimal point or comma and perhaps a unit, such as `3,6 m`; undefined if it is none. */
export function readEntry(text: string, parameter: Pick<Parameter, "unit">): Json | undefined {
  const found = ENTRY.exec(text.trim());
  if (found === null) return undefined;
  const value = Number(found[1]!.replace(",", "."));
  if (!Number.isFinite(value)) return undefined;
  const unit = found[2]?.trim();
  if (unit === undefined || unit === parameter.unit) return value;
  return parameter.unit === null ? undefined : { value, unit };
}

/** Tell whether a parameter is shown as a slider: a number with both bounds. */
export function isSlider(parameter: Parameter): boolean {
  return (parameter.type === "number" || parameter.type === "integer") && parameter.min !== null && parameter.max !== null && parameter.min < parameter.max;
}

/** Return the distance of a slider's places: the declared step, 1 of integers, else a round part of the range. */
export function stepOf(parameter: Parameter): number {
  if (parameter.step !== null) return parameter.step;
  if (parameter.type === "integer") return 1;
  const part = ((parameter.max ?? 1) - (parameter.min ?? 0)) / 200;
  return 10 ** Math.floor(Math.log10(part));
}

/** Return the value of a slider's place counted from the least one, without the noise of binary fractions. */
export function atPlace(parameter: Parameter, place: number): number {
  const [low, step] = [parameter.min ?? 0, stepOf(parameter)];
  const exact = Math.min(low + place * step, parameter.max ?? Infinity);
  return Number(exact.toPrecision(12));
}

/** Return the number of a slider's places after the first one. */
export function placesOf(parameter: Parameter): number {
  const [low, high] = [parameter.min ?? 0, parameter.max ?? 1];
  const whole = (high - low) / stepOf(parameter);
  return parameter.step === null && parameter.type === "number" ? Math.ceil(whole - 1e-9) : Math.floor(whole + 1e-9);
}

/** Return the place of a value on its slider. */
export function placeOf(parameter: Parameter, value: Json | undefined): number {
  const number = typeof value === "number" ? value : Number(parameter.default);
  return Math.max(0, Math.min(placesOf(parameter), Math.round((number - (parameter.min ?? 0)) / stepOf(parameter))));
}

/** Return parameters in their order by group; those without a group come under "". */
export function grouped(parameters: readonly Parameter[]): ReadonlyMap<string, readonly Parameter[]> {
  const found = new Map<string, Parameter[]>();
  for (const one of parameters) {
    const group = one.group ?? "";
    found.set(group, [...(found.get(group) ?? []), one]);
  }
  return found;
}

export const AXES = ["x", "y", "z"] as const;

/** Return the coordinates of a point, given plainly or with a unit; none of anything else. */
export function coordinatesOf(value: Json): readonly Json[] {
  const plain = typeof value === "object" && value !== null && !Array.isArray(value) ? value["value"] : value;
  return Array.isArray(plain) && plain.length === AXES.length ? plain : [];
}

/** Return a point with another coordinate in the declared unit; undefined if the text is no number in it. */
export function withCoordinate(value: Json, axis: number, text: string, unit: string | null): Json | undefined {
  const found = readEntry(text, { unit });
  const known = Array.isArray(value) ? coordinatesOf(value) : []; // one in another unit comes back in the declared one
  if (typeof found !== "number" || known.length === 0) return undefined;
  return known.map((one, place) => (place === axis ? found : one));
}
