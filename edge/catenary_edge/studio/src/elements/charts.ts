// <catenary-charts>: the charts of a design, drawn by code that is loaded with the first one.
import { html, nothing, type PropertyValues } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { Chart, Rows } from "../api/types.ts";
import type { Plot } from "../charts/plot.ts";
import { drawingOf, spoken, type Drawing } from "../state/chart.ts";
import * as format from "../state/format.ts";
import { charts as texts } from "../texts/design.ts";
import { LightElement } from "./light.ts";
import { lookOf } from "./look.ts";

export class CatenaryCharts extends LightElement {
  static override properties = { charts: { attribute: false }, tables: { attribute: false }, failure: { state: true } };
  declare charts: readonly Chart[];
  declare tables: Readonly<Record<string, Rows>>;
  declare failure: string;
  private readonly plots = new Map<string, Plot>();
  private readonly sizes = new ResizeObserver(() => this.plots.forEach((one) => one.resize()));
  private readonly theme = matchMedia("(prefers-color-scheme: dark)");
  private readonly redraw = () => void this.draw();

  constructor() {
    super();
    this.charts = [];
    this.tables = {};
    this.failure = "";
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.theme.addEventListener("change", this.redraw);
    this.sizes.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.theme.removeEventListener("change", this.redraw);
    this.sizes.disconnect();
    this.plots.forEach((one) => one.dispose());
    this.plots.clear();
  }

  protected override updated(changed: PropertyValues): void {
    if (changed.has("charts") || changed.has("tables")) void this.draw();
  }

  private async draw(): Promise<void> {
    const drawings = new Map<string, Drawing>();
    for (const chart of this.charts) {
      const drawing = drawingOf(chart, this.tables);
      if (drawing !== null) drawings.set(chart.name, drawing);
    }
    for (const [name, plot] of this.plots) {
      if (drawings.has(name)) continue;
      plot.dispose();
      this.plots.delete(name);
    }
    if (drawings.size === 0) return;
    try {
      const { Plot } = await import("../charts/plot.ts");
      const look = lookOf(this.querySelector(".plot")!);
      for (const place of this.querySelectorAll<HTMLElement>("[data-chart]")) {
        const name = place.dataset["chart"]!;
        const drawing = drawings.get(name);
        if (drawing === undefined) continue;
        if (!this.plots.has(name)) this.plots.set(name, new Plot(place));
        this.plots.get(name)!.draw(drawing, look);
        place.dataset["points"] = String(drawing.series.reduce((sum, one) => sum + one.points.length, 0));
      }
    } catch {
      this.failure = texts.notLoaded;
    }
  }

  override render() {
    const shown = this.charts.filter((one) => drawingOf(one, this.tables) !== null);
    if (shown.length === 0) return nothing;
    return html`${this.failure ? html`<p class="notice bad" role="alert">${this.failure}</p>` : nothing}${repeat(
      shown,
      (one) => one.name,
      (one) => html`<section><h2>${format.title(one.name)}</h2><div class="plot" role="img" aria-label=${spoken(one)} data-chart=${one.name}></div></section>`,
    )}`;
  }
}
customElements.define("catenary-charts", CatenaryCharts);
