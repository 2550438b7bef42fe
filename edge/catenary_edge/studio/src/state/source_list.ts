// The sources of many designs that a project has: batches and studies, the newest first, and the stored evaluations last.
import type { Batch, Study } from "../api/types.ts";
import { Paged } from "./paged.ts";
import { keyOfSource, STORED, type Source, type SourceCalls } from "./sources.ts";

export class SourceList {
  private readonly batches: Paged<Batch>;
  private readonly studies: Paged<Study>;
  /** A source that was wanted and is older than those that were listed. */
  private wanted: readonly Source[] = [];

  constructor(private readonly calls: SourceCalls) {
    this.batches = new Paged((cursor) => calls.batches(cursor), (one) => one.batch_id);
    this.studies = new Paged((cursor) => calls.studies(cursor), (one) => one.study_id);
  }

  get hasOlder(): boolean {
    return this.batches.hasMore || this.studies.hasMore;
  }

  async load(): Promise<void> {
    await Promise.all([this.batches.load(), this.studies.load()]);
  }

  async older(): Promise<void> {
    await Promise.all([this.batches, this.studies].filter((one) => one.hasMore).map((one) => one.more()));
  }

  /** Return all sources that were read. */
  get list(): readonly Source[] {
    const dated = [
      ...this.batches.list.map((batch) => ({ at: batch.created_at, sources: sourcesOfBatch(batch) })),
      ...this.studies.list.map((study) => ({ at: study.created_at, sources: sourcesOfStudy(study) })),
    ];
    dated.sort((one, other) => Date.parse(other.at) - Date.parse(one.at));
    const listed = dated.flatMap(({ sources }) => sources);
    const keys = new Set(listed.map(keyOfSource));
    return [...listed, ...this.wanted.filter((one) => !keys.has(keyOfSource(one))), STORED];
  }

  /** Return the source of a key, which may be older than those that were listed; null where there is none. */
  async find(key: string): Promise<Source | null> {
    const listed = this.known(key);
    if (listed !== null && !this.wanted.includes(listed)) return listed;
    this.wanted = await this.read(key);
    return this.known(key);
  }

  private known(key: string): Source | null {
    return this.list.find((one) => keyOfSource(one) === key) ?? null;
  }

  private async read(key: string): Promise<readonly Source[]> {
    const [kind, id = ""] = key.split(":");
    if (kind === "batch") return sourcesOfBatch(await this.calls.batch(id));
    return kind === "study" || kind === "front" ? sourcesOfStudy(await this.calls.study(id)) : [];
  }
}

function sourcesOfBatch(batch: Batch | null): readonly Source[] {
  return batch === null ? [] : [{ kind: "batch", batch }];
}

function sourcesOfStudy(study: Study | null): readonly Source[] {
  if (study === null) return [];
  return [{ kind: "study", study }, ...(study.front_size > 0 ? [{ kind: "front", study } as const] : [])];
}
