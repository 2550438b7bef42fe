// <catenary-results>: constraints with pass or fail, and metrics with units and their change against another design.
import { html, nothing } from "lit";
import type { Constraint, Measured, Outcome } from "../api/types.ts";
import { changeOf } from "../state/change.ts";
import * as format from "../state/format.ts";
import { ordered, type Order } from "../state/order.ts";
import { selected } from "../state/views.ts";
import { common } from "../texts/common.ts";
import { results as texts } from "../texts/design.ts";
import { LightElement } from "./light.ts";

export class CatenaryResults extends LightElement {
  static override properties = {
    evaluation: { attribute: false },
    order: { attribute: false },
    baseline: { attribute: false },
    shownMetrics: { attribute: false },
    hasPins: { attribute: false },
    canPin: { attribute: false },
  };
  declare evaluation: Outcome | null;
  /** The order of metrics and constraints; null where it is not known. */
  declare order: Order | null;
  /** The result with which metrics are compared. */
  declare baseline: Outcome | null;
  /** Names of the metrics that are shown, in their order; none for all. */
  declare shownMetrics: readonly string[];
  /** Whether somebody has chosen that result. */
  declare hasPins: boolean;
  /** Whether the shown result may be chosen. */
  declare canPin: boolean;

  constructor() {
    super();
    this.evaluation = this.order = this.baseline = null;
    this.shownMetrics = [];
    this.hasPins = this.canPin = false;
  }

  private metric([name, one]: [string, Measured]) {
    const change = changeOf(one, this.baseline?.metrics[name]);
    return html`<tr data-metric=${name}>
      <th scope="row">${format.title(name)}</th>
      <td>
        <span class="value" title=${String(one.value)}>${format.number(one.value)} <span class="unit">${format.unit(one.unit)}</span></span>
        ${change ? html`<span class="soft rule change">${change}</span>` : nothing}
      </td>
    </tr>`;
  }

  private comparison(evaluation: Outcome) {
    const isBaseline = this.baseline === evaluation;
    return html`<div class="bar small">
      ${this.canPin ? html`<button class="quiet" @click=${() => this.tell("pinned")} title=${texts.pinHint}>${texts.pin}</button>` : nothing}
      <span class="soft">${this.hasPins ? (isBaseline ? texts.pinned : texts.againstPinned) : isBaseline ? "" : texts.againstFirst}</span>
    </div>`;
  }

  private constraint([name, one]: [string, Constraint]) {
    const unit = format.unit(one.unit);
    const rule = one.op && one.limit !== null && one.limit !== undefined ? `${format.operator(one.op)} ${format.measure(format.number(one.limit), one.unit)}` : "";
    return html`<tr data-constraint=${name}>
      <th scope="row">${format.title(name)}${rule && one.metric ? html`<span class="soft rule">${format.title(one.metric)} <span class="whole">${rule}</span></span>` : nothing}</th>
      <td class="value">${format.number(one.value)} <span class="unit">${unit}</span></td>
      <td class=${one.satisfied ? "verdict good" : "verdict bad"}>${one.satisfied ? common.pass : common.fail}</td>
    </tr>`;
  }

  override render() {
    const { evaluation } = this;
    if (evaluation === null) return nothing;
    const metrics = selected(ordered(evaluation.metrics, this.order?.metrics ?? []), this.shownMetrics);
    const constraints = ordered(evaluation.constraints, this.order?.constraints ?? []);
    return html`${constraints.length === 0
        ? nothing
        : html`<h2>${common.constraints}</h2><table class="results">${constraints.map((one) => this.constraint(one))}</table>`}
      <h2>${common.metrics}</h2>
      ${metrics.length === 0
        ? html`<p class="soft">${texts.none}</p>`
        : html`<table class="results">
            ${metrics.map((one) => this.metric(one))}
          </table>${this.comparison(evaluation)}`}`;
  }
}
customElements.define("catenary-results", CatenaryResults);
