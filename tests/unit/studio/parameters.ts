import type { Evaluation, Parameter } from "../../../edge/catenary_edge/studio/src/api/types.ts";

/** Make a parameter as the API lists it. */
export function parameter(name: string, given: Partial<Parameter> = {}): Parameter {
  return { name, label: name, type: "number", default: 1, min: null, max: null, step: null, choices: [], unit: null, group: null, description: "", show_if: null, positive: false, order: 0, columns: [], accept: [], max_bytes: null, ...given };
}

/** Make a stored evaluation as the API shows it. */
export function evaluation(given: Partial<Evaluation> = {}): Evaluation {
  return {
    evaluation_id: "1",
    model_version_id: "v",
    status: "completed",
    parameters: {},
    metrics: {},
    constraints: {},
    tables: {},
    files: [],
    charts: [],
    geometry: [],
    error: null,
    duration_ms: 1,
    cached: false,
    created_by: null,
    created_at: "2026-11-27T08:00:00Z",
    log: null,
    ...given,
  };
}
