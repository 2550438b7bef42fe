// <catenary-results>: constraints with pass or fail, and metrics with units.
import { html, nothing } from "lit";
import type { Constraint, Evaluation } from "../api/types.ts";
import * as format from "../state/format.ts";
import { LightElement } from "./light.ts";

export class CatenaryResults extends LightElement {
  static override properties = { evaluation: { attribute: false } };
  declare evaluation: Evaluation | null;

  constructor() {
    super();
    this.evaluation = null;
  }

  private constraint([name, one]: [string, Constraint]) {
    const unit = format.unit(one.unit);
    const rule = one.op && one.limit !== null && one.limit !== undefined ? `${format.operator(one.op)} ${format.number(one.limit)}` : "";
    return html`<tr data-constraint=${name}>
      <th scope="row">${format.title(name)}${rule && one.metric ? html`<span class="soft rule">${format.title(one.metric)} ${rule} ${unit}</span>` : nothing}</th>
      <td class="value">${format.number(one.value)} <span class="unit">${unit}</span></td>
      <td class=${one.satisfied ? "verdict good" : "verdict bad"}>${one.satisfied ? "✓ pass" : "✕ fail"}</td>
    </tr>`;
  }

  override render() {
    const { evaluation } = this;
    if (evaluation === null) return nothing;
    const [metrics, constraints] = [Object.entries(evaluation.metrics), Object.entries(evaluation.constraints)];
    return html`${constraints.length === 0
        ? nothing
        : html`<h2>Constraints</h2><table class="results">${constraints.map((one) => this.constraint(one))}</table>`}
      <h2>Metrics</h2>
      ${metrics.length === 0
        ? html`<p class="soft">The model gives no metrics.</p>`
        : html`<table class="results">
            ${metrics.map(
              ([name, one]) => html`<tr data-metric=${name}>
                <th scope="row">${format.title(name)}</th>
                <td class="value" title=${String(one.value)}>${format.number(one.value)} <span class="unit">${format.unit(one.unit)}</span></td>
              </tr>`,
            )}
          </table>`}`;
  }
}
customElements.define("catenary-results", CatenaryResults);
