// <catenary-measuring>: dimensions of the model, as lines over the 3D view and as a list; loaded when they are first used.
import { html, nothing, svg, type PropertyValues } from "lit";
import { toModel, toView } from "../state/camera.ts";
import { Dimensions, distanceOf, type Dimension } from "../state/dimensions.ts";
import { lengthText } from "../state/lengths.ts";
import { EdgeSearch } from "../three/edge_search.ts";
import { spotAt, trianglesOf } from "../three/places.ts";
import { snap } from "../three/snapping.ts";
import type { Stage } from "../three/stage.ts";
import { common } from "../texts/common.ts";
import { measuring as texts } from "../texts/measuring.ts";
import { picking } from "../texts/view.ts";
import { icon } from "./icons.ts";
import { LightElement } from "./light.ts";

/** Triangles up to which the end of an edge is shown while the pointer moves; in a larger model it is, once the pointer rests. */
const MOST_FOLLOWED = 100_000;
const REST_MS = 120;

export class CatenaryMeasuring extends LightElement {
  static override properties = { stage: { attribute: false }, unit: { attribute: false }, active: { type: Boolean }, missed: { state: true } };
  declare stage: Stage;
  /** The unit in which the model gives its geometry. */
  declare unit: string | null;
  /** Whether clicks measure. */
  declare active: boolean;
  /** Whether the last click was beside the model. */
  declare missed: boolean;
  private frame = 0;
  private rest: ReturnType<typeof setTimeout> | undefined;
  private readonly search = new EdgeSearch(() => this.requestUpdate());
  private readonly dimensions = new Dimensions(() => this.requestUpdate());

  constructor() {
    super();
    this.active = false;
    this.missed = false;
  }

  get isEmpty(): boolean {
    return this.dimensions.list.length === 0 && this.dimensions.from === null;
  }

  /** Take a click at a point of the picture, in parts of its width and height. */
  take(x: number, y: number): void {
    const found = snap(this.stage.sight, x, y, this.picture.clientWidth, this.picture.clientHeight);
    this.missed = found === null;
    if (found !== null) this.dimensions.click(toModel(found.place));
  }

  /** Show the end of an edge that a click there would take. */
  hover(x: number, y: number): void {
    this.stopHover();
    const show = () => {
      if (!this.stage.isResting) return;
      const found = snap(this.stage.sight, x, y, this.picture.clientWidth, this.picture.clientHeight);
      this.ring(found?.isEnd ? found.place : null);
    };
    if (trianglesOf(this.stage.sight) <= MOST_FOLLOWED) this.frame = requestAnimationFrame(show);
    else this.rest = setTimeout(show, REST_MS);
  }

  private stopHover(): void {
    cancelAnimationFrame(this.frame);
    clearTimeout(this.rest);
  }

  private ring(place: Dimension["from"] | null): void {
    const ring = this.querySelector(".snap");
    const spot = place && spotAt(this.stage.cameras, place);
    ring?.toggleAttribute("hidden", !spot);
    if (!spot) return;
    ring?.setAttribute("cx", (spot.x * this.picture.clientWidth).toFixed(1));
    ring?.setAttribute("cy", (spot.y * this.picture.clientHeight).toFixed(1));
  }

  /** Give up a first place; tell whether there was one. */
  cancel(): boolean {
    const had = this.dimensions.from !== null;
    this.dimensions.cancel();
    return had;
  }

  /** Note that another geometry is shown. */
  age(): void {
    this.dimensions.age();
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("active")) this.missed = false;
  }

  protected override updated(): void {
    this.place();
  }

  /** The element whose picture is measured. */
  private get picture(): HTMLElement {
    return this.parentElement!;
  }

  /** Put lines and labels where their places are on the picture. */
  place(): void {
    this.ring(null);
    if (this.active && this.stage.isResting) void this.search.seek(this.stage.model);
    const { clientWidth: width, clientHeight: height } = this.picture;
    const spotOf = (place: Dimension["from"]) => {
      const spot = spotAt(this.stage.cameras, toView(place));
      return spot && { x: spot.x * width, y: spot.y * height };
    };
    for (const { id, from, to } of this.dimensions.list) {
      const [start, end] = [spotOf(from), spotOf(to)];
      const isShown = start !== null && end !== null;
      for (const one of this.querySelectorAll(`[data-dimension="${id}"]`)) one.toggleAttribute("hidden", !isShown);
      if (!isShown) continue;
      for (const line of this.querySelectorAll(`line[data-dimension="${id}"]`)) {
        for (const [name, value] of Object.entries({ x1: start.x, y1: start.y, x2: end.x, y2: end.y })) line.setAttribute(name, value.toFixed(1));
      }
      const label = this.querySelector<HTMLElement>(`.length[data-dimension="${id}"]`);
      if (label) label.style.transform = `translate(${Math.round((start.x + end.x) / 2)}px, ${Math.round((start.y + end.y) / 2)}px) translate(-50%, -50%)`;
    }
    const first = this.dimensions.from && spotOf(this.dimensions.from);
    const dot = this.querySelector(".first");
    dot?.toggleAttribute("hidden", !first);
    if (dot && first) for (const [name, value] of Object.entries({ cx: first.x, cy: first.y })) dot.setAttribute(name, value.toFixed(1));
  }

  private lines() {
    const { list, from: first } = this.dimensions;
    return html`<svg class="dimensions" aria-hidden="true">
        ${list.map(({ id, isEarlier }) => ["halo", "line"].map((kind) => svg`<line class=${isEarlier ? `${kind} earlier` : kind} data-dimension=${id} />`))}
        ${first === null ? nothing : svg`<circle class="first" r="5" />`}
        <circle class="snap" r="7" hidden />
      </svg>
      ${list.map(({ id, from, to, isEarlier }) => {
        const { distance } = distanceOf(from, to);
        return html`<span class=${isEarlier ? "length earlier" : "length"} data-dimension=${id} aria-hidden="true">${lengthText(distance, this.unit)}</span>`;
      })}`;
  }

  private row({ id, from, to, isEarlier }: Dimension) {
    const { distance, dx, dy, dz } = distanceOf(from, to);
    const text = (length: number) => lengthText(length, this.unit, distance);
    return html`<li>
      <strong>${text(distance)}</strong>
      <span>${texts.along.x(text(dx))}</span><span>${texts.along.y(text(dy))}</span><span>${texts.along.z(text(dz))}</span>
      ${isEarlier ? html`<span class="soft">${texts.earlier}</span>` : nothing}
      <button class="action" aria-label=${texts.remove(text(distance))} title=${common.remove} @click=${() => this.dimensions.remove(id)}>${icon("close")}</button>
    </li>`;
  }

  private told(): string {
    if (this.missed) return picking.beside;
    return this.dimensions.from === null ? texts.first : texts.second;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stopHover();
    this.search.end();
  }

  override render() {
    const { list } = this.dimensions;
    if (!this.active && this.isEmpty) return nothing;
    return html`${this.lines()}
      <section class="strip measuring" aria-label=${texts.title}>
        ${this.active
          ? html`<div class="line">
              <span class="label" role="status">${this.told()} ${texts.search[this.search.standing]}</span>
              <button class="quiet small" @click=${() => this.take(0.5, 0.5)}>${picking.middle}</button>
              <button class="quiet small" @click=${() => this.tell("tool-toggled", "measure")}>${texts.done}</button>
            </div>`
          : nothing}
        ${list.length > 0
          ? html`<ul>
                ${list.map((one) => this.row(one))}
              </ul>
              ${list.length > 1 || !this.active ? html`<button class="quiet small" @click=${() => this.dimensions.clear()}>${texts.removeAll}</button>` : nothing}`
          : nothing}
      </section>`;
  }
}
customElements.define("catenary-measuring", CatenaryMeasuring);
