// What the inputs of a sensitivity count for, as a table with bars for each objective.
import { html, nothing, svg } from "lit";
import type { StudyIndex, StudyIndices } from "../api/types.ts";
import * as format from "../state/format.ts";
import { nameOfObjective } from "../state/sources.ts";
import { indices as texts } from "../texts/designs.ts";

/** What is below this part of the greatest effect is the rounding of the model's sums. */
const NOISE = 1e-9;
const BAR = { width: 96, height: 8 };

/** Render the indices of each objective; inputs are named as the page names them. */
export function indicesOf(all: readonly StudyIndices[], labelOf: (parameter: string) => string) {
  const isMorris = all.some(({ parameters }) => parameters.some(({ mu_star }) => typeof mu_star === "number"));
  return html`<p class="soft">${isMorris ? texts.morrisHint : texts.sobolHint}</p>${all.map((one) => tableOf(one, isMorris, labelOf))}`;
}

/** Render the indices of one objective, the input that counts most first. */
function tableOf({ objective, parameters, used, left_out }: StudyIndices, isMorris: boolean, labelOf: (parameter: string) => string) {
  const rows = [...parameters].sort((one, other) => effectOf(other) - effectOf(one));
  const most = Math.max(0, ...rows.map(effectOf));
  const whole = isMorris ? most || 1 : 1;
  const shown = (value: number | null | undefined, confidence?: number | null) => shownOf(value, confidence, most);
  const title = texts.title(nameOfObjective(objective));
  return html`<section class="indices" aria-label=${title}>
    <h2>${title}</h2>
    <div class="scroll"><table class="rows">
      <thead><tr>${(isMorris ? texts.morris : texts.sobol).map((heading) => html`<th scope="col">${heading}</th>`)}</tr></thead>
      <tbody>${rows.map(
        (row) => html`<tr data-index=${row.parameter}>
          <th scope="row">${labelOf(row.parameter)}</th>
          <td>${barOf(effectOf(row) / whole)}${isMorris ? shown(row.mu_star, row.mu_star_confidence) : shown(row.st, row.st_confidence)}</td>
          <td>${isMorris ? shown(row.sigma) : shown(row.s1, row.s1_confidence)}</td>
        </tr>`,
      )}</tbody>
    </table></div>
    ${left_out > 0 ? html`<p class="soft">${texts.leftOut(left_out, used + left_out)}</p>` : nothing}
  </section>`;
}

function effectOf({ mu_star, st }: StudyIndex): number {
  return mu_star ?? st ?? 0;
}

function shownOf(value: number | null | undefined, confidence: number | null | undefined, most: number) {
  if (value === null || value === undefined) return texts.unknown;
  const rounded = (exact: number, digits: number) => format.number(Math.abs(exact) < most * NOISE ? 0 : Number(exact.toPrecision(digits)));
  return html`${rounded(value, 3)}${typeof confidence === "number" ? html` <span class="soft">± ${rounded(confidence, 2)}</span>` : nothing}`;
}

function barOf(part: number) {
  const width = BAR.width * Math.min(1, Math.max(0, part));
  return html`<svg class="effect" width=${BAR.width} height=${BAR.height} aria-hidden="true">${svg`<rect width=${width} height=${BAR.height} rx="2" />`}</svg>`;
}
