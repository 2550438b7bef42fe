import type { StudyResult, Study, Batch } from "../../../edge/catenary_edge/studio/src/api/types.ts";
import { columnsOf, type Candidate, type Column } from "../../../edge/catenary_edge/studio/src/state/candidates.ts";
import { parameter } from "./parameters.ts";

const COUNTS = { total: 3, queued: 0, running: 0, completed: 3, failed: 0, timed_out: 0, cancelled: 0, cached: 0 };
const DATES = { created_at: "2026-11-27T08:00:00Z", updated_at: "2026-11-27T08:00:00Z", started_at: null, completed_at: null };

/** Make a candidate. */
export function candidate(id: string, given: Partial<Candidate> = {}): Candidate {
  return { id, parameters: {}, metrics: {}, isFeasible: true, ...given };
}

export const CANDIDATES = [
  candidate("a", { parameters: { span: 10, grade: "S355", open: true }, metrics: { mass: 5, sag: 1 } }),
  candidate("b", { parameters: { span: 20, grade: "S235", open: false }, metrics: { mass: 9 } }),
  candidate("c", { parameters: { span: 30, grade: "S235", open: true }, metrics: { mass: 2, sag: 3 }, isFeasible: false }),
];
export const PARAMETERS = [
  parameter("span", { label: "Span", default: 20, unit: "m" }),
  parameter("grade", { label: "", type: "choice", default: "S235", choices: ["S355", "S235", "S460"] }),
  parameter("open", { label: "Open", type: "boolean", default: false }),
];
export const COLUMNS = columnsOf(CANDIDATES, PARAMETERS, { names: ["sag", "mass"], units: { mass: "kg", sag: "mm" } });

/** Return a column of the three candidates. */
export function column(name: string): Column {
  return COLUMNS.find((one) => one.name === name)!;
}

/** Make a batch as the API lists it. */
export function batch(batch_id: string, given: Partial<Batch> = {}): Batch {
  return { batch_id, project_id: "p", status: "completed", model_version_id: "v", counts: COUNTS, created_by: null, geometry: false, name: "", note: "", error: null, expected_end: null, ...DATES, ...given };
}

/** Make a study as the API lists it. */
export function study(study_id: string, given: Partial<Study> = {}): Study {
  const plain = { status: "completed", kind: "optimization", algorithm: "nsga2", on_failure: "infeasible" } as const;
  const objectives = [{ metric: "mass", expression: null, direction: "minimize", reference: null }] as Study["objectives"];
  const numbers = { population: 2, budget: 3, seed: 1, generation: 1, front_size: 0, hypervolume: [], reference: [] };
  const lists = { objectives, constraints: [], parameters: {}, start_from: [], derived_metrics: [] };
  const asked = { name: "", note: "", stop: null, stopped_by: null, algorithm_reason: null, error_code: null };
  return { study_id, project_id: "p", model_version_id: "v", counts: COUNTS, expected_end: null, error: null, created_by: null, ...DATES, ...plain, ...numbers, ...lists, ...asked, ...given };
}

/** Make a point of a study as the API lists it. */
export function point(evaluation_id: string, given: Partial<StudyResult> = {}): StudyResult {
  const plain = { index: 0, generation: 1, status: "completed", parameters: {}, metrics: {}, constraints: {}, objectives: [], feasible: null, rank: null } as const;
  return { evaluation_id, error: null, cached: false, duration_ms: 1, completed_at: null, geometry: [], ...plain, objectives: [], ...given };
}
