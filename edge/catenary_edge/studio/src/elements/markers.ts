// The markers of the 3D view, which stand where their places are on the picture, and the bar of a place that is being picked.
import { html } from "lit";
import type { Anchor } from "../api/types.ts";
import type { Spot } from "../three/places.ts";
import { common } from "../texts/common.ts";
import { picking as texts } from "../texts/view.ts";

/** A mark at a place of the model, which can be clicked. */
export interface Marker {
  id: string;
  /** Its short sign on the picture. */
  sign: string;
  label: string;
  anchor: Anchor;
  isChosen: boolean;
}

export function markersOf(markers: readonly Marker[], clicked: (id: string) => void) {
  return markers.map(
    ({ id, sign, label, isChosen }) => html`<button class="marker" hidden aria-label=${label} title=${label} aria-pressed=${isChosen} @click=${() => clicked(id)}>${sign}</button>`,
  );
}

/** Put the markers of a view where their places are; those that the model hides are told by a class. */
export function placeMarkers(view: HTMLElement, spots: readonly (Spot | null)[], isResting: boolean): void {
  for (const [at, button] of view.querySelectorAll<HTMLElement>(".marker").entries()) {
    const spot = spots[at];
    button.hidden = !spot || spot.x < 0 || spot.x > 1 || spot.y < 0 || spot.y > 1;
    if (!spot) continue;
    button.style.transform = `translate(${Math.round(spot.x * view.clientWidth)}px, ${Math.round(spot.y * view.clientHeight)}px)`;
    if (isResting) button.classList.toggle("behind", spot.isHidden);
  }
}

export function pickBarOf(missed: boolean, middle: () => void, cancel: () => void) {
  return html`<div class="pick" role="status">
    <span>${missed ? texts.beside : texts.click}</span>
    <button class="quiet" @click=${middle}>${texts.middle}</button>
    <button class="quiet" @click=${cancel}>${common.cancel}</button>
  </div>`;
}
