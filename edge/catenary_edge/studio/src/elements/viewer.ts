// <catenary-viewer>: the 3D view of GLB files, without knowledge of the platform.
import { LitElement, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { Anchor, Camera, ViewerSettings } from "../api/types.ts";
import type { Appearance } from "../state/appearance.ts";
import { toModel, toView, type Point, type Projection } from "../state/camera.ts";
import { isSameGeometry } from "../state/geometry_files.ts";
import { savedUnit } from "../state/lengths.ts";
import type { NamedView } from "../state/named_views.ts";
import { Parts, keyOf } from "../state/parts.ts";
import type { Plane } from "../state/section.ts";
import type { Shown, Stage } from "../three/stage.ts";
import { viewer as texts } from "../texts/view.ts";
import { markersOf, pickBarOf, placeMarkers, type Marker } from "./markers.ts";
import type { CatenaryViewCube } from "./view_cube.ts";
import { followKey } from "./view_keys.ts";
import type { Background, Tool } from "./view_tools.ts";
import "./view_tools.ts";

/** A geometry to show. */
export interface Model {
  name: string;
  file: ArrayBuffer;
  /** The unit in which the model gives it. */
  unit?: string | null;
}

/** A place that was picked, and the camera that showed it. */
export interface Picked {
  anchor: Anchor;
  camera: Camera;
}

const MEASURE = "slider to picture";
/** Pixels up to which a click is no drag. */
const CLICK_PIXELS = 4;
/** The element of each tool, loaded when it is first used. */
const TOOLS: Readonly<Record<Tool, () => Promise<unknown>>> = {
  views: () => import("./saved_views.ts"),
  parts: () => import("./parts.ts"),
  section: () => import("./section.ts"),
  measure: () => import("./measuring.ts"),
};

export class CatenaryViewer extends LitElement {
  static override properties = { models: { attribute: false }, askedAt: { attribute: false }, busy: { type: Boolean }, markers: { attribute: false }, picking: { type: Boolean }, saved: { attribute: false }, background: { state: true }, edges: { state: true }, plane: { state: true }, open: { state: true }, projection: { state: true }, failure: { state: true }, missed: { state: true } };
  declare models: readonly Model[];
  /** When somebody changed the values of these models; null where nobody waits for the picture. */
  declare askedAt: number | null;
  declare busy: boolean;
  declare markers: readonly Marker[];
  /** Whether the next click picks a place. */
  declare picking: boolean;
  /** The list of saved views, for the tool of that name; null where there are none. */
  declare saved: TemplateResult | null;
  declare background: Background;
  /** Whether edges are drawn. */
  declare edges: boolean;
  /** Where a saved view cuts the model; null without a section of one. */
  declare plane: Plane | null;
  /** The tools that are on. */
  declare open: ReadonlySet<Tool>;
  declare projection: Projection;
  declare failure: string;
  /** Whether the last click of a pick was beside the model. */
  declare missed: boolean;
  private hasMeasured = false;
  private readonly parts = new Parts(() => this.dress());
  private readonly looks = (geometry: string, part: string) => this.parts.look(geometry, part);
  private pressed: { x: number; y: number } | null = null;
  private wanted: Camera | null = null;
  /** What waits for the first geometry. */
  private waiting: Appearance | null = null;
  /** The unit of lengths that a saved view gave; null for the model's own. */
  private savedUnit: string | null = null;
  private stage: Stage | null = null;
  private shown: readonly Shown[] = [];
  /** The models that were shown last. */
  private loaded: readonly Model[] = [];
  private readonly sizes = new ResizeObserver(() => this.resize());

  constructor() {
    super();
    this.models = [];
    this.askedAt = null;
    this.busy = false;
    this.markers = [];
    this.picking = false;
    this.saved = this.background = this.plane = null;
    this.edges = true;
    this.missed = false;
    this.open = new Set();
    this.projection = "perspective";
    this.failure = "";
    this.addEventListener("keydown", (event) => this.escape(event));
    this.addEventListener("tool-toggled", (event) => void this.switch((event as CustomEvent<Tool>).detail));
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.begin();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.sizes.disconnect();
    this.open = new Set();
    this.hasMeasured = false;
    this.stage?.dispose();
    this.stage = null;
  }

  private async begin(): Promise<void> {
    await this.updateComplete;
    const { Stage } = await import("../three/stage.ts");
    const canvas = this.querySelector("canvas");
    if (!this.isConnected || canvas === null) return;
    try {
      this.stage = new Stage(canvas, (isResting) => this.place(isResting));
    } catch {
      this.failure = texts.withoutWebGL;
      return;
    }
    this.projection = this.stage.cameras.projection;
    this.stage.showEdges(this.edges);
    this.requestUpdate(); // the tools wait for the stage
    this.resize();
    this.sizes.observe(this);
    await this.load();
    await import("./view_cube.ts").catch(() => undefined); // after the first picture; without it keys and menu turn the view
  }

  private resize(): void {
    this.stage?.resize(this.clientWidth, this.clientHeight);
  }

  protected override updated(changed: PropertyValues): void {
    if (changed.has("models")) void this.load();
    if (changed.has("markers")) this.place(true);
    if (changed.has("picking")) this.missed = false;
    if (changed.has("edges")) this.stage?.showEdges(this.edges);
    if (changed.has("background")) this.ground();
    if (changed.has("background") || changed.has("plane")) this.tell();
  }

  /** Move the view to a camera, at once or with the first geometry. */
  lookFrom(camera: Camera): void {
    if (this.stage === null || this.shown.length === 0) this.wanted = camera;
    else void this.stage.lookFrom(camera);
  }

  /** Show the model as a saved view or an address does, at once or with the first geometry. */
  showAs(wanted: Appearance): void {
    if (this.stage === null || this.shown.length === 0) return void (this.waiting = wanted);
    const { camera, section } = wanted;
    this.parts.restore(wanted);
    [this.background, this.edges, this.savedUnit] = [wanted.background, wanted.edges, wanted.length_unit];
    this.plane = section && { point: section.point as unknown as Point, normal: section.normal as unknown as Point };
    if (this.open.has("section") !== (section !== null)) void this.switch("section", section !== null);
    this.stage.home = camera;
    if (camera !== null) void this.stage.lookFrom(camera);
    this.requestUpdate();
  }

  /** What somebody has changed of the view, also where it waits for the first geometry; null where nothing is known of it. */
  get appearance(): Appearance | null {
    const { stage, background, edges } = this;
    if (stage === null || this.shown.length === 0) return this.waiting;
    const plane = this.open.has("section") ? (this.querySelector("catenary-section")?.present() ?? this.plane) : null;
    const section = plane && { point: [...plane.point], normal: [...plane.normal] };
    return { camera: stage.camera, section, background, edges, length_unit: this.savedUnit, ...this.parts.dress() };
  }

  /** Return what is shown, for a view to be saved; null without geometry. */
  settings(): ViewerSettings | null {
    const { stage, appearance } = this;
    if (stage === null || appearance === null || this.shown.length === 0) return null;
    const theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
    return {
      ...appearance,
      camera: stage.cameras.look(),
      background: appearance.background ?? theme,
      length_unit: savedUnit(this.unit, 2 * stage.sphere.radius),
    };
  }

  /** Tell that the view may be another now. */
  private tell(): void {
    if (this.shown.length > 0) this.dispatchEvent(new CustomEvent("view-changed", { bubbles: true }));
  }

  /** The unit in which lengths are shown; null where neither a saved view nor the model names one. */
  private get unit(): string | null {
    return this.savedUnit ?? this.models.find((one) => one.unit)?.unit ?? null;
  }

  /** Show what is behind the model: the elements over it take the colours of a light or dark ground. */
  private ground(): void {
    const { background, style } = this;
    const isScheme = background === "light" || background === "dark";
    style.colorScheme = isScheme ? background : "";
    style.backgroundColor = isScheme ? "" : (background ?? "");
  }

  /** Switch a tool on or off. */
  private async switch(tool: Tool, isOn = !this.open.has(tool)): Promise<void> {
    try {
      await TOOLS[tool]();
    } catch {
      this.failure = texts.toolLost;
      return;
    }
    if (this.failure === texts.toolLost) this.failure = "";
    const open = new Set(this.open);
    open.delete(tool);
    if (isOn && (tool === "views" || tool === "parts")) open.delete(tool === "views" ? "parts" : "views"); // both lie at one place
    if (isOn) open.add(tool);
    if (!open.has("section")) this.plane = null;
    this.hasMeasured ||= tool === "measure";
    this.open = open;
    await this.updateComplete;
    const isLost = document.activeElement === document.body; // it was in what has been closed
    if (!isOn && isLost) this.querySelector<HTMLElement>(`[data-tool=${tool}]`)?.focus();
  }

  /** Show what was changed of the parts. */
  private dress(): void {
    this.stage?.dress(this.looks);
    this.requestUpdate();
    this.querySelector("catenary-parts")?.requestUpdate();
  }

  /** Close the tool that has the focus, or end what waits for a click: a pick, a first place, measuring. */
  private escape(event: KeyboardEvent): void {
    if (event.key !== "Escape") return;
    const inside = (["views", "parts", "section"] as const).find((tool) => (event.target as Element).closest(`catenary-${tool}`));
    if (inside) void this.switch(inside);
    else if (this.picking) this.dispatchEvent(new CustomEvent("pick-cancelled"));
    else if (this.open.has("measure") && !this.querySelector("catenary-measuring")?.cancel()) void this.switch("measure");
  }

  /** Put the markers where their places are on the picture; those that the model hides are told by a class. */
  private place(isResting: boolean): void {
    const { stage, markers } = this;
    this.querySelector("catenary-measuring")?.place();
    if (stage === null) return;
    if (isResting) this.tell();
    this.projection = stage.cameras.projection;
    this.querySelector<CatenaryViewCube>("catenary-view-cube:defined")?.place(stage.cameras.axes, isResting);
    if (markers.length === 0) return;
    placeMarkers(this, stage.spots(markers.map(({ anchor }) => toView([anchor.x, anchor.y, anchor.z])), isResting), isResting);
  }

  private point(event: PointerEvent): void {
    this.querySelector("canvas")?.focus({ preventScroll: true });
    this.pressed = event.button === 0 ? { x: event.clientX, y: event.clientY } : null;
  }

  private clicked(event: MouseEvent): void {
    const { pressed } = this;
    if (pressed === null || Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) > CLICK_PIXELS) return;
    const [x, y] = this.partsOf(event);
    if (this.picking) this.pick(x, y);
    else if (this.open.has("measure")) this.querySelector("catenary-measuring")?.take(x, y);
  }

  /** Show which end of an edge a click would measure. */
  private hover(event: PointerEvent): void {
    if (event.buttons === 0 && this.open.has("measure") && this.stage?.isResting) this.querySelector("catenary-measuring")?.hover(...this.partsOf(event));
  }

  /** Come closer to the part under the pointer. */
  private zoom(event: MouseEvent): void {
    if (this.picking || this.open.has("measure")) return;
    const hit = this.stage?.hit(...this.partsOf(event));
    if (hit) void this.stage?.fitPart(keyOf(hit.geometry, hit.part));
  }

  /** Return where the pointer is, in parts of the width and height of the picture. */
  private partsOf(event: MouseEvent): [number, number] {
    const box = this.getBoundingClientRect();
    return [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
  }

  private pick(x: number, y: number): void {
    const { stage } = this;
    const hit = stage?.hit(x, y) ?? null;
    this.missed = hit === null;
    if (stage === null || hit === null) return;
    const [east, north, up] = toModel(hit.place);
    const detail: Picked = { anchor: { x: east, y: north, z: up, geometry: hit.geometry.slice(0, 200), part: hit.part.slice(0, 200) }, camera: stage.cameras.look() };
    this.dispatchEvent(new CustomEvent("place-picked", { detail }));
  }

  private async load(): Promise<void> {
    if (this.stage === null || this.models.length === 0) return;
    const { readGlb } = await import("../three/glb.ts");
    const { models } = this;
    try {
      this.shown = models.map(({ name, file }) => ({ name, parts: readGlb(file) }));
      this.failure = "";
    } catch (error) {
      this.failure = error instanceof Error ? error.message : String(error);
      return;
    }
    const { askedAt } = this;
    this.parts.take(this.shown);
    this.stage?.show(this.shown, this.looks, () => this.measure(askedAt));
    if (this.hasMeasured && !isSameGeometry(this.loaded, models)) this.querySelector("catenary-measuring")?.age();
    this.loaded = models;
    this.requestUpdate(); // of the parts others may be hidden now
    this.querySelector("catenary-parts")?.requestUpdate();
    const { wanted, waiting } = this;
    this.wanted = this.waiting = null;
    if (waiting !== null) this.showAs(waiting);
    if (wanted !== null) void this.stage?.lookFrom(wanted);
    const triangles = this.shown.flatMap((one) => one.parts).reduce((sum, part) => sum + (part.isLines ? 0 : part.indices.length / 3), 0);
    this.dataset["triangles"] = String(triangles);
  }

  /** Measure the time from a change to its picture, for the tools of the browser. */
  private measure(askedAt: number | null): void {
    if (askedAt !== null) performance.measure(MEASURE, { start: askedAt, end: performance.now() });
  }

  private tools() {
    const { stage, open, unit } = this;
    return html`<catenary-view-tools
        class="tools"
        .open=${open}
        .projection=${this.projection}
        .hiddenParts=${this.parts.hiddenCount}
        .edges=${this.edges}
        .background=${this.background}
        .hasViews=${this.saved !== null}
        .disabled=${stage === null || this.models.length === 0}
        @view-wanted=${(event: CustomEvent<NamedView>) => stage?.turn(event.detail)}
        @projection-wanted=${(event: CustomEvent<Projection>) => stage?.cameras.project(event.detail)}
        @edges-wanted=${(event: CustomEvent<boolean>) => (this.edges = event.detail)}
        @background-wanted=${(event: CustomEvent<Background>) => (this.background = event.detail)}
        @fit-wanted=${() => stage?.fit(true)}
      ></catenary-view-tools>
      ${open.has("views") ? this.saved : nothing}
      ${open.has("parts") ? html`<catenary-parts .parts=${this.parts} @part-wanted=${(event: CustomEvent<string>) => stage?.fitPart(event.detail)}></catenary-parts>` : nothing}
      ${open.has("section") ? html`<catenary-section .stage=${stage} .looks=${this.looks} .unit=${unit} .plane=${this.plane}></catenary-section>` : nothing}
      ${this.hasMeasured ? html`<catenary-measuring .stage=${stage} .unit=${unit} .active=${open.has("measure")}></catenary-measuring>` : nothing}`;
  }

  override render() {
    const { stage } = this;
    return html`<canvas
        class=${this.picking || this.open.has("measure") ? "picking" : ""}
        role="application"
        tabindex="0"
        aria-label=${texts.title}
        @pointerdown=${(event: PointerEvent) => this.point(event)}
        @pointermove=${(event: PointerEvent) => this.hover(event)}
        @click=${(event: MouseEvent) => this.clicked(event)}
        @dblclick=${(event: MouseEvent) => this.zoom(event)}
        @keydown=${(event: KeyboardEvent) => stage && followKey(event, stage)}
      ></canvas>
      ${markersOf(this.markers, (id) => this.dispatchEvent(new CustomEvent("marker-clicked", { detail: id })))} ${stage !== null && this.models.length > 0 ? html`<catenary-view-cube .stage=${stage}></catenary-view-cube>` : nothing} ${this.tools()}
      ${this.picking ? pickBarOf(this.missed, () => this.pick(0.5, 0.5), () => this.dispatchEvent(new CustomEvent("pick-cancelled"))) : nothing}
      ${this.failure ? html`<p class="notice bad" role="alert">${this.failure}</p>` : nothing}
      ${this.models.length === 0 && !this.failure ? html`<p class="empty">${this.busy ? texts.computing : texts.none}</p>` : nothing}`;
  }
}
customElements.define("catenary-viewer", CatenaryViewer);

declare global {
  interface HTMLElementTagNameMap {
    "catenary-section": import("./section.ts").CatenarySection;
    "catenary-views": import("./saved_views.ts").CatenaryViews;
    "catenary-parts": import("./parts.ts").CatenaryParts;
    "catenary-measuring": import("./measuring.ts").CatenaryMeasuring;
  }
}
