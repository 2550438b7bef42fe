// <catenary-design-chart>: a chart of many designs with its kind, its axes and its colours.
import { html, nothing } from "lit";
import type { DesignPlot } from "../charts/design_plot.ts";
import { layersOf } from "../charts/layers.ts";
import { headingOf, type Column } from "../state/candidates.ts";
import { axesFor, columnsFor, MOST_AXES, type ChartKind, type ChartSetup, type Explore } from "../state/explore.ts";
import { shadesOf } from "../state/shades.ts";
import { common } from "../texts/common.ts";
import { designChart as texts } from "../texts/designs.ts";
import { DrawnElement } from "./drawn.ts";
import type { LightElement } from "./light.ts";
import { legendOf } from "./legend.ts";
import { lookOf } from "./look.ts";
import { MOST_COLUMNS } from "./matrix.ts";
import "./parallel.ts";

/** The fewest axes of each kind, and how many it draws. */
const FEWEST: Readonly<Record<ChartKind, number>> = { parallel: 2, scatter: 2, scatter_matrix: 3, line: 2, bar: 2 };
const MOST: Readonly<Record<ChartKind, number>> = { parallel: MOST_AXES, scatter: 2, scatter_matrix: MOST_COLUMNS, line: 6, bar: 6 };
const COLORED: ReadonlySet<ChartKind> = new Set(["parallel", "scatter", "scatter_matrix"]);

export class CatenaryDesignChart extends DrawnElement {
  static override properties = { explore: { attribute: false }, setup: { attribute: false }, failure: { state: true } };
  /** Changes in place. */
  declare explore: Explore;
  declare setup: ChartSetup;
  declare failure: string;
  private plot: DesignPlot | null = null;
  private place: HTMLElement | null = null;

  constructor() {
    super();
    this.failure = "";
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.drop();
  }

  private drop(): void {
    this.plot?.dispose();
    this.plot = null;
  }

  protected override updated(): void {
    this.querySelector<LightElement>("catenary-parallel, catenary-matrix")?.requestUpdate(); // what they show changes in place
    this.redraw();
  }

  /** The columns that the chart draws. */
  private get columns(): Column[] {
    return columnsFor(this.setup.axes, this.explore.columns).slice(0, MOST[this.setup.kind]);
  }

  private get color(): Column | undefined {
    const { kind, color_by } = this.setup;
    return COLORED.has(kind) ? this.explore.columns.find((one) => one.name === color_by && one.isAxis) : undefined;
  }

  protected override draw(): void {
    if (!this.explore.isMoving) void this.plotted();
  }

  /** Draw a chart of the library, loaded with the first one. */
  private async plotted(): Promise<void> {
    const { kind } = this.setup;
    const place = this.querySelector<HTMLElement>(".plot.designs");
    if (kind === "parallel" || kind === "scatter_matrix" || place === null) return this.drop();
    const { DesignPlot } = await import("../charts/design_plot.ts").catch(() => ({ DesignPlot: null }));
    this.failure = DesignPlot === null ? texts.notLoaded : "";
    if (DesignPlot === null || !place.isConnected || kind !== this.setup.kind) return;
    if (this.place !== place) this.drop();
    this.place = place;
    this.plot ??= new DesignPlot(place, (found) => this.tell("design-chosen", this.explore.candidates[found]));
    const { candidates, hits, chosen } = this.explore;
    const look = lookOf(place);
    const layers = layersOf(candidates, hits, shadesOf(this.color), look);
    this.plot.resize();
    this.plot.draw({ kind, axes: this.columns, color: this.color, layers, chosen: candidates.findIndex(({ id }) => id === chosen) }, look);
  }

  private change(fields: Partial<ChartSetup>): void {
    this.explore.change(this.setup.id, fields);
  }

  private turnInto(kind: ChartKind): void {
    const { axes } = this.setup;
    this.change({ kind, axes: axes.length >= FEWEST[kind] && kind !== "scatter" ? axes : axesFor(kind, this.explore.columns) });
  }

  private heading(fit: readonly Column[]) {
    const { kind, color_by } = this.setup;
    const option = (one: Column, isChosen: boolean) => html`<option value=${one.name} .selected=${isChosen}>${headingOf(one)}</option>`;
    return html`<div class="bar small of-chart">
      <label><span class="sr">${texts.kind}</span>
        <select @change=${(event: Event) => this.turnInto((event.target as HTMLSelectElement).value as ChartKind)}>
          ${Object.entries(texts.kinds).map(([name, label]) => html`<option value=${name} .selected=${name === kind}>${label}</option>`)}
        </select></label>
      ${kind === "scatter" ? this.pair(fit) : this.choice(fit)}
      ${COLORED.has(kind)
        ? html`<label>${texts.colour}
            <select aria-label=${texts.colourBy} @change=${(event: Event) => this.change({ color_by: (event.target as HTMLSelectElement).value || null })}>
              <option value="" .selected=${color_by === null}>${texts.ofAllAlike}</option>
              ${fit.map((one) => option(one, one.name === color_by))}
            </select></label>`
        : nothing}
      <button class="quiet" aria-label=${texts.remove(texts.kinds[kind])} @click=${() => this.explore.remove(this.setup.id)}>${common.remove}</button>
    </div>`;
  }

  /** Two selects for the axes of a scatter chart. */
  private pair(fit: readonly Column[]) {
    const { axes } = this.setup;
    const put = (place: number, name: string) => {
      const other = axes[1 - place];
      const given = place === 0 ? [name, other === name ? axes[0]! : other!] : [other === name ? axes[1]! : other!, name];
      this.change({ axes: given.filter((one) => one !== undefined) });
    };
    return [texts.across, texts.up].map(
      (label, place) => html`<label>${label}
        <select @change=${(event: Event) => put(place, (event.target as HTMLSelectElement).value)}>
          ${fit.map((one) => html`<option value=${one.name} .selected=${one.name === axes[place]}>${headingOf(one)}</option>`)}
        </select></label>`,
    );
  }

  /** A list of what can be an axis. */
  private choice(fit: readonly Column[]) {
    const { axes, kind } = this.setup;
    const put = (name: string, isOn: boolean) => this.change({ axes: isOn ? [...axes, name] : axes.filter((one) => one !== name) });
    const isFull = this.columns.length >= MOST[kind];
    return html`<details class="axes" @keydown=${(event: KeyboardEvent) => this.close(event)}>
      <summary>${texts.axes(this.columns.length)}</summary>
      <div class="list">
        ${fit.map((one) => {
          const isOn = axes.includes(one.name);
          return html`<label class="choice"><input type="checkbox" .checked=${isOn} ?disabled=${!isOn && isFull} @change=${(event: Event) => put(one.name, (event.target as HTMLInputElement).checked)} />${headingOf(one)}</label>`;
        })}
      </div>
    </details>`;
  }

  private close(event: KeyboardEvent): void {
    const list = event.currentTarget as HTMLDetailsElement;
    if (event.key !== "Escape" || !list.open) return;
    list.open = false;
    list.querySelector("summary")?.focus();
  }

  private body() {
    const { explore, setup } = this;
    const { kind } = setup;
    const { columns } = this;
    if (columns.length < FEWEST[kind]) return html`<p class="soft">${texts.few(texts.kinds[kind], FEWEST[kind])}</p>`;
    if (kind === "parallel") return html`<catenary-parallel .explore=${explore} .setup=${setup}></catenary-parallel>`;
    if (kind === "scatter_matrix") return html`<catenary-matrix .explore=${explore} .setup=${setup}></catenary-matrix>`;
    const [across = "", ...up] = columns.map(headingOf);
    const said = kind === "scatter" ? texts.scatter(up.join(", "), across) : texts.means(kind, up.join(", "), across);
    return html`<div class="plot designs" role="img" aria-label=${said}></div>`;
  }

  override render() {
    const fit = this.explore.columns.filter((one) => one.isAxis);
    return html`<section aria-label=${texts.kinds[this.setup.kind]} data-chart=${this.setup.kind}>
      ${this.heading(fit)} ${this.failure ? html`<p class="notice bad" role="alert">${this.failure}</p>` : nothing} ${this.body()} ${legendOf(this.color)}
    </section>`;
  }
}
customElements.define("catenary-design-chart", CatenaryDesignChart);
