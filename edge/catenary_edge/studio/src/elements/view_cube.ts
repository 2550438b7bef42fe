// <catenary-view-cube>: a cube that turns with the camera; its faces, edges and corners turn the camera, and a drag does too.
import { html, nothing, svg } from "lit";
import type { Point } from "../state/camera.ts";
import { FACES, REGIONS, directionTo, facing, isShown, neighbour, outlineOf, placeOf, squaresOf, textOf, type Place, type Region } from "../state/cube.ts";
import type { Stage } from "../three/stage.ts";
import { viewCube as texts } from "../texts/view_cube.ts";
import { icon } from "./icons.ts";
import { LightElement } from "./light.ts";
import { followKey } from "./view_keys.ts";

/** Half an edge of the cube and half the drawing, in units of the drawing. */
const [HALF, MIDDLE] = [25, 54];
/** A drag over this length turns by one radian. */
const RADIAN = 35;
const CLICK_PIXELS = 4;
const AXES = ["x", "y", "z"] as const;
/** Parts of 1 by which an axis may point to the viewer, or away, and still have its letter. */
const MOST_POINTED = 0.95;
/** Where an axis begins and ends, and where its letter is, in halves of an edge. */
const [BEGIN, END, LETTER] = [-1, 1.3, 1.6];
const ARROWS: Readonly<Record<string, Place>> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

const sentence = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);
const points = (places: readonly Place[]) => `M${places.map(([x, y]) => `${(x * HALF).toFixed(1)} ${(y * HALF).toFixed(1)}`).join("L")}Z`;

export class CatenaryViewCube extends LightElement {
  static override properties = { stage: { attribute: false }, told: { state: true }, stop: { state: true } };
  declare stage: Stage;
  /** The name of what a click would show; empty for none. */
  declare told: string;
  /** The region that the tab key reaches. */
  declare stop: Region;
  private axes: readonly Point[] = [];
  /** The faces with their words, the axes and the regions, as they are drawn. */
  private drawn: Element[][] | null = null;
  /** Where the pointer was last while it is pressed, and on what it was pressed. */
  private pressed: { x: number; y: number; region: Region | null } | null = null;
  private isDragged = false;

  constructor() {
    super();
    this.told = "";
    this.stop = REGIONS[0]!;
  }

  protected override firstUpdated(): void {
    this.place(this.stage.cameras.axes, true);
  }

  /** Turn the cube as the camera shows the model's axes. While it moves, of what can be clicked only the marked one goes along. */
  place(axes: readonly Point[], isResting: boolean): void {
    if (!this.hasUpdated) return; // `firstUpdated` does it
    this.axes = axes;
    const [faces, lines, regions] = (this.drawn ??= [".face", ".axis", ".region"].map((kind) => [...this.querySelectorAll(kind)]));
    for (const [at, face] of faces!.entries()) this.placeFace(face, FACES[at % FACES.length]!);
    for (const [at, axis] of lines!.entries()) this.placeAxis(axis, at % 3, at < 3);
    for (const [at, path] of regions!.entries()) {
      if (isResting || REGIONS[at]!.name === this.told) path.setAttribute("d", squaresOf(REGIONS[at]!, axes).map(points).join(""));
    }
    if (isResting && !this.querySelector(".region:focus")) this.stop = facing(axes);
  }

  private placeFace(face: Element, region: Region): void {
    const hidden = !isShown(region, this.axes);
    if (face.hasAttribute("hidden") !== hidden) face.toggleAttribute("hidden", hidden);
    if (hidden) return;
    if (face.localName === "path") return face.setAttribute("d", points(outlineOf(region, this.axes)));
    const { along, down, middle } = textOf(region, this.axes);
    face.setAttribute("transform", `matrix(${[...along, ...down, middle[0] * HALF, middle[1] * HALF].map((one) => one.toFixed(3)).join()})`);
  }

  /** Draw an axis along the cube's edge, behind the cube or before it. */
  private placeAxis(axis: Element, at: number, isBehind: boolean): void {
    const { axes } = this;
    const beside = FACES.filter(({ sides }) => sides.some((side, one) => side < 0 && one !== at));
    const isHidden = isBehind === beside.some((face) => isShown(face, axes));
    axis.toggleAttribute("hidden", isHidden);
    if (isHidden) return;
    const spot = (length: number) => placeOf([0, 1, 2].map((one) => (one === at ? length : BEGIN)) as unknown as Point, axes).map((one) => (one * HALF).toFixed(1));
    const [line, letter] = [axis.querySelector("line")!, axis.querySelector("text")!];
    letter.toggleAttribute("hidden", Math.abs(axes[at]![2]) > MOST_POINTED);
    const [[x1, y1], [x2, y2], [x, y]] = [spot(BEGIN), spot(END), spot(LETTER)];
    for (const [name, value] of Object.entries({ x1, y1, x2, y2 })) line.setAttribute(name, value!);
    for (const [name, value] of Object.entries({ x, y })) letter.setAttribute(name, value!);
  }

  private regionOf(event: Event): Region | null {
    const path = (event.target as Element).closest<SVGPathElement>(".region");
    return path && REGIONS[Number(path.dataset["at"])]!;
  }

  private choose(region: Region | null): void {
    if (region !== null) void this.stage.face(directionTo(region));
  }

  private press(event: PointerEvent): void {
    if (event.button !== 0) return;
    this.isDragged = false;
    this.pressed = { x: event.clientX, y: event.clientY, region: this.regionOf(event) };
    (event.currentTarget as Element).setPointerCapture(event.pointerId);
  }

  private release(): void {
    if (this.pressed !== null && !this.isDragged) this.choose(this.pressed.region);
    this.pressed = null;
  }

  private drag(event: PointerEvent): void {
    const { pressed } = this;
    if (pressed === null) return;
    const [x, y] = [event.clientX - pressed.x, event.clientY - pressed.y];
    if (!this.isDragged && Math.hypot(x, y) <= CLICK_PIXELS) return;
    this.isDragged = true;
    this.pressed = { ...pressed, x: event.clientX, y: event.clientY };
    const turn = (2 * MIDDLE) / (this.clientWidth * RADIAN);
    this.stage.orbit(-x * turn, -y * turn);
  }

  private key(event: KeyboardEvent): void {
    const arrow = event.shiftKey ? undefined : ARROWS[event.key];
    if (arrow) this.go(arrow);
    else if (event.key === "Enter" || event.key === " ") this.choose(this.regionOf(event));
    else return followKey(event, this.stage);
    event.preventDefault();
  }

  /** Bring the focus to the region beside the one that has it. */
  private go(arrow: Place): void {
    const from = isShown(this.stop, this.axes) ? this.stop : facing(this.axes);
    this.stop = neighbour(from, arrow, this.axes) ?? from;
    this.querySelectorAll<SVGPathElement>(".region")[REGIONS.indexOf(this.stop)]?.focus();
  }

  private axis(name: (typeof AXES)[number]) {
    return svg`<g class="axis ${name}" aria-hidden="true"><line /><text>${name.toUpperCase()}</text></g>`;
  }

  override render() {
    const tell = (event: Event) => (this.told = this.regionOf(event)?.name ?? "");
    return html`<svg
        viewBox="${-MIDDLE} ${-MIDDLE} ${2 * MIDDLE} ${2 * MIDDLE}"
        role="group"
        aria-label=${texts.title}
        @pointerdown=${(event: PointerEvent) => this.press(event)}
        @pointermove=${(event: PointerEvent) => this.drag(event)}
        @pointerup=${() => this.release()}
        @pointercancel=${() => (this.pressed = null)}
        @pointerover=${tell}
        @pointerleave=${() => (this.told = "")}
        @focusin=${(event: Event) => {
          tell(event);
          this.stop = this.regionOf(event) ?? this.stop;
        }}
        @focusout=${() => (this.told = "")}
        @click=${(event: MouseEvent) => event.detail === 0 && this.choose(this.regionOf(event))}
        @keydown=${(event: KeyboardEvent) => this.key(event)}
      >
        ${AXES.map((name) => this.axis(name))}
        ${FACES.map(({ sides }) => svg`<path class="face ${AXES[sides.findIndex((one) => one !== 0)]!}" />`)}
        ${REGIONS.map((region, at) => svg`<path class="region" role="button" data-at=${at} tabindex=${region === this.stop ? 0 : -1} aria-label=${sentence(region.name)} />`)}
        ${FACES.map(({ name }) => svg`<text class="face" aria-hidden="true">${sentence(name)}</text>`)}
        ${AXES.map((name) => this.axis(name))}
      </svg>
      <button class="action" aria-label=${texts.home} title=${texts.homeHint} @click=${() => this.stage.goHome()}>${icon("home")}</button>
      ${this.told ? html`<span class="told" aria-hidden="true">${sentence(this.told)}</span>` : nothing}`;
  }
}
customElements.define("catenary-view-cube", CatenaryViewCube);
