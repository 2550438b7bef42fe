// One upright axis of parallel coordinates: its title, its bounds, its ticks, and the brush on it.
import { html, nothing, svg } from "lit";
import type { Json, ViewFilter } from "../api/types.ts";
import { headingOf, keyOf, shownCategory, shownValue } from "../state/candidates.ts";
import * as format from "../state/format.ts";
import { readBound, stretchesOf } from "../state/filters.ts";
import type { Upright } from "../state/parallel.ts";
import { pixelOf, ticksOf } from "../state/scales.ts";
import { upright as texts } from "../texts/designs.ts";

/** Categories that have a button each. */
const MOST_BUTTONS = 12;
const TICKS = 6;
/** Half of the width of a brush. */
const HALF = 9;

export interface UprightCalls {
  /** Take a bound that was typed, and say whether it is one. */
  bound(name: string, end: "min" | "max", value: number | null): void;
  toggle(name: string, category: Json): void;
  /** Move an axis by so many places. */
  move(name: string, by: number): void;
}

/** Render an axis; its line goes from `top` to `bottom` of a height. */
export function uprightOf(axis: Upright, filter: ViewFilter | undefined, height: number, calls: UprightCalls) {
  const { column } = axis;
  const heading = headingOf(column);
  const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };
  const press = (event: KeyboardEvent) => {
    const by = steps[event.key];
    if (by === undefined) return;
    event.preventDefault();
    calls.move(column.name, by);
  };
  const isTold = column.categories !== null && column.categories.length <= MOST_BUTTONS;
  return html`<div class="upright" data-axis=${column.name}>
    <button class="axis" title=${texts.move(heading)} @keydown=${press}><span>${column.label}</span>${column.unit ? html`<span class="soft">${format.unit(column.unit)}</span>` : nothing}<span class="sr">${texts.moveHeard}</span></button>
    ${boundOf(axis, filter, "max", calls)}
    <div class="line-of">
      <svg height=${height} width="100%" aria-hidden="true">
        <svg x="50%" overflow="visible">
          <line class="rule" y1=${axis.to} y2=${axis.from} />
          ${isTold ? nothing : ticksOf(axis, TICKS).map((value) => svg`<g transform="translate(0 ${pixelOf(axis, value)})"><line class="rule" x2="5" /><text x="8" dy=".32em">${short(shownValue(column, value))}</text></g>`)}
          ${stretchesOf(filter, column).map(([from, to]) => {
            const [top, bottom] = [pixelOf(axis, to), pixelOf(axis, from)];
            return svg`<rect class="brush" x=${-HALF} width=${2 * HALF} y=${top - 1} height=${Math.max(2, bottom - top + 2)} rx="3" />`;
          })}
          <rect class="grip" data-grip=${column.name} x=${-1.6 * HALF} width=${3.2 * HALF} height=${height} />
        </svg>
      </svg>
      ${isTold ? categoriesOf(axis, filter, calls) : nothing}
    </div>
    ${boundOf(axis, filter, "min", calls)}
  </div>`;
}

function short(text: string): string {
  return text.length > 9 ? `${text.slice(0, 8)}…` : text;
}

/** Render the field for a bound; the placeholder is that of the designs. Categories have none. */
function boundOf({ column }: Upright, filter: ViewFilter | undefined, end: "min" | "max", calls: UprightCalls) {
  if (column.categories !== null) return html`<span class="bound"></span>`;
  const change = (event: Event) => {
    const field = event.target as HTMLInputElement;
    const value = readBound(field.value);
    field.toggleAttribute("aria-invalid", value === undefined);
    field.setCustomValidity(value === undefined ? texts.bound : "");
    if (value === undefined) field.reportValidity();
    else calls.bound(column.name, end, value);
  };
  const present = filter?.[end] ?? null;
  const label = (end === "min" ? texts.atLeast : texts.atMost)(headingOf(column));
  const edge = end === "min" ? column.least : column.largest;
  return html`<input type="text" inputmode="decimal" class="bound" autocomplete="off" aria-label=${label} title=${label} placeholder=${format.number(edge)} .value=${present === null ? "" : String(present)} @change=${change} />`;
}

function categoriesOf({ column }: Upright, filter: ViewFilter | undefined, calls: UprightCalls) {
  const chosen = new Set((filter?.values ?? []).map((one) => keyOf(one as Json)));
  return html`<div class="categories" role="group" aria-label=${column.label}>
    ${column.categories!.map((one) => {
      const text = shownCategory(one);
      return html`<span><button title=${texts.show(text)} aria-pressed=${chosen.has(keyOf(one))} @click=${() => calls.toggle(column.name, one)}>${text}</button></span>`;
    })}
  </div>`;
}
