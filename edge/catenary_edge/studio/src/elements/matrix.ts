// <catenary-matrix>: scatter plots of every two columns of many designs.
import { html } from "lit";
import { drawDots } from "../charts/dots.ts";
import { layersOf } from "../charts/layers.ts";
import { headingOf, type Column } from "../state/candidates.ts";
import { columnsFor, type ChartSetup, type Explore } from "../state/explore.ts";
import { cellsOf, nearestPoint, type Cell } from "../state/matrix.ts";
import { shadesOf } from "../state/shades.ts";
import { matrix as texts } from "../texts/designs.ts";
import { DrawnElement } from "./drawn.ts";
import { lookOf } from "./look.ts";

/** Columns of a matrix: more cells are too small to read. */
export const MOST_COLUMNS = 8;
const WITHIN = 8;

export class CatenaryMatrix extends DrawnElement {
  static override properties = { explore: { attribute: false }, setup: { attribute: false } };
  /** Changes in place. */
  declare explore: Explore;
  declare setup: ChartSetup;
  private cells: readonly Cell[] = [];

  protected override updated(): void {
    this.redraw();
  }

  private get columns(): Column[] {
    return columnsFor(this.setup.axes, this.explore.columns).slice(0, MOST_COLUMNS);
  }

  protected override draw(): void {
    const canvas = this.querySelector("canvas");
    if (canvas === null || this.explore.isMoving) return;
    const { candidates, hits, columns, chosen } = this.explore;
    const look = lookOf(this.querySelector(".plot")!);
    this.cells = cellsOf(this.columns, canvas.clientWidth, canvas.clientHeight);
    const shades = shadesOf(columns.find(({ name }) => name === this.setup.color_by));
    drawDots(canvas, this.cells, layersOf(candidates, hits, shades, look), candidates.findIndex(({ id }) => id === chosen), look);
  }

  private pick(event: MouseEvent): void {
    const { candidates, hits } = this.explore;
    const place = nearestPoint(this.cells, candidates.length, event.offsetX, event.offsetY, WITHIN, (one) => hits[one] === 1);
    if (place >= 0) this.tell("design-chosen", candidates[place]);
  }

  override render() {
    const names = this.columns.map(headingOf);
    return html`<div class="plot matrix">
      <div class="upward" aria-hidden="true">${names.slice(1).map((name) => html`<span title=${name}>${name}</span>`)}</div>
      <canvas role="img" aria-label=${texts.title(names.join(", "))} @click=${(event: MouseEvent) => this.pick(event)}></canvas>
      <div class="across" aria-hidden="true">${names.slice(0, -1).map((name) => html`<span title=${name}>${name}</span>`)}</div>
    </div>`;
  }
}
customElements.define("catenary-matrix", CatenaryMatrix);
