// <catenary-section>: the controls of the plane that cuts the model open; loaded when they are first used.
import { html, noChange, nothing, type PropertyValues } from "lit";
import { live } from "lit/directives/live.js";
import { toModel } from "../state/camera.ts";
import { lengthText, readLength } from "../state/lengths.ts";
import { Section, type Axis, type Box, type Plane } from "../state/section.ts";
import { Caps } from "../three/caps.ts";
import type { Looks } from "../three/model.ts";
import type { Stage } from "../three/stage.ts";
import { section as texts } from "../texts/section.ts";
import { icon } from "./icons.ts";
import { LightElement } from "./light.ts";

const AXES: readonly Axis[] = ["x", "y", "z", "view"];
/** Places of the slider. */
const STEPS = 1000;

export class CatenarySection extends LightElement {
  static override properties = { stage: { attribute: false }, looks: { attribute: false }, unit: { attribute: false }, plane: { attribute: false }, isWrong: { state: true } };
  declare stage: Stage;
  declare looks: Looks;
  /** The unit in which the model gives its geometry. */
  declare unit: string | null;
  /** The plane of a saved view, where it begins; null for the middle of the model. */
  declare plane: Plane | null;
  /** Whether what was typed is no length. */
  declare isWrong: boolean;
  private readonly section = new Section(() => this.cut());
  private caps: Caps | null = null;
  /** The box of the model; read again whenever what is shown changes. */
  private box: Box | null = null;

  constructor() {
    super();
    this.plane = null;
    this.isWrong = false;
  }

  protected override firstUpdated(): void {
    this.caps = new Caps(this.stage, this.looks, () => {
      this.box = this.stage.box;
      this.requestUpdate();
      return this.box && this.section.plane(this.box);
    });
    if (this.plane === null) this.along("z");
  }

  protected override updated(changed: PropertyValues): void {
    if (changed.has("plane") && this.plane !== null) this.section.restore(this.plane);
  }

  /** Return the plane that cuts the model now; null without a model. */
  present(): Plane | null {
    return this.box && this.section.plane(this.box);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.caps?.dispose();
    this.caps = null;
  }

  private cut(): void {
    this.isWrong = false;
    this.caps?.move();
  }

  private enter(text: string, box: Box, size: number): void {
    const metres = readLength(text, this.unit, size);
    this.isWrong = metres === undefined;
    if (metres !== undefined) this.section.put(metres, box);
  }

  private along(axis: Axis): void {
    this.section.along(axis, toModel(this.stage.cameras.direction.toArray()));
  }

  override render() {
    const { section, box } = this;
    const part = box === null ? 0 : section.part(box);
    const place = box === null ? 0 : section.shownPlace(box);
    const size = box === null ? 1 : Math.max(...box.max.map((one, axis) => one - box.min[axis]!));
    const text = lengthText(place, this.unit, size);
    const name = section.axis === "view" ? texts.depth : section.axis.toUpperCase();
    return html`<section class="strip" aria-label=${texts.title}>
      <div class="segments" role="group" aria-label=${texts.direction}>
        ${AXES.map((axis) => html`<button class="quiet" aria-pressed=${section.axis === axis} title=${texts.axes[axis].about} @click=${() => this.along(axis)}>${texts.axes[axis].label}</button>`)}
      </div>
      <input
        type="range"
        min="0"
        max=${STEPS}
        aria-label=${texts.place}
        aria-valuetext=${`${name} ${text}`}
        .value=${live(String(Math.round(part * STEPS)))}
        @input=${(event: Event) => box && section.slide(Number((event.target as HTMLInputElement).value) / STEPS, box)}
      />
      <label class="place"
        >${name}<input
          type="text"
          inputmode="decimal"
          .value=${this.isWrong ? noChange : live(text)}
          aria-invalid=${this.isWrong || nothing}
          aria-describedby=${this.isWrong ? "section-message" : nothing}
          @change=${(event: Event) => box && this.enter((event.target as HTMLInputElement).value, box, size)}
      /></label>
      <button class="quiet small" title=${texts.flipHint} @click=${() => section.flip()}>${texts.flip}</button>
      <button class="action" aria-label=${texts.end} title=${texts.end} @click=${() => this.tell("tool-toggled", "section")}>${icon("close")}</button>
      ${this.isWrong ? html`<p id="section-message" class="bad" role="alert">${texts.length}</p>` : nothing}
    </section>`;
  }
}
customElements.define("catenary-section", CatenarySection);
