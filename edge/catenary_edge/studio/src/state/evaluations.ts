// The evaluations that a project has stored for its deployed version.
import type { Evaluation, Json, Parameter } from "../api/types.ts";
import { common, values } from "../texts/common.ts";
import { evaluation as texts } from "../texts/history.ts";
import * as format from "./format.ts";
import { changedFrom } from "./values.ts";

/** Values that are named of each evaluation. */
const MOST_NAMED = 4;

/** Name the values by which an evaluation differs from the defaults. */
export function describe(evaluation: Pick<Evaluation, "parameters">, parameters: readonly Parameter[]): string {
  const changed = changedFrom(parameters, evaluation.parameters);
  const named = parameters.filter((one) => one.name in changed).map((one) => `${format.title(one.label || one.name)} ${valueOf(changed[one.name]!, one)}`);
  if (named.length === 0) return texts.allDefaults;
  const left = named.length - MOST_NAMED;
  return `${named.slice(0, MOST_NAMED).join(", ")}${left > 0 ? texts.andMore(left) : ""}`;
}

function valueOf(value: Json, parameter: Parameter): string {
  if (typeof value === "number") return format.measure(format.number(value), parameter.unit);
  if (typeof value === "boolean") return value ? values.on : values.off;
  return typeof value === "object" ? texts.changed : value;
}

/** Say how an evaluation ended: which constraints are broken, or why there is no result. */
export function verdictOf({ status, constraints }: Evaluation): { text: string; isGood: boolean } {
  if (status !== "completed") return { text: texts.states[status] ?? status, isGood: false };
  const all = Object.values(constraints);
  const broken = all.filter((one) => !one.satisfied).length;
  if (all.length === 0) return { text: "", isGood: true };
  return broken === 0 ? { text: common.pass, isGood: true } : { text: texts.broken(broken, all.length), isGood: false };
}
