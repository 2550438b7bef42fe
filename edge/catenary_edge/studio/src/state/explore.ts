// The charts of many designs: what is read, which of it is shown, and what a saved view keeps of it.
import type { Parameter, Study, StudyIndices, ViewChart, ViewFilter } from "../api/types.ts";
import { columnsOf, firstAxes, type Candidate, type Column } from "./candidates.ts";
import { hitsOf, withFilter, type Filters } from "./filters.ts";
import { CLOCK, type Clock } from "./live.ts";
import { SourceList } from "./source_list.ts";
import { isGrowing, keyOfSource, NOTHING, readings, type Reading, type Source, type SourceCalls } from "./sources.ts";

export type ChartKind = ViewChart["kind"];

/** A chart as it is shown. Filters are of all charts together. */
export interface ChartSetup {
  id: number;
  kind: ChartKind;
  axes: readonly string[];
  color_by: string | null;
}

/** The most that a saved view takes. */
export const MOST_CHARTS = 50;
export const MOST_AXES = 50;
const MOST_FILTERS = 50;
/** Milliseconds until a source that grows is read again, and more for each page of it: a reading costs requests of the caller's hour. */
const AGAIN_MS = 5_000;
const AGAIN_PER_DESIGN_MS = 10;

/** What an event tells of a study that goes on. */
export type StudyProgress = Pick<Study, "study_id" | "counts" | "front_size" | "expected_end">;

/** What a version declares. */
export interface Declared {
  modelVersionId: string;
  parameters: readonly Parameter[];
  /** Names of its metrics in their order. */
  metrics: readonly string[];
}

/** Reads the designs of one source at a time. A call that fails is told in `failure`; what was read before stays. */
export class Explore {
  source: Source | null = null;
  reading: Reading = NOTHING;
  /** What the inputs count for, of a sensitivity that has ended. */
  indices: readonly StudyIndices[] = [];
  columns: readonly Column[] = [];
  charts: readonly ChartSetup[] = [];
  filters: Filters = {};
  isFeasibleOnly = false;
  /** Id of the design that was chosen; null without one. */
  chosen: string | null = null;
  isReading = false;
  /** Whether older sources are being listed. */
  isListing = false;
  isCancelling = false;
  /** Whether a brush moves: what takes long to draw waits for its rest. */
  isMoving = false;
  failure = "";
  /** Whether the source that was wanted is no more. */
  isOther = false;
  /** Whether charts were chosen, by a person or a saved view, and are not those that a page begins with. */
  isChosen = false;
  /** Which candidates are shown. */
  hits: Uint8Array = new Uint8Array();
  hitCount = 0;
  private nextId = 1;
  private turn = 0;
  private readonly found: SourceList;
  private isListed = false;
  private isWatched = false;
  private timer: unknown;

  constructor(
    private readonly calls: SourceCalls,
    private declared: Declared,
    private readonly changed: () => void = () => undefined,
    private readonly clock: Clock = CLOCK,
  ) {
    this.found = new SourceList(calls);
  }

  /** The sources that can be chosen; null as long as they are not known. */
  get sources(): readonly Source[] | null {
    return this.isListed ? this.found.list : null;
  }

  get hasOlderSources(): boolean {
    return this.found.hasOlder;
  }

  get candidates(): readonly Candidate[] {
    return this.reading.candidates;
  }

  /** Go on with other declarations of the same version. */
  declare(declared: Declared): void {
    this.declared = declared;
    this.shape();
  }

  /** The candidate that was chosen; null where it is not among those that were read. */
  get present(): Candidate | null {
    return this.candidates.find((one) => one.id === this.chosen) ?? null;
  }

  /** Read the sources, and the designs of the one of a key, else of the one that was chosen, else of the newest one. */
  async begin(key: string | null = null): Promise<void> {
    const turn = ++this.turn;
    [this.isReading, this.failure] = [true, ""];
    this.changed();
    try {
      await this.found.load();
      const wanted = key ?? (this.source && keyOfSource(this.source));
      const found = wanted === null ? null : await this.found.find(wanted);
      if (turn !== this.turn) return;
      this.isListed = true;
      this.isOther = wanted !== null && found === null;
      await this.read(found ?? this.found.list[0]!);
    } catch (error) {
      this.fail(turn, error);
    }
  }

  /** Read the designs of a source in place of those before. */
  async read(source: Source): Promise<void> {
    const turn = ++this.turn;
    const isNew = this.source === null || keyOfSource(this.source) !== keyOfSource(source);
    [this.source, this.isReading, this.failure] = [source, true, ""];
    if (isNew) {
      this.take(NOTHING);
      this.indices = [];
    }
    this.changed();
    try {
      const isSensitivity = source.kind === "study" && source.study.kind === "sensitivity" && !isGrowing(source);
      const indices = isSensitivity ? await this.calls.indices(source.study.study_id) : [];
      if (turn !== this.turn) return;
      this.indices = indices;
      for await (const reading of readings(source, this.declared.modelVersionId, this.calls, () => turn === this.turn && this.isReading)) {
        if (turn !== this.turn) return;
        if (reading.candidates.length >= this.candidates.length || reading.isWhole) this.take(reading);
        this.changed();
      }
      if (turn === this.turn) this.isReading = false;
    } catch (error) {
      this.fail(turn, error);
    }
    if (turn !== this.turn) return;
    this.wait();
    this.changed();
  }

  /** Go on with what has been read, and a page that is under way. */
  stop(): void {
    this.isReading = false;
    this.changed();
  }

  /** List older batches and studies too. */
  async older(): Promise<void> {
    this.isListing = true;
    this.changed();
    try {
      await this.found.older();
    } catch (error) {
      this.failure = messageOf(error);
    }
    this.isListing = false;
    this.changed();
  }

  /** Cancel the batch or the study of a source; designs that have been computed stay. */
  async cancel(source: Source): Promise<void> {
    if (source.kind === "stored") return;
    this.isCancelling = true;
    this.changed();
    let failure = "";
    try {
      await (source.kind === "batch" ? this.calls.cancelBatch(source.batch.batch_id) : this.calls.cancelStudy(source.study.study_id));
    } catch (error) {
      failure = messageOf(error); // it may have ended meanwhile
    }
    this.isCancelling = false;
    await this.begin();
    if (failure && this.source !== null && isGrowing(this.source)) this.failure ||= failure;
    this.changed();
  }

  /** Read a source again and again while it grows, as long as somebody looks. */
  watch(isWatched: boolean): void {
    if (isWatched === this.isWatched) return;
    this.isWatched = isWatched;
    this.wait();
  }

  /** Take the end of a batch or a study: it can be chosen, and is read to its end if it is shown. */
  async hear(): Promise<void> {
    if (!this.isListed || this.isReading) return;
    if (this.source !== null && isGrowing(this.source)) return this.begin();
    await this.found.load().catch(() => undefined); // it is tried again with the next event
    this.changed();
  }

  /** Take how far a study has come; its designs are read in their turn. */
  follow({ study_id, counts, front_size, expected_end }: StudyProgress): void {
    const { source } = this;
    if (source === null || !("study" in source) || source.study.study_id !== study_id || !isGrowing(source)) return;
    this.source = { ...source, study: { ...source.study, status: "running", counts, front_size, expected_end } };
    this.changed();
  }

  private wait(): void {
    this.clock.cancel(this.timer);
    if (!this.isWatched || this.isReading || this.source === null || !isGrowing(this.source)) return;
    this.timer = this.clock.later(AGAIN_MS + AGAIN_PER_DESIGN_MS * this.candidates.length, () => void this.begin());
  }

  private fail(turn: number, error: unknown): void {
    if (turn !== this.turn) return;
    [this.isReading, this.failure] = [false, messageOf(error)];
    this.wait();
    this.changed();
  }

  private take(reading: Reading): void {
    this.reading = reading;
    this.shape();
  }

  private shape(): void {
    const { parameters, metrics } = this.declared;
    this.columns = columnsOf(this.candidates, parameters, { names: metrics, units: this.reading.units });
    if (!this.isChosen) {
      const axes = firstAxes(this.columns);
      this.charts = axes.length === 0 ? [] : [{ id: this.charts[0]?.id ?? this.nextId++, kind: "parallel", axes, color_by: this.charts[0]?.color_by ?? null }];
    }
    this.count();
  }

  private count(): void {
    const { candidates } = this;
    this.hits = hitsOf(this.filters, this.columns, candidates.length);
    if (this.isFeasibleOnly) candidates.forEach((one, place) => one.isFeasible || (this.hits[place] = 0));
    this.hitCount = this.hits.reduce((sum, one) => sum + one, 0);
  }

  filter(name: string, filter: ViewFilter | null): void {
    this.filters = withFilter(this.filters, name, filter);
    this.count();
    this.changed();
  }

  /** Go on after a brush has moved. */
  rest(): void {
    if (!this.isMoving) return;
    this.isMoving = false;
    this.changed();
  }

  clearFilters(): void {
    this.narrow({}, false);
  }

  /** Show what meets some filters in place of those before. */
  narrow(filters: Filters, isFeasibleOnly: boolean): void {
    [this.filters, this.isFeasibleOnly] = [filters, isFeasibleOnly];
    this.count();
    this.changed();
  }

  showFeasible(only: boolean): void {
    this.isFeasibleOnly = only;
    this.count();
    this.changed();
  }

  choose(id: string | null): void {
    this.chosen = id;
    this.changed();
  }

  /** Add a chart with axes that fit its kind. */
  add(kind: ChartKind): void {
    if (this.charts.length < MOST_CHARTS) this.put([...this.charts, { id: this.nextId++, kind, axes: axesFor(kind, this.columns), color_by: null }]);
  }

  change(id: number, fields: Partial<Omit<ChartSetup, "id">>): void {
    this.put(this.charts.map((one) => (one.id === id ? { ...one, ...fields } : one)));
  }

  remove(id: number): void {
    this.put(this.charts.filter((one) => one.id !== id));
  }

  private put(charts: readonly ChartSetup[]): void {
    [this.charts, this.isChosen] = [charts, true];
    this.changed();
  }

  /** Show the charts of a saved view, and the designs that the filters of all of them let pass. */
  show(charts: readonly ViewChart[]): void {
    if (charts.length === 0) return;
    this.filters = Object.assign({}, ...charts.map(({ filters }) => filters).reverse()) as Filters;
    this.count();
    this.put(charts.map(({ kind, axes, color_by }) => ({ id: this.nextId++, kind, axes, color_by })));
  }

  /** Return the charts as a view is saved with them, without names that the version lacks; null where nothing was chosen. */
  saved(): ViewChart[] | null {
    const isFiltered = Object.keys(this.filters).length > 0;
    if (this.charts.length === 0 || !(this.isChosen || isFiltered)) return this.isChosen ? [] : null;
    const known = new Set([...this.declared.parameters.map(({ name }) => name), ...this.declared.metrics]);
    const filters = Object.fromEntries(Object.entries(this.filters).filter(([name]) => known.has(name)).slice(0, MOST_FILTERS));
    return this.charts
      .map(({ kind, axes, color_by }) => ({ kind, axes: axes.filter((name) => known.has(name)).slice(0, MOST_AXES), color_by: color_by !== null && known.has(color_by) ? color_by : null, filters }))
      .filter(({ axes }) => axes.length > 0);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Return axes with which a chart of a kind begins. */
export function axesFor(kind: ChartKind, columns: readonly Column[]): string[] {
  const first = firstAxes(columns);
  if (kind === "parallel") return first;
  const isMetric = new Map(columns.map((one) => [one.name, one.isMetric]));
  const metrics = first.filter((name) => isMetric.get(name));
  const inputs = first.filter((name) => !isMetric.get(name));
  if (kind === "scatter_matrix") return [...inputs.slice(0, 2), ...metrics.slice(0, 3)];
  if (kind === "scatter") return (metrics.length > 1 ? metrics : [...inputs, ...metrics]).slice(0, 2);
  return [...inputs.slice(0, 1), ...metrics].slice(0, 2);
}

/** Return the columns of a chart's axes, without those that can't be drawn. */
export function columnsFor(axes: readonly string[], columns: readonly Column[]): Column[] {
  const known = new Map(columns.filter((one) => one.isAxis).map((one) => [one.name, one]));
  return axes.flatMap((name) => known.get(name) ?? []);
}
