// What the platform says of a design: its state, numbers and files.
import { html, nothing } from "lit";
import type { Client } from "../api/client.ts";
import type { Design } from "../state/design.ts";
import { outputs as texts } from "../texts/design.ts";
import "./charts.ts";
import { type Downloadable } from "./downloads.ts";
import "./downloads.ts";
import { lazily } from "./lazily.ts";
import "./results.ts";
import { whileComputing } from "./status.ts";
import "./tables.ts";

const loadPins = lazily(() => import("./pins.ts"));

/** Render the results of a design; `empty` says why there are none, `metrics` which are shown, without names all. */
export function outputsOf(design: Design, client: Client, items: readonly Downloadable[], notice: string, empty: string, metrics: readonly string[] = []) {
  const { outcome, failure } = design;
  return html`${notice ? html`<p class="notice" role="status">${notice}</p>` : nothing}
    ${failure ? html`<p class="notice bad" role="alert">${failure}${outcome ? html`<span class="soft">${texts.lastGood}</span>` : nothing}</p>` : nothing}
    ${whileComputing(design)}
    ${outcome === null
      ? html`<p class="soft">${failure ? "" : empty || texts.first}</p>`
      : html`<catenary-results
            .evaluation=${outcome}
            .order=${design.order}
            .baseline=${design.baseline}
            .shownMetrics=${metrics}
            .hasPins=${design.pins.length > 0}
            .canPin=${design.canPin}
            @pinned=${() => design.pin()}
          ></catenary-results>
          ${pinsOf(design)}
          <catenary-charts .charts=${outcome.charts} .tables=${outcome.tables}></catenary-charts>
          <catenary-tables .tables=${outcome.tables}></catenary-tables>
          <catenary-downloads .client=${client} .items=${items} .files=${outcome.files} .keep=${() => design.keep()}></catenary-downloads>
          ${logOf(design)}`}`;
}

/** Render the pinned designs, whose code comes with the first of them. */
function pinsOf(design: Design) {
  if (design.pins.length === 0) return nothing;
  void loadPins();
  return html`<catenary-pins .design=${design} .pins=${design.pins} .now=${design.outcome}></catenary-pins>`;
}

/** Render what the model printed for the stored evaluation of the design. */
function logOf(design: Design) {
  const log = design.kept?.log;
  return log ? html`<details class="log"><summary>${texts.log}</summary><pre tabindex="0">${log}</pre></details>` : nothing;
}
