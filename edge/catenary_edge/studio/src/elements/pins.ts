// <catenary-pins>: the pinned designs, and all of them side by side with the present one.
import { html, nothing } from "lit";
import type { Outcome } from "../api/types.ts";
import type { Design } from "../state/design.ts";
import { describe } from "../state/evaluations.ts";
import { sideBySide, type NamedOutcome } from "../state/pins.ts";
import { common } from "../texts/common.ts";
import { pins as texts } from "../texts/pins.ts";
import "./comparison.ts";
import { LightElement } from "./light.ts";

export class CatenaryPins extends LightElement {
  static override properties = {
    design: { attribute: false },
    pins: { attribute: false },
    now: { attribute: false },
    isComparing: { state: true },
  };
  declare design: Design;
  /** The pinned designs, in their order. */
  declare pins: readonly Outcome[];
  /** The present design; null before the first result. */
  declare now: Outcome | null;
  declare isComparing: boolean;

  constructor() {
    super();
    this.isComparing = false;
  }

  /** The designs that are compared: the present one is last, unless it is pinned. */
  private get compared(): NamedOutcome[] {
    const pinned = this.pins.map((outcome, place) => ({ name: texts.numbered(place + 1), outcome }));
    return this.now === null || this.pins.includes(this.now) ? pinned : [...pinned, { name: texts.now, outcome: this.now }];
  }

  private pin(outcome: Outcome, place: number) {
    const name = texts.numbered(place + 1);
    return html`<li data-pin=${place + 1}>
      <span><strong>${name}</strong> <span class="soft">${describe(outcome, this.design.parameters)}</span></span>
      <button class="quiet" aria-label=${texts.unpins(name)} @click=${() => this.design.unpin(outcome)}>${texts.unpin}</button>
    </li>`;
  }

  override render() {
    const { design, compared } = this;
    return html`<ul class="pins" aria-label=${texts.title}>${this.pins.map((one, place) => this.pin(one, place))}</ul>
      ${compared.length < 2 ? nothing : html`<div class="bar small"><button class="quiet" @click=${() => (this.isComparing = true)}>${common.compare}</button></div>`}
      ${this.isComparing
        ? html`<catenary-comparison
            .comparison=${sideBySide(compared, design.parameters, design.order?.metrics ?? [])}
            .parameters=${design.parameters}
            @closed=${() => (this.isComparing = false)}
          ></catenary-comparison>`
        : nothing}`;
  }
}
customElements.define("catenary-pins", CatenaryPins);
