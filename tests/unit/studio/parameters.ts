import type { Parameter } from "../../../edge/catenary_edge/studio/src/api/types.ts";

/** Make a parameter as the API lists it. */
export function parameter(name: string, given: Partial<Parameter> = {}): Parameter {
  return { name, label: name, type: "number", default: 1, min: null, max: null, step: null, choices: [], unit: null, group: null, description: "", show_if: null, ...given };
}
