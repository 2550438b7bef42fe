// The conditions of parameters (`show_if`), whose reader and table of units are no part of the page's first view.
import type { Parameter } from "../api/types.ts";
import type { Values } from "./values.ts";

let reader: typeof import("./shown_if.ts") | null = null;

/** Return parameters, once what reads their conditions is there. While it can't be loaded, all parameters are shown. */
export async function withConditions(parameters: readonly Parameter[]): Promise<readonly Parameter[]> {
  if (parameters.some((one) => one.show_if)) reader ??= await import("./shown_if.ts").catch(() => null);
  return parameters;
}

/** Tell whether a form shows a parameter. */
export function isShown(parameter: Parameter, parameters: readonly Parameter[], values: Values): boolean {
  return !parameter.show_if || reader === null || reader.isShown(parameter, parameters, values);
}
