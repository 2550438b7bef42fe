// Calls of the API for many designs of one project.
import type { DesignRequestCalls } from "../state/design_request.ts";
import type { SourceCalls } from "../state/sources.ts";
import { ApiError, type Client } from "./client.ts";
import type { Batch, Plan, Study } from "./types.ts";

/** Batches and studies that are listed at a time, and the most rows of a page. */
const LISTED = 30;
const PAGE = 200;
const NOT_FOUND = 404;
/** The refusal of an id that is none: it names nothing either. */
const BAD_REQUEST = 400;

export function designCalls(client: Client, projectId: string): SourceCalls {
  const project = `/v1/projects/${encodeURIComponent(projectId)}`;
  const study = (studyId: string) => `/v1/studies/${encodeURIComponent(studyId)}`;
  return {
    batches: (cursor) => client.page(`${project}/batches`, "batches", LISTED, cursor),
    studies: (cursor) => client.page(`${project}/studies`, "studies", LISTED, cursor),
    batch: (batchId) => ofProject(projectId, client.change<Batch>("GET", `/v1/batches/${encodeURIComponent(batchId)}`, "batch")),
    study: (studyId) => ofProject(projectId, client.change<Study>("GET", study(studyId), "study")),
    stored: (modelVersionId, cursor) => client.page(`${project}/evaluations?${new URLSearchParams({ model_version_id: modelVersionId })}`, "evaluations", PAGE, cursor),
    ofBatch: (batchId, cursor) => client.page(`${project}/evaluations?${new URLSearchParams({ batch_id: batchId })}`, "evaluations", PAGE, cursor),
    ofStudy: (studyId, cursor) => client.page(`${study(studyId)}/results`, "results", PAGE, cursor),
    ofFront: (studyId, cursor) => client.page(`${study(studyId)}/front`, "points", PAGE, cursor),
    indices: (studyId) => client.change("GET", `${study(studyId)}/indices`, "indices"),
    cancelBatch: (batchId) => client.change("DELETE", `/v1/batches/${encodeURIComponent(batchId)}`, "batch"),
    cancelStudy: (studyId) => client.change("POST", `${study(studyId)}/cancel`, "study", {}),
  };
}

export function designRequestCalls(client: Client, projectId: string): DesignRequestCalls {
  const project = `/v1/projects/${encodeURIComponent(projectId)}`;
  return {
    sample: async (asked, name) => {
      const plan = await client.change<Plan>("POST", `${project}/evaluate/plan`, "plan", asked);
      try {
        return await client.change<Batch>("POST", `${project}/evaluate/batch`, "batch", { plan_id: plan.plan_id, name });
      } finally {
        // A project has room for a hundred plans. This one has been used, and goes in a day by itself.
        void client.change("DELETE", `/v1/plans/${encodeURIComponent(plan.plan_id)}`, "plan").catch(() => undefined);
      }
    },
    study: (asked) => client.change("POST", `${project}/studies`, "study", asked),
  };
}

/** Return what is found if it is of a project; null where it is of another one, or nothing is found. */
async function ofProject<Found extends { project_id: string }>(projectId: string, reading: Promise<Found>): Promise<Found | null> {
  try {
    const found = await reading;
    return found.project_id === projectId ? found : null;
  } catch (error) {
    if (error instanceof ApiError && (error.status === NOT_FOUND || error.status === BAD_REQUEST)) return null;
    throw error;
  }
}
