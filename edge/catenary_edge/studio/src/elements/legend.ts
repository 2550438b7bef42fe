// What the colours of a chart of designs stand for.
import { html, nothing, svg } from "lit";
import { headingOf, shownCategory, type Column } from "../state/candidates.ts";
import * as format from "../state/format.ts";
import { shadesOf } from "../state/shades.ts";

const WIDTH = 10;

/** Render the colours of a column with what they stand for; nothing without colours. */
export function legendOf(column: Column | undefined) {
  const shades = shadesOf(column);
  if (column === undefined || shades === null) return nothing;
  const { categories } = column;
  const swatches = (colors: readonly string[]) =>
    html`<svg width=${WIDTH * colors.length} height="10" aria-hidden="true">${colors.map((color, place) => svg`<rect x=${place * WIDTH} width=${WIDTH} height="10" fill=${color} />`)}</svg>`;
  const isNamed = categories !== null && categories.length === shades.colors.length;
  return html`<p class="soft legend">
    <span>${headingOf(column)}</span>
    ${isNamed
      ? categories.map((one, place) => html`<span>${swatches([shades.colors[place]!])} ${shownCategory(one)}</span>`)
      : html`<span>${categories === null ? format.number(column.least) : shownCategory(categories[0]!)} ${swatches(shades.colors)} ${categories === null ? format.number(column.largest) : shownCategory(categories.at(-1)!)}</span>`}
  </p>`;
}
