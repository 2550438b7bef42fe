// The evaluations that a project has stored for its deployed version.
import type { Evaluation, Json, Parameter } from "../api/types.ts";
import * as format from "./format.ts";
import { changedFrom } from "./values.ts";

/** Values that are named of each evaluation. */
const MOST_NAMED = 4;

/** Name the values by which an evaluation differs from the defaults. */
export function describe(evaluation: Evaluation, parameters: readonly Parameter[]): string {
  const changed = changedFrom(parameters, evaluation.parameters);
  const named = parameters.filter((one) => one.name in changed).map((one) => `${format.title(one.label || one.name)} ${valueOf(changed[one.name]!, one)}`);
  if (named.length === 0) return "All values as the model gives them";
  const left = named.length - MOST_NAMED;
  return `${named.slice(0, MOST_NAMED).join(", ")}${left > 0 ? ` and ${left} more` : ""}`;
}

function valueOf(value: Json, parameter: Parameter): string {
  if (typeof value === "number") return `${format.number(value)}${parameter.unit ? ` ${format.unit(parameter.unit)}` : ""}`;
  if (typeof value === "boolean") return value ? "on" : "off";
  return typeof value === "object" ? "changed" : value;
}

const STATES: Readonly<Record<string, string>> = { queued: "waiting", running: "running", failed: "failed", timed_out: "took too long", cancelled: "cancelled" };

/** Say how an evaluation ended: which constraints are broken, or why there is no result. */
export function verdictOf({ status, constraints }: Evaluation): { text: string; isGood: boolean } {
  if (status !== "completed") return { text: STATES[status] ?? status, isGood: false };
  const all = Object.values(constraints);
  const broken = all.filter((one) => !one.satisfied).length;
  if (all.length === 0) return { text: "", isGood: true };
  return broken === 0 ? { text: "✓ pass", isGood: true } : { text: `✕ ${broken} of ${all.length} fail`, isGood: false };
}
