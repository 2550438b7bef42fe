// Whether a form shows a parameter: its condition `show_if` (see the guide's page about models), over the present values. The
// page loads this module where a model has a condition (`conditions.ts`), since it brings the table of units.
import type { Json, Parameter } from "../api/types.ts";
import { computed } from "./expression.ts";
import { isAlike, measured, Refused, truth, type Operand } from "./quantity.ts";
import type { Values } from "./values.ts";

const TEXTS = new Set(["string", "color", "date"]);

/** Tell whether a form shows a parameter with a condition; it does where that can't be told. */
export function isShown(parameter: Parameter, parameters: readonly Parameter[], values: Values): boolean {
  try {
    return truthOf(parameter, parameters, values) !== false;
  } catch {
    return true;
  }
}

/** Compute a parameter's condition; undefined where it can't be told. What the check of a version refuses throws `Refused`. */
export function truthOf({ name: own, show_if }: Parameter, parameters: readonly Parameter[], values: Values): boolean | undefined {
  const lookUp = (name: string): Operand => {
    const named = parameters.find((one) => one.name === name);
    if (named === undefined || name === own) throw new Refused(`${name} is no other parameter`);
    return operandOf(named, values[name] ?? null);
  };
  return truth(computed(show_if ?? "", lookUp)).value;
}

/** Return the value of a parameter as an operand. */
function operandOf(parameter: Parameter, value: Json): Operand {
  const { choices, type } = parameter;
  const ofTexts = choices.filter((one) => typeof one === "string").length;
  if (type === "boolean") return { kind: "truth", value: typeof value === "boolean" ? value : undefined };
  if (TEXTS.has(type ?? "") || (type === "choice" && ofTexts === choices.length)) return { kind: "text", value: typeof value === "string" ? value : undefined };
  if (type === "number" || type === "integer" || (type === "choice" && ofTexts === 0)) return quantityOf(parameter, value);
  throw new Refused(`${parameter.name} has no value for a condition`);
}

function quantityOf({ unit }: Parameter, value: Json): Operand {
  if (typeof value === "number") return measured(value, unit, false);
  const unknown = measured(undefined, unit, false);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return unknown;
  const { value: number, unit: given } = value;
  if (typeof number !== "number" || typeof given !== "string") return unknown;
  const found = measured(number, given, false);
  return isAlike(found, unknown) ? found : unknown; // the server refuses a value of another kind
}
