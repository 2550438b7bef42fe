// One design of a project: its values, their history, and what the platform says of them.
import { ApiError } from "../api/client.ts";
import type { Evaluation, Json, Outcome, Parameter } from "../api/types.ts";
import { design as texts } from "../texts/design.ts";
import { History } from "./history.ts";
import { Newest } from "./newest.ts";
import type { Order } from "./order.ts";
import { Pace } from "./pace.ts";
import { changedFrom, defaultsOf, isSame, type Values } from "./values.ts";

const REST_MS = 150;
/** How long a live result may take before it is computed as an evaluation, which tells its progress and can be cancelled. */
const PATIENCE_MS = 2000;
/** Designs that are pinned at one time at most. */
export const MOST_PINNED = 3;

/** The live session as a design uses it. */
export interface Live {
  readonly isUsable: boolean;
  readonly isWaiting: boolean;
  readonly owesResult: boolean;
  send(values: Values): void;
  forget(): void;
  rest(): void;
}

export interface Ways {
  /** Computes values that differ from the defaults as a stored evaluation. */
  evaluate(values: Values, watch?: (unfinished: Evaluation) => void): Promise<Evaluation>;
  cancel?(evaluationId: string): Promise<void>;
  /** Called after each change of the design. */
  changed(): void;
}

/** The design that a person changes. A refused or failed design leaves the last good result in place. */
export class Design {
  values: Values;
  /** The order of its metrics and constraints; null where it is not known. */
  order: Order | null = null;
  /** The last result that was completed. */
  outcome: Outcome | null = null;
  /** The stored evaluation of the present values; null as long as there is none. */
  kept: Evaluation | null = null;
  /** Results that somebody has chosen to compare with, in their order. */
  pins: readonly Outcome[] = [];
  private start: Outcome | null = null;
  /** The message of the newest failure; empty after a success. */
  failure = "";
  /** Messages of the server by parameter. */
  refused: ReadonlyMap<string, string> = new Map();
  /** The evaluation that runs, as far as is known of it. */
  running: Evaluation | null = null;
  /** Follows sliders as long as it can; null: each design is a stored evaluation. */
  live: Live | null = null;
  readonly pace = new Pace();
  private isEvaluating = false;
  /** The parameter that was changed last; empty where several were changed at once. */
  private changed = "";
  private readonly history: History<Values>;
  private readonly newest: Newest<Values, Evaluation>;
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** Runs while a live result is awaited. */
  private patience: ReturnType<typeof setTimeout> | undefined;

  /** Begin with the defaults and the given values. */
  constructor(
    readonly parameters: readonly Parameter[],
    given: Values,
    private readonly ways: Ways,
    private readonly restMs = REST_MS,
    private readonly patienceMs = PATIENCE_MS,
  ) {
    this.values = { ...defaultsOf(parameters), ...given };
    this.history = new History(this.values);
    this.newest = new Newest(
      (values) => ways.evaluate(changedFrom(parameters, values), this.pace.isSlow ? (unfinished) => this.watch(unfinished) : undefined),
      (evaluation, values) => this.showStored(evaluation, values),
      (error) => this.fail(error),
      (busy) => {
        this.isEvaluating = busy;
        if (!busy) this.running = null;
        ways.changed();
      },
    );
  }

  get canUndo(): boolean {
    return this.history.canUndo;
  }

  get canRedo(): boolean {
    return this.history.canRedo;
  }

  get isDefault(): boolean {
    return Object.keys(changedFrom(this.parameters, this.values)).length === 0;
  }

  /** The result with which changes are compared: the one that was pinned last, else the first one. */
  get baseline(): Outcome | null {
    return this.pins.at(-1) ?? this.start;
  }

  /** Whether the present result may be pinned. */
  get canPin(): boolean {
    return this.outcome !== null && !this.pins.includes(this.outcome) && this.pins.length < MOST_PINNED;
  }

  /** Compare changes with the present result from now on. */
  pin(): void {
    if (this.canPin) this.pins = [...this.pins, this.outcome!];
    this.ways.changed();
  }

  /** Leave a pinned result; changes are then compared with the one before. */
  unpin(pin: Outcome): void {
    this.pins = this.pins.filter((one) => one !== pin);
    this.ways.changed();
  }

  /** Whether a result is under way. */
  get busy(): boolean {
    return this.isEvaluating || (this.live !== null && this.live.isWaiting);
  }

  /** Whether sliders are followed as they move. */
  get isLive(): boolean {
    return this.live !== null && this.live.isUsable && !this.pace.isSlow;
  }

  /** Compute the present values: live where that works, else as an evaluation. */
  compute(): void {
    if (!this.isLive) return this.evaluate();
    this.live!.send(changedFrom(this.parameters, this.values));
    this.patience ??= setTimeout(() => this.tire(), this.patienceMs);
  }

  /** Compute as an evaluation what the live session takes long for. */
  private tire(): void {
    this.settle();
    if (!this.isLive || !this.busy) return;
    if (!this.live!.owesResult) return void (this.patience = setTimeout(() => this.tire(), this.patienceMs));
    this.pace.exceed(this.patienceMs);
    this.live!.rest();
    this.evaluate();
  }

  private settle(): void {
    clearTimeout(this.patience);
    this.patience = undefined;
  }

  /** Evaluate the present values and store the result. */
  evaluate(): void {
    clearTimeout(this.timer);
    this.settle();
    this.live?.forget();
    this.newest.ask(this.values);
  }

  /** Return the stored evaluation of the present values, made if there is none yet. */
  async keep(): Promise<Evaluation> {
    if (this.kept !== null) return this.kept;
    const { values } = this;
    const found = await this.ways.evaluate(changedFrom(this.parameters, values));
    if (found.status !== "completed") throw new Error(failureOf(found));
    if (values === this.values) this.kept = found;
    this.ways.changed();
    return found;
  }

  /** Cancel the evaluation that runs. */
  async cancel(): Promise<void> {
    if (this.running !== null) await this.ways.cancel?.(this.running.evaluation_id);
  }

  /** Show a stored evaluation with its values, as for those who may not evaluate. */
  adopt(evaluation: Evaluation): void {
    this.outcome = this.kept = evaluation;
    this.start ??= evaluation;
    this.values = { ...this.values, ...evaluation.parameters };
    this.ways.changed();
  }

  /** Take values from elsewhere, such as another address, as one step; what is not given gets its default. */
  replace(given: Values): void {
    const known = this.parameters.map((one) => one.name).filter((name) => name in given);
    this.put({ ...defaultsOf(this.parameters), ...Object.fromEntries(known.map((name) => [name, given[name]!])) });
    this.record();
    this.ways.changed();
    this.compute();
  }

  /** Change a value, as while a slider moves. */
  set(name: string, value: Json): void {
    if (isSame(this.values[name] ?? null, value)) return;
    this.put({ ...this.values, [name]: value });
    this.changed = name;
    clearTimeout(this.timer);
    if (this.isLive) this.compute();
    else if (!this.pace.isSlow) this.timer = setTimeout(() => this.evaluate(), this.restMs);
    this.ways.changed();
  }

  /** Make the present values a step of undo and redo, as when a slider is let go. */
  commit(): void {
    if (this.record() && this.pace.isSlow) this.evaluate();
    this.ways.changed();
  }

  undo(): void {
    this.go(this.history.undo());
  }

  redo(): void {
    this.go(this.history.redo());
  }

  /** Give every parameter its default. */
  reset(): void {
    this.replace({});
  }

  /** End all timers; what is computed shows nowhere any more. */
  close(): void {
    clearTimeout(this.timer);
    this.settle();
    this.newest.clear();
  }

  /** Take a result of the live session. */
  showLive(outcome: Outcome, asked: Values, milliseconds: number | null): void {
    const took = milliseconds ?? outcome.duration_ms;
    if (took !== null) this.pace.note(took);
    this.settle();
    this.show(outcome, asked);
  }

  /** Take a refusal of the newest design. */
  fail(error: unknown): void {
    this.settle();
    this.failure = error instanceof Error ? error.message : String(error);
    this.refused = error instanceof ApiError ? error.byParameter : new Map();
    this.ways.changed();
  }

  private record(): boolean {
    const isNew = !isSame(this.history.present, this.values);
    if (isNew) this.history.push(this.values);
    return isNew;
  }

  private put(values: Values): void {
    this.values = values;
    this.kept = null;
    this.changed = "";
  }

  private go(values: Values): void {
    this.put(values);
    this.ways.changed();
    this.compute();
  }

  private watch(unfinished: Evaluation): void {
    this.running = unfinished;
    this.ways.changed();
  }

  private showStored(evaluation: Evaluation, asked: Values): void {
    if (evaluation.duration_ms !== null && !evaluation.cached) this.pace.note(evaluation.duration_ms);
    if (asked === this.values && evaluation.status === "completed") this.kept = evaluation;
    this.show(evaluation, asked);
  }

  private show(outcome: Outcome, asked: Values): void {
    this.refused = new Map();
    if (outcome.status === "completed") {
      this.outcome = outcome;
      this.start ??= outcome;
      this.failure = "";
      this.values = this.resolved(outcome, asked);
    } else {
      this.failure = failureOf(outcome);
      if (outcome.status !== "cancelled" && this.changed !== "") this.refused = new Map([[this.changed, this.failure]]);
    }
    this.ways.changed();
  }

  /** Replace values in units of their own by those that were used, unless they have been changed since. */
  private resolved(outcome: Outcome, asked: Values): Values {
    const isResolved = ([name, value]: [string, Json]) =>
      typeof value === "object" && value !== null && "unit" in value && this.hasUnit(name) && value === asked[name] && name in outcome.parameters;
    const found = Object.entries(this.values).filter(isResolved);
    return found.length === 0 ? this.values : { ...this.values, ...Object.fromEntries(found.map(([name]) => [name, outcome.parameters[name]!])) };
  }

  private hasUnit(name: string): boolean {
    return this.parameters.some((one) => one.name === name && ["number", "integer", "point"].includes(one.type));
  }
}

/** Say why a model gave no result. */
function failureOf(outcome: Outcome): string {
  if (outcome.status === "cancelled") return texts.cancelled;
  const { message = "", line } = outcome.error ?? {};
  const at = line === null || line === undefined ? "" : texts.line(line);
  return texts.failed(texts.states[outcome.status] ?? texts.noResult, message, at);
}
