// Where many designs come from: stored evaluations, batches, studies and their fronts; read page by page.
import type { Page } from "../api/client.ts";
import type { Batch, Evaluation, Study, StudyIndices, StudyObjective, StudyResult } from "../api/types.ts";
import { sources as texts } from "../texts/designs.ts";
import { candidateOf, studyCandidateOf, type Candidate } from "./candidates.ts";
import * as format from "./format.ts";

export type Source = { kind: "stored" } | { kind: "batch"; batch: Batch } | { kind: "study" | "front"; study: Study };

/** Designs that are read of a source. */
export const MOST_CANDIDATES = 10_000;

/** The calls of the API that many designs need; the lists are newest first. */
export interface SourceCalls {
  batches(cursor: string | null): Promise<Page<Batch>>;
  studies(cursor: string | null): Promise<Page<Study>>;
  /** Reads a batch of the project; null where it has none of the id. */
  batch(batchId: string): Promise<Batch | null>;
  /** Reads a study of the project; null where it has none of the id. */
  study(studyId: string): Promise<Study | null>;
  stored(modelVersionId: string, cursor: string | null): Promise<Page<Evaluation>>;
  ofBatch(batchId: string, cursor: string | null): Promise<Page<Evaluation>>;
  ofStudy(studyId: string, cursor: string | null): Promise<Page<StudyResult>>;
  ofFront(studyId: string, cursor: string | null): Promise<Page<StudyResult>>;
  indices(studyId: string): Promise<StudyIndices[]>;
  cancelBatch(batchId: string): Promise<Batch>;
  cancelStudy(studyId: string): Promise<Study>;
}

export const STORED: Source = { kind: "stored" };

const FINAL = new Set(["completed", "failed", "cancelled"]);

/** Tell whether a source is still to get designs. */
export function isGrowing(source: Source): boolean {
  return source.kind !== "stored" && !FINAL.has(source.kind === "batch" ? source.batch.status : source.study.status);
}

/** How far the computation of designs has come. */
export interface Progress {
  ended: number;
  /** Designs at the end; a study may end before. */
  total: number;
  /** When the end is expected; null as long as nobody knows. */
  expectedEnd: string | null;
}

/** Return how far the batch or the study of a source has come; null of one that has ended. */
export function progressOf(source: Source): Progress | null {
  if (source.kind === "stored" || !isGrowing(source)) return null;
  const { counts, expected_end } = source.kind === "batch" ? source.batch : source.study;
  const total = source.kind === "batch" ? counts.total : source.study.budget;
  return { ended: counts.completed + counts.failed + counts.timed_out + counts.cancelled, total, expectedEnd: expected_end ?? null };
}

/** Return the id of who asked for the designs of a source; null of stored ones, and where that is not told. */
export function askerOf(source: Source): string | null {
  if (source.kind === "stored") return null;
  return (source.kind === "batch" ? source.batch : source.study).created_by?.user_id ?? null;
}

/** The key of a source, of which the sources of a project have different ones. */
export function keyOfSource(source: Source): string {
  if (source.kind === "stored") return "stored";
  return source.kind === "batch" ? `batch:${source.batch.batch_id}` : `${source.kind}:${source.study.study_id}`;
}

/** Name a source for people: the name of its request first. */
export function nameOfSource(source: Source): string {
  const given = source.kind === "stored" ? "" : (source.kind === "batch" ? source.batch : source.study).name;
  return given ? texts.named(given, kindOfSource(source)) : kindOfSource(source);
}

/** Return why the platform ended the batch or the study of a source before its time; empty where it didn't. */
export function endingOf(source: Source): string {
  if (source.kind === "stored") return "";
  if (source.kind === "batch") return source.batch.error?.message ?? "";
  const { error, stopped_by } = source.study;
  return error ?? (stopped_by === null || stopped_by === undefined ? "" : texts.stopped[stopped_by]);
}

function kindOfSource(source: Source): string {
  if (source.kind === "stored") return texts.stored;
  if (source.kind === "batch") return texts.batch(told(source.batch.counts.total, source.batch.created_at, source.batch.status));
  const { kind, counts, created_at, front_size, status, objectives } = source.study;
  if (source.kind === "front") return texts.front(told(front_size, created_at, status));
  return (kind === "sensitivity" ? texts.sensitivity : texts.study)(told(counts.total, created_at, status), objectives.map(nameOfObjective).join(", "));
}

function told(count: number, createdAt: string, status: string): string {
  return texts.designs(count, format.number(count), format.when(createdAt), status === "completed" ? "" : status);
}

/** Name an objective for people. */
export function nameOfObjective({ metric, expression, direction }: StudyObjective): string {
  const name = metric ? format.title(metric) : (expression ?? "");
  return direction === null || direction === undefined ? name : (direction === "maximize" ? texts.most : texts.least)(name);
}

/** Return the id of the version whose designs a source has; null for that of the page. */
export function versionOf(source: Source): string | null {
  if (source.kind === "stored") return null;
  return source.kind === "batch" ? source.batch.model_version_id : source.study.model_version_id;
}

/** What has been read of a source. */
export interface Reading {
  candidates: readonly Candidate[];
  units: Readonly<Record<string, string | null>>;
  /** Designs that are left out since they have no result, by why. */
  failed: number;
  unfinished: number;
  /** Whether all was read that there is. */
  isWhole: boolean;
}

export const NOTHING: Reading = { candidates: [], units: {}, failed: 0, unfinished: 0, isWhole: false };

type Row = Evaluation | StudyResult;

/** How much more must be there before it is shown again: ten thousand designs are drawn some ten times, not fifty. */
const GROWTH = 1.5;

/** Read a source page by page, until it ends, `goesOn` says no, or there are too many; tell what is there as it grows, and at the end. */
export async function* readings(source: Source, modelVersionId: string, calls: SourceCalls, goesOn: () => boolean): AsyncGenerator<Reading> {
  const read = pagesOf(source, modelVersionId, calls);
  const objectives = "study" in source ? source.study.objectives.map((one) => one.metric ?? one.expression ?? "") : [];
  const found: Candidate[] = [];
  const units: Record<string, string | null> = {};
  let [cursor, failed, unfinished, shown]: [string | null, number, number, number] = [null, 0, 0, 0];
  const present = (isWhole: boolean): Reading => ({ candidates: found.slice(0, MOST_CANDIDATES), units: { ...units }, failed, unfinished, isWhole: isWhole && found.length <= MOST_CANDIDATES });
  do {
    let page: Page<Row>;
    try {
      page = await read(cursor);
    } catch (error) {
      yield present(false);
      throw error;
    }
    for (const row of page.rows) {
      const candidate = "rank" in row ? studyCandidateOf(row, objectives) : candidateOf(row);
      if (candidate === null) {
        if (row.status === "queued" || row.status === "running") unfinished++;
        else failed++;
        continue;
      }
      for (const [name, { unit }] of Object.entries(row.metrics)) units[name] ??= unit ?? null;
      found.push(candidate);
    }
    cursor = page.next;
    if (cursor === null || found.length >= shown * GROWTH) {
      shown = found.length;
      yield present(cursor === null);
    }
  } while (cursor !== null && found.length < MOST_CANDIDATES && goesOn());
  if (cursor !== null) yield present(false);
}

function pagesOf(source: Source, modelVersionId: string, calls: SourceCalls): (cursor: string | null) => Promise<Page<Row>> {
  if (source.kind === "stored") return (cursor) => calls.stored(modelVersionId, cursor);
  if (source.kind === "batch") return (cursor) => calls.ofBatch(source.batch.batch_id, cursor);
  const { study_id } = source.study;
  return source.kind === "study" ? (cursor) => calls.ofStudy(study_id, cursor) : (cursor) => calls.ofFront(study_id, cursor);
}
