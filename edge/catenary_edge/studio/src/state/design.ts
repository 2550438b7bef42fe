// One design of a project: its values, their history, and what the platform says of them.
import { ApiError } from "../api/client.ts";
import type { Evaluation, Json, Parameter } from "../api/types.ts";
import { History } from "./history.ts";
import { Newest } from "./newest.ts";
import { changedFrom, defaultsOf, isSame, type Values } from "./values.ts";

const REST_MS = 150;

/** The design that a person changes. A refused or failed design leaves the last good evaluation in place. */
export class Design {
  values: Values;
  /** The last evaluation that completed. */
  evaluation: Evaluation | null = null;
  /** The message of the newest failure; empty after a success. */
  failure = "";
  /** Messages of the server by parameter. */
  refused: ReadonlyMap<string, string> = new Map();
  busy = false;
  private readonly history: History<Values>;
  private readonly newest: Newest<Values, Evaluation>;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * Begin with the defaults and the given values.
   *
   * `evaluate` computes values that differ from the defaults; `changed` is called after each change of the design.
   */
  constructor(
    readonly parameters: readonly Parameter[],
    given: Values,
    evaluate: (values: Values) => Promise<Evaluation>,
    private readonly changed: () => void,
    private readonly restMs = REST_MS,
  ) {
    this.values = { ...defaultsOf(parameters), ...given };
    this.history = new History(this.values);
    this.newest = new Newest(
      (values) => evaluate(changedFrom(parameters, values)),
      (evaluation, values) => this.show(evaluation, values),
      (error) => this.fail(error),
      (busy) => {
        this.busy = busy;
        this.changed();
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

  /** Evaluate the present values. */
  evaluate(): void {
    clearTimeout(this.timer);
    this.newest.ask(this.values);
  }

  /** Show a stored evaluation with its values, as for those who may not evaluate. */
  adopt(evaluation: Evaluation): void {
    this.evaluation = evaluation;
    this.values = { ...this.values, ...evaluation.parameters };
    this.changed();
  }

  /** Take values from elsewhere, such as another address, as one step; what is not given gets its default. */
  replace(given: Values): void {
    this.values = { ...defaultsOf(this.parameters), ...given };
    this.commit();
    this.evaluate();
  }

  /** Change a value, as while a slider moves; evaluated when it rests. */
  set(name: string, value: Json): void {
    if (isSame(this.values[name] ?? null, value)) return;
    this.values = { ...this.values, [name]: value };
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.evaluate(), this.restMs);
    this.changed();
  }

  /** Make the present values a step of undo and redo. */
  commit(): void {
    if (!isSame(this.history.present as Json, this.values as Json)) this.history.push(this.values);
    this.changed();
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
    this.newest.clear();
  }

  private go(values: Values): void {
    this.values = values;
    this.changed();
    this.evaluate();
  }

  private show(evaluation: Evaluation, asked: Values): void {
    this.refused = new Map();
    if (evaluation.status === "completed") {
      this.evaluation = evaluation;
      this.failure = "";
      this.values = this.resolved(evaluation, asked);
    } else {
      const { message = "", line = null } = evaluation.error ?? {};
      this.failure = `The model ${STATES[evaluation.status] ?? "gave no result"}${message && `: ${message}`}${line === null ? "" : ` (line ${line})`}`;
    }
    this.changed();
  }

  /** Replace values in units of their own by those that were used, unless they have been changed since. */
  private resolved(evaluation: Evaluation, asked: Values): Values {
    const found = Object.entries(this.values).map(([name, value]) => {
      const isQuantity = typeof value === "object" && value !== null && "unit" in value && this.isNumber(name);
      return [name, isQuantity && value === asked[name] ? (evaluation.parameters[name] ?? value) : value] as const;
    });
    return Object.fromEntries(found);
  }

  private isNumber(name: string): boolean {
    return this.parameters.some((one) => one.name === name && (one.type === "number" || one.type === "integer"));
  }

  private fail(error: unknown): void {
    this.failure = error instanceof Error ? error.message : String(error);
    this.refused = error instanceof ApiError ? error.byParameter : new Map();
    this.changed();
  }
}

const STATES: Readonly<Record<string, string>> = {
  failed: "failed",
  timed_out: "took too long",
  cancelled: "was cancelled",
};
