// <catenary-viewer>: the 3D view of GLB files, without knowledge of the platform.
import { LitElement, html, nothing, type PropertyValues } from "lit";
import { title } from "../state/format.ts";
import type { Anchor, Camera } from "../api/types.ts";
import { toModel, toView } from "../state/camera.ts";
import type { Shown, Stage } from "../three/stage.ts";

/** A geometry to show. */
export interface Model {
  name: string;
  file: ArrayBuffer;
}

/** A mark at a place of the model, which can be clicked. */
export interface Marker {
  id: string;
  /** Its short sign on the picture. */
  sign: string;
  label: string;
  anchor: Anchor;
  isChosen: boolean;
}

/** A place that was picked, and the camera that showed it. */
export interface Picked {
  anchor: Anchor;
  camera: Camera;
}

const MEASURE = "slider to picture";
/** Pixels up to which a click is no drag. */
const CLICK_PIXELS = 4;

export class CatenaryViewer extends LitElement {
  static override properties = { models: { attribute: false }, askedAt: { attribute: false }, busy: { type: Boolean }, markers: { attribute: false }, picking: { type: Boolean }, hiddenNames: { state: true }, failure: { state: true }, missed: { state: true } };
  declare models: readonly Model[];
  /** When somebody changed the values of these models; null where nobody waits for the picture. */
  declare askedAt: number | null;
  declare busy: boolean;
  declare markers: readonly Marker[];
  /** Whether the next click picks a place. */
  declare picking: boolean;
  declare hiddenNames: ReadonlySet<string>;
  declare failure: string;
  /** Whether the last click of a pick was beside the model. */
  declare missed: boolean;
  private pressed: { x: number; y: number } | null = null;
  private wanted: Camera | null = null;
  private stage: Stage | null = null;
  private shown: readonly Shown[] = [];
  private readonly sizes = new ResizeObserver(() => this.resize());

  constructor() {
    super();
    this.models = [];
    this.askedAt = null;
    this.busy = false;
    this.markers = [];
    this.picking = false;
    this.missed = false;
    this.hiddenNames = new Set();
    this.failure = "";
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.open();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.sizes.disconnect();
    this.stage?.dispose();
    this.stage = null;
  }

  private async open(): Promise<void> {
    await this.updateComplete;
    const [{ Stage }] = await Promise.all([import("../three/stage.ts")]);
    const canvas = this.querySelector("canvas");
    if (!this.isConnected || canvas === null) return;
    try {
      this.stage = new Stage(canvas, (isResting) => this.place(isResting));
    } catch {
      this.failure = "The 3D view needs WebGL, which this browser does not offer.";
      return;
    }
    this.resize();
    this.sizes.observe(this);
    await this.load();
  }

  private resize(): void {
    this.stage?.resize(this.clientWidth, this.clientHeight);
  }

  protected override updated(changed: PropertyValues): void {
    if (changed.has("models")) void this.load();
    if (changed.has("hiddenNames")) this.stage?.setHidden(this.hiddenNames);
    if (changed.has("markers")) this.place(true);
    if (changed.has("picking")) this.missed = false;
  }

  /** Move the view to a camera, at once or with the first geometry. */
  lookFrom(camera: Camera): void {
    if (this.stage === null || this.shown.length === 0) this.wanted = camera;
    else void this.stage.lookFrom(camera);
  }

  /** Put the markers where their places are on the picture; those that the model hides are told by a class. */
  private place(isResting: boolean): void {
    const { stage, markers } = this;
    if (stage === null || markers.length === 0) return;
    const spots = stage.spots(markers.map(({ anchor }) => toView([anchor.x, anchor.y, anchor.z])), isResting);
    for (const [at, button] of this.querySelectorAll<HTMLElement>(".marker").entries()) {
      const spot = spots[at];
      button.hidden = !spot || spot.x < 0 || spot.x > 1 || spot.y < 0 || spot.y > 1;
      if (!spot) continue;
      button.style.transform = `translate(${Math.round(spot.x * this.clientWidth)}px, ${Math.round(spot.y * this.clientHeight)}px)`;
      if (isResting) button.classList.toggle("behind", spot.isHidden);
    }
  }

  private press(event: PointerEvent): void {
    this.pressed = event.button === 0 ? { x: event.clientX, y: event.clientY } : null;
  }

  private clicked(event: MouseEvent): void {
    const { pressed } = this;
    if (!this.picking || pressed === null || Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) > CLICK_PIXELS) return;
    const box = this.getBoundingClientRect();
    this.pick((event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height);
  }

  private pick(x: number, y: number): void {
    const { stage } = this;
    const hit = stage?.hit(x, y) ?? null;
    this.missed = hit === null;
    if (stage === null || hit === null) return;
    const [east, north, up] = toModel(hit.place);
    const detail: Picked = { anchor: { x: east, y: north, z: up, geometry: hit.geometry.slice(0, 200), part: hit.part.slice(0, 200) }, camera: stage.look() };
    this.dispatchEvent(new CustomEvent("place-picked", { detail }));
  }

  private pickBar() {
    if (!this.picking) return nothing;
    return html`<div class="pick" role="status">
      <span>${this.missed ? "That was beside the model. Click on the model." : "Click the place on the model."}</span>
      <button class="quiet" @click=${() => this.pick(0.5, 0.5)}>Middle of the view</button>
      <button class="quiet" @click=${() => this.dispatchEvent(new CustomEvent("pick-cancelled"))}>Cancel</button>
    </div>`;
  }

  private marks() {
    return this.markers.map(
      ({ id, sign, label, isChosen }) => html`<button
        class="marker"
        hidden
        aria-label=${label}
        title=${label}
        aria-pressed=${isChosen}
        @click=${() => this.dispatchEvent(new CustomEvent("marker-clicked", { detail: id }))}
      >
        ${sign}
      </button>`,
    );
  }

  private async load(): Promise<void> {
    if (this.stage === null || this.models.length === 0) return;
    const { readGlb } = await import("../three/glb.ts");
    try {
      this.shown = this.models.map(({ name, file }) => ({ name, parts: readGlb(file) }));
      this.failure = "";
    } catch (error) {
      this.failure = error instanceof Error ? error.message : String(error);
      return;
    }
    const { askedAt } = this;
    this.stage?.show(this.shown, this.hiddenNames, () => this.measure(askedAt));
    const { wanted } = this;
    this.wanted = null;
    if (wanted !== null) void this.stage?.lookFrom(wanted);
    const triangles = this.shown.flatMap((one) => one.parts).reduce((sum, part) => sum + (part.isLines ? 0 : part.indices.length / 3), 0);
    this.dataset["triangles"] = String(triangles);
  }

  /** Measure the time from a change to its picture, for the tools of the browser. */
  private measure(askedAt: number | null): void {
    if (askedAt !== null) performance.measure(MEASURE, { start: askedAt, end: performance.now() });
  }

  private toggle(name: string): void {
    const hidden = new Set(this.hiddenNames);
    if (!hidden.delete(name)) hidden.add(name);
    this.hiddenNames = hidden;
  }

  override render() {
    return html`<canvas
        class=${this.picking ? "picking" : ""}
        role="img"
        aria-label="3D view. Drag to turn, right drag to move, wheel to zoom."
        @pointerdown=${(event: PointerEvent) => this.press(event)}
        @click=${(event: MouseEvent) => this.clicked(event)}
      ></canvas>
      ${this.marks()}${this.pickBar()}
      <div class="tools">
        ${this.models.length > 1
          ? this.models.map(
              ({ name }) => html`<label class="chip"><input type="checkbox" .checked=${!this.hiddenNames.has(name)} @change=${() => this.toggle(name)} />${title(name)}</label>`,
            )
          : nothing}
        <button class="quiet" ?disabled=${this.models.length === 0} @click=${() => this.stage?.fit(true)}>Fit</button>
      </div>
      ${this.failure ? html`<p class="notice bad" role="alert">${this.failure}</p>` : nothing}
      ${this.models.length === 0 && !this.failure ? html`<p class="empty">${this.busy ? "Computing the design…" : "This design has no geometry."}</p>` : nothing}`;
  }
}
customElements.define("catenary-viewer", CatenaryViewer);
