// The saved designs of a project, and those of them that are compared.
import type { Comparison, Json, Project, Variant } from "../api/types.ts";
import { common, values } from "../texts/common.ts";
import { number } from "./format.ts";
import { Fresh } from "./fresh.ts";

const MOST_COMPARED = 4;
/** The rows of a table that are written out. */
const MOST_ROWS = 3;

/** The calls of the API that variants need. */
export interface VariantCalls {
  list(): Promise<Variant[]>;
  read(variantId: string): Promise<Variant>;
  /** Saves a stored evaluation. */
  save(name: string, note: string, evaluationId: string): Promise<Variant>;
  change(variantId: string, name: string, note: string): Promise<Variant>;
  remove(variantId: string): Promise<unknown>;
  compare(variantIds: readonly string[]): Promise<Comparison>;
}

/** Keeps the list as the server has it. A call that fails throws, and leaves the list as it was. */
export class Variants {
  list: readonly Variant[] = [];
  /** Ids of the variants to compare, in the order in which they were chosen. */
  chosen: readonly string[] = [];
  private readonly fresh: Fresh<Variant[]>;

  constructor(
    private readonly calls: VariantCalls,
    private readonly role: Project["role"],
    /** Id of the caller; null as long as it is not known. */
    readonly callerId: string | null,
  ) {
    this.fresh = new Fresh(() => calls.list(), (list) => this.take(list));
  }

  get maySave(): boolean {
    return this.role !== "viewer";
  }

  get canCompare(): boolean {
    return this.chosen.length >= 2;
  }

  /** Tell whether the caller may rename and delete a variant: evaluators their own, editors and owners all. */
  mayChange(variant: Variant): boolean {
    if (this.role === "viewer") return false;
    return this.role !== "evaluator" || (this.callerId !== null && variant.created_by?.user_id === this.callerId);
  }

  /** Tell whether a variant may be chosen, or be left out again. */
  mayChoose(variant: Variant): boolean {
    return this.chosen.includes(variant.variant_id) || this.chosen.length < MOST_COMPARED;
  }

  choose(variantId: string): void {
    const isChosen = this.chosen.includes(variantId);
    if (isChosen) this.chosen = this.chosen.filter((one) => one !== variantId);
    else if (this.chosen.length < MOST_COMPARED) this.chosen = [...this.chosen, variantId];
  }

  load(): Promise<void> {
    return this.fresh.read();
  }

  private take(list: readonly Variant[]): void {
    this.list = list;
    const known = new Set(list.map((one) => one.variant_id));
    this.chosen = this.chosen.filter((one) => known.has(one));
  }

  async save(name: string, note: string, evaluationId: string): Promise<Variant> {
    const made = await this.calls.save(name.trim(), note.trim(), evaluationId);
    this.fresh.note();
    this.list = [made, ...this.list.filter((one) => one.variant_id !== made.variant_id)];
    return made;
  }

  async change(variantId: string, name: string, note: string): Promise<void> {
    const changed = await this.calls.change(variantId, name.trim(), note.trim());
    this.fresh.note();
    this.list = this.list.map((one) => (one.variant_id === variantId ? { ...one, name: changed.name, note: changed.note } : one));
  }

  async remove(variantId: string): Promise<void> {
    await this.calls.remove(variantId);
    this.fresh.note();
    this.list = this.list.filter((one) => one.variant_id !== variantId);
    this.chosen = this.chosen.filter((one) => one !== variantId);
  }

  compare(): Promise<Comparison> {
    return this.calls.compare(this.chosen);
  }
}

/** Write a value of a comparison as a text: of a table the number of its rows, and the first ones. */
export function textOf(value: Json): string {
  if (value === null) return "–";
  if (typeof value === "number") return number(value);
  if (typeof value === "boolean") return value ? values.yes : values.no;
  if (typeof value === "string") return value;
  const isTable = Array.isArray(value) && value.every((one) => typeof one === "object");
  if (!isTable) return Object.values(value).map(textOf).join(", ");
  const first = value.slice(0, MOST_ROWS).map(textOf);
  return [common.rows(value.length), [...first, ...(value.length > MOST_ROWS ? ["…"] : [])].join("; ")].filter(Boolean).join(": ");
}
