// <catenary-table-input>: a parameter that is a table; its rows are typed or pasted in a window over the page.
import { html, nothing } from "lit";
import { live } from "lit/directives/live.js";
import type { Json, Parameter } from "../api/types.ts";
import { title, unit } from "../state/format.ts";
import { cellsOf, emptyRow, isManyCells, MAX_CELLS, rowsOf, withPaste, type Cells, type CellFault, type Column } from "../state/table_entry.ts";
import { common, values } from "../texts/common.ts";
import { tableInput as words } from "../texts/table_input.ts";
import { LightElement } from "./light.ts";

/** Rows that can be typed over; a longer table is pasted. */
const MOST_ROWS = 300;

export class CatenaryTableInput extends LightElement {
  static override properties = { parameter: { attribute: false }, value: { attribute: false }, disabled: { type: Boolean }, cells: { state: true }, faults: { state: true } };
  declare parameter: Parameter;
  declare value: Json;
  declare disabled: boolean;
  /** What is edited; null as long as the window is closed. */
  declare cells: Cells | null;
  declare faults: readonly CellFault[];

  constructor() {
    super();
    this.value = null;
    this.disabled = false;
    this.cells = null;
    this.faults = [];
  }

  private async open(): Promise<void> {
    this.cells = cellsOf(this.parameter.columns, this.value);
    this.faults = [];
    await this.updateComplete;
    this.querySelector("dialog")?.showModal();
  }

  private edit(cells: Cells): void {
    this.cells = cells;
    this.faults = [];
  }

  private set(row: number, column: number, text: string): void {
    this.edit(this.cells!.map((one, at) => (at === row ? one.map((old, place) => (place === column ? text : old)) : one)));
  }

  private paste(event: ClipboardEvent, row: number, column: number): void {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (!isManyCells(text)) return;
    event.preventDefault();
    this.edit(withPaste(this.parameter.columns, this.cells!, row, column, text));
  }

  private take(event: SubmitEvent): void {
    const { rows, faults } = rowsOf(this.parameter.columns, this.cells!);
    this.faults = faults;
    if (rows === null) return event.preventDefault(); // the window stays open
    this.tell<Json>("table-entered", rows);
  }

  private cell(column: Column, text: string, row: number, place: number) {
    const label = words.cell(title(column.name), row + 1);
    const isWrong = this.faults.some((one) => one.row === row && one.column === place);
    const set = (event: Event) => this.set(row, place, (event.target as HTMLInputElement).value);
    if (column.type === "boolean") {
      const isTrue = /^(true|yes|1)$/i.test(text.trim());
      return html`<td><select aria-label=${label} aria-invalid=${isWrong ? "true" : nothing} @change=${set}>
        <option value="true" ?selected=${isTrue}>${values.yes}</option><option value="false" ?selected=${!isTrue}>${values.no}</option>
      </select></td>`;
    }
    return html`<td><input
      aria-label=${label}
      aria-invalid=${isWrong ? "true" : nothing}
      inputmode=${column.type === "string" ? "text" : "decimal"}
      autocomplete="off"
      .value=${live(text)}
      @change=${set}
      @paste=${(event: ClipboardEvent) => this.paste(event, row, place)}
    /></td>`;
  }

  private grid(columns: readonly Column[], cells: Cells) {
    return html`<div class="scroll"><table class="rows entered">
      <thead><tr>${columns.map((one) => html`<th scope="col">${title(one.name)} <span class="soft">${unit(one.unit)}</span></th>`)}<th></th></tr></thead>
      <tbody>${cells.slice(0, MOST_ROWS).map(
        (texts, row) => html`<tr>${columns.map((one, place) => this.cell(one, texts[place] ?? "", row, place))}<td><button
          type="button" class="quiet" aria-label=${words.removeRowOf(row + 1)} title=${words.removeRow} @click=${() => this.edit(cells.filter((_, at) => at !== row))}>×</button></td></tr>`,
      )}</tbody>
    </table></div>`;
  }

  private told(cells: Cells) {
    const [first] = this.faults;
    if (first !== undefined) {
      const more = this.faults.length - 1;
      return html`<p class="notice bad" role="alert">${words.fault(first.row + 1, first.message, more)}</p>`;
    }
    if (cells.length > MOST_ROWS) return html`<p class="soft">${words.first(MOST_ROWS, cells.length)}</p>`;
    return html`<p class="soft">${words.paste}</p>`;
  }

  private editor(columns: readonly Column[], cells: Cells) {
    const label = title(this.parameter.label);
    const isFull = (cells.length + 1) * columns.length > MAX_CELLS;
    return html`<dialog aria-label=${label} class="entering" @close=${() => (this.cells = null)}>
      <form method="dialog" @submit=${(event: SubmitEvent) => this.take(event)}>
        <div class="head"><h2>${label}</h2></div>
        ${this.grid(columns, cells)} ${this.told(cells)}
        <div class="bar">
          <button type="button" class="quiet" ?disabled=${isFull} @click=${() => this.edit([...cells, emptyRow(columns)])}>${words.addRow}</button>
          <button type="submit">${words.take}</button>
          <button type="button" class="quiet" @click=${() => this.querySelector("dialog")?.close()}>${common.cancel}</button>
        </div>
      </form>
    </dialog>`;
  }

  override render() {
    const { parameter, value, cells } = this;
    const count = Array.isArray(value) ? value.length : 0;
    const size = `${common.rows(count)}…`;
    return html`<button type="button" class="quiet" aria-label=${words.edit(title(parameter.label), size)} ?disabled=${this.disabled} @click=${() => this.open()}>
        ${size}</button
      >${cells === null ? nothing : this.editor(parameter.columns, cells)}`;
  }
}
customElements.define("catenary-table-input", CatenaryTableInput);
