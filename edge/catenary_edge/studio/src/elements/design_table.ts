// <catenary-design-table>: the designs that pass all filters as a sorted table, to be opened and saved as CSV.
import { html, nothing } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { headingOf, shownValue, type Candidate, type Column } from "../state/candidates.ts";
import type { Explore } from "../state/explore.ts";
import * as format from "../state/format.ts";
import { exportOf, orderedPlaces } from "../state/design_rows.ts";
import { nextOrder, textOf, type Order } from "../state/table.ts";
import { common } from "../texts/common.ts";
import { designTable as texts } from "../texts/designs.ts";
import { LightElement } from "./light.ts";
import { saveAs } from "./saving.ts";

const FIRST_ROWS = 25;
const MORE_ROWS = 200;

export class CatenaryDesignTable extends LightElement {
  static override properties = { explore: { attribute: false }, order: { state: true }, limit: { state: true } };
  /** Changes in place. */
  declare explore: Explore;
  declare order: Order | null;
  declare limit: number;

  constructor() {
    super();
    this.order = null;
    this.limit = FIRST_ROWS;
  }

  protected override shouldUpdate(): boolean {
    return !this.explore.isMoving;
  }

  private heading(column: Column) {
    const { order } = this;
    const isSorted = order?.column === column.name;
    const mark = isSorted ? (order.descending ? " ↓" : " ↑") : "";
    return html`<th scope="col" class=${column.categories === null ? "value" : ""} aria-sort=${isSorted ? (order.descending ? "descending" : "ascending") : "none"}>
      <button class="link" title=${headingOf(column)} @click=${() => (this.order = nextOrder(order, column.name))}><span class="cut">${headingOf(column)}</span><span aria-hidden="true">${mark}</span></button>
    </th>`;
  }

  private row(candidate: Candidate, place: number, columns: readonly Column[]) {
    const isChosen = candidate.id === this.explore.chosen;
    return html`<tr data-design=${candidate.id} class=${isChosen ? "chosen" : ""}>
      <th scope="row"><button class="link" aria-current=${isChosen ? "true" : nothing} aria-label=${texts.open(place + 1)} @click=${() => this.tell<Candidate>("design-chosen", candidate)}>${format.number(place + 1)}</button></th>
      ${columns.map((column) => {
        const value = column.numbers[place]!;
        const shown = shownValue(column, value);
        if (column.categories === null) return html`<td class="value" title=${Number.isNaN(value) ? nothing : String(value)}>${shown}</td>`;
        return html`<td title=${textOf(column.categories[value])}><span class="cut">${shown}</span></td>`;
      })}
      <td>${candidate.isFeasible ? html`<span class="good">${common.pass}</span>` : html`<span class="bad">${common.fail}</span>`}</td>
    </tr>`;
  }

  private save(places: readonly number[]): void {
    const { candidates, columns } = this.explore;
    saveAs("designs.csv", exportOf(candidates, columns, places));
  }

  override render() {
    const { explore, limit } = this;
    const { candidates, columns } = explore;
    const places = orderedPlaces(explore.hits, columns.find(({ name }) => name === this.order?.column), this.order?.descending ?? false);
    if (places.length === 0) return nothing;
    return html`<section aria-label=${texts.title}>
      <div class="scroll" tabindex="0" role="region" aria-label=${texts.passing}>
        <table class="rows">
          <thead><tr><th scope="col">${texts.number}</th>${columns.map((one) => this.heading(one))}<th scope="col">${common.constraints}</th></tr></thead>
          <tbody>${repeat(places.slice(0, limit), (place) => candidates[place]!.id, (place) => this.row(candidates[place]!, place, columns))}</tbody>
        </table>
      </div>
      <div class="bar small">
        ${places.length > limit ? html`<button class="quiet" @click=${() => (this.limit += MORE_ROWS)}>${texts.more(Math.min(MORE_ROWS, places.length - limit), format.number(places.length))}</button>` : nothing}
        <button class="quiet" aria-label=${texts.save} @click=${() => this.save(places)}>${common.csv}</button>
      </div>
    </section>`;
  }
}
customElements.define("catenary-design-table", CatenaryDesignTable);
