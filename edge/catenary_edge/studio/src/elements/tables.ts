// <catenary-tables>: the tables of a design, sorted by a click on a column, to copy and to save as CSV.
import { html, nothing, type PropertyValues } from "lit";
import type { Json, Rows } from "../api/types.ts";
import * as format from "../state/format.ts";
import { columnsOf, csv, isNumeric, nextOrder, sorted, tabbed, textOf, type Order } from "../state/table.ts";
import { common } from "../texts/common.ts";
import { tables as texts } from "../texts/design.ts";
import { LightElement } from "./light.ts";
import { saveAs } from "./saving.ts";

/** Rows of a table that are shown before somebody asks for all. */
const FIRST_ROWS = 50;

export class CatenaryTables extends LightElement {
  static override properties = { tables: { attribute: false }, orders: { state: true }, whole: { state: true }, told: { state: true } };
  declare tables: Readonly<Record<string, Rows>>;
  declare orders: ReadonlyMap<string, Order | null>;
  /** Names of the tables that are shown with all their rows. */
  declare whole: ReadonlySet<string>;
  declare told: ReadonlyMap<string, string>;

  constructor() {
    super();
    this.tables = {};
    this.orders = new Map();
    this.whole = new Set();
    this.told = new Map();
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("tables")) this.told = new Map();
  }

  private sort(name: string, column: string): void {
    this.orders = new Map(this.orders).set(name, nextOrder(this.orders.get(name) ?? null, column));
  }

  private async copy(name: string, text: string): Promise<void> {
    let told: string = common.copied;
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      told = texts.notAllowed;
    }
    this.told = new Map(this.told).set(name, told);
  }

  private column(name: string, rows: Rows, column: string) {
    const order = this.orders.get(name) ?? null;
    const isSorted = order?.column === column;
    const mark = isSorted ? (order.descending ? " ↓" : " ↑") : "";
    return html`<th scope="col" class=${isNumeric(rows, column) ? "value" : ""} aria-sort=${isSorted ? (order.descending ? "descending" : "ascending") : "none"}>
      <button class="link" @click=${() => this.sort(name, column)}>${format.title(column)}<span aria-hidden="true">${mark}</span></button>
    </th>`;
  }

  private table(name: string, given: Rows) {
    const columns = columnsOf(given);
    const rows = sorted(given, this.orders.get(name) ?? null);
    const shown = this.whole.has(name) ? rows : rows.slice(0, FIRST_ROWS);
    const told = this.told.get(name);
    return html`<section data-table=${name}>
      <h2>${format.title(name)}</h2>
      ${given.length === 0
        ? html`<p class="soft">${texts.none}</p>`
        : html`<div class="scroll" tabindex="0" role="region" aria-label=${format.title(name)}>
              <table class="rows">
                <thead><tr>${columns.map((column) => this.column(name, given, column))}</tr></thead>
                <tbody>${shown.map((row) => html`<tr>${columns.map((column) => cellOf(row[column]))}</tr>`)}</tbody>
              </table>
            </div>
            <div class="bar small">
              ${shown.length < rows.length ? html`<button class="quiet" @click=${() => (this.whole = new Set([...this.whole, name]))}>${texts.showAll(rows.length)}</button>` : nothing}
              <button class="quiet" aria-label=${texts.copyOf(format.title(name))} @click=${() => this.copy(name, tabbed(rows, columns))}>${common.copy}</button>
              <button class="quiet" aria-label=${texts.save(format.title(name))} @click=${() => saveAs(`${name}.csv`, csv(rows, columns))}>${common.csv}</button>
              ${told ? html`<span class="soft" role="status">${told}</span>` : nothing}
            </div>`}
    </section>`;
  }

  override render() {
    return Object.entries(this.tables).map(([name, rows]) => this.table(name, rows));
  }
}
customElements.define("catenary-tables", CatenaryTables);

function cellOf(value: Json | undefined) {
  return typeof value === "number" ? html`<td class="value" title=${String(value)}>${format.number(value)}</td>` : html`<td>${textOf(value)}</td>`;
}
