// Designs side by side, each against the first.
import type { Compared, Json, Outcome, Parameter } from "../api/types.ts";
import { ordered } from "./order.ts";
import { isSame } from "./values.ts";

/** A design with the name that stands over its column. */
export interface NamedOutcome {
  name: string;
  outcome: Outcome;
}

/** What a comparison shows. */
export interface SideBySide {
  variants: readonly { name: string }[];
  parameters: readonly Compared[];
  metrics: readonly Compared[];
}

interface Value {
  value: Json;
  unit: string | null;
}

/** Return designs of one model side by side: its parameters as they are declared, and its metrics in the given order. */
export function sideBySide(designs: readonly NamedOutcome[], parameters: readonly Parameter[], metrics: readonly string[]): SideBySide {
  const names = Object.fromEntries(designs.flatMap(({ outcome }) => Object.keys(outcome.metrics)).map((name) => [name, name]));
  return {
    variants: designs.map(({ name }) => ({ name })),
    parameters: parameters.map(({ name, unit }) => compared(name, designs.map(({ outcome }) => (name in outcome.parameters ? { value: outcome.parameters[name]!, unit } : null)))),
    metrics: ordered(names, metrics).map(([name]) => compared(name, designs.map(({ outcome }) => outcome.metrics[name] ?? null))),
  };
}

function compared(name: string, values: readonly (Value | null)[]): Compared {
  const first = values[0] ?? null;
  return {
    name,
    differs: values.some((one) => !isAlike(one, first)),
    items: values.map((one) => ({ value: one?.value ?? null, unit: one?.unit ?? null, difference: difference(one, first) })),
  };
}

function isAlike(one: Value | null, first: Value | null): boolean {
  return one === null || first === null ? one === first : one.unit === first.unit && isSame(one.value, first.value);
}

function difference(one: Value | null, first: Value | null): number | null {
  if (typeof one?.value !== "number" || typeof first?.value !== "number" || one.unit !== first.unit) return null;
  return one.value - first.value;
}
