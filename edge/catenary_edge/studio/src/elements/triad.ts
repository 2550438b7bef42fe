// The sign of the model's axes in the corner of the 3D view.
import { html, svg } from "lit";
import type { Point } from "../state/camera.ts";

const NAMES = ["X", "Y", "Z"] as const;
/** Half the size of the sign, and the lengths of its lines and to its letters. */
const [MIDDLE, LINE, LETTER] = [32, 18, 26];

export function triadOf() {
  return html`<svg class="triad" viewBox="0 0 ${2 * MIDDLE} ${2 * MIDDLE}" aria-hidden="true">
    ${NAMES.map((name) => svg`<g class=${name.toLowerCase()}><line x1=${MIDDLE} y1=${MIDDLE} /><text>${name}</text></g>`)}
  </svg>`;
}

/** Turn the sign of a view; what points away from the viewer is pale. */
export function placeTriad(view: HTMLElement, axes: readonly Point[]): void {
  for (const [at, group] of view.querySelectorAll(".triad g").entries()) {
    const [right, up, near] = axes[at] ?? [0, 0, 0];
    const [line, letter] = [group.querySelector("line")!, group.querySelector("text")!];
    const put = (element: Element, names: readonly [string, string], length: number) => {
      element.setAttribute(names[0], (MIDDLE + right * length).toFixed(1));
      element.setAttribute(names[1], (MIDDLE - up * length).toFixed(1));
    };
    put(line, ["x2", "y2"], LINE);
    put(letter, ["x", "y"], LETTER);
    group.classList.toggle("away", near < -1e-3);
  }
}
