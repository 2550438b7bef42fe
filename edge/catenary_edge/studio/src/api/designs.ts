// Calls of the API for many designs of one project.
import type { SourceCalls } from "../state/sources.ts";
import type { Client } from "./client.ts";

/** Batches and studies that are offered, and the most rows of a page. */
const NEWEST = 30;
const PAGE = 200;

export function designCalls(client: Client, projectId: string): SourceCalls {
  const project = `/v1/projects/${encodeURIComponent(projectId)}`;
  const study = (studyId: string) => `/v1/studies/${encodeURIComponent(studyId)}`;
  return {
    batches: async () => (await client.page<never>(`${project}/batches`, "batches", NEWEST, null)).rows,
    studies: async () => (await client.page<never>(`${project}/studies`, "studies", NEWEST, null)).rows,
    stored: (modelVersionId, cursor) => client.page(`${project}/evaluations?${new URLSearchParams({ model_version_id: modelVersionId })}`, "evaluations", PAGE, cursor),
    ofBatch: (batchId, cursor) => client.page(`${project}/evaluations?${new URLSearchParams({ batch_id: batchId })}`, "evaluations", PAGE, cursor),
    ofStudy: (studyId, cursor) => client.page(`${study(studyId)}/results`, "results", PAGE, cursor),
    ofFront: (studyId, cursor) => client.page(`${study(studyId)}/front`, "results", PAGE, cursor),
  };
}
