// <catenary-parallel>: parallel coordinates of many designs, with a brush on each axis.
import { html, type PropertyValues } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { layersOf } from "../charts/layers.ts";
import { drawLines, drawMarked } from "../charts/lines.ts";
import { headingOf, shownValue, type Column } from "../state/candidates.ts";
import { columnsFor, type ChartSetup, type Explore } from "../state/explore.ts";
import { between, stretchesOf, toggled } from "../state/filters.ts";
import { nearestLine, placeAt, uprightOf as axesOf, type Upright } from "../state/parallel.ts";
import { pixelOf, valueAt } from "../state/scales.ts";
import { shadesOf } from "../state/shades.ts";
import { parallel as texts } from "../texts/designs.ts";
import { DrawnElement } from "./drawn.ts";
import { lookOf } from "./look.ts";
import { uprightOf, type UprightCalls } from "./upright.ts";

const HEIGHT = 260;
/** Pixels above the greatest and below the least value. */
const ROOM = 8;
/** How near to a line the pointer takes it. */
const WITHIN = 8;
/** How near to the end of a brush the pointer takes that. */
const AT_END = 7;
const STILL = 3;

/** What the pointer drags: an end of a brush away from a value, the whole brush, or an axis. */
type Drag = { name: string; startX: number; startY: number; box: DOMRect; isMoved: boolean } & ({ kind: "end"; fixed: number } | { kind: "whole"; low: number; high: number } | { kind: "axis" });

export class CatenaryParallel extends DrawnElement {
  static override properties = { explore: { attribute: false }, setup: { attribute: false }, hovered: { state: true } };
  /** Changes in place. */
  declare explore: Explore;
  declare setup: ChartSetup;
  /** Place of the design under the pointer; -1 without one. */
  declare hovered: number;
  private axes: readonly Upright[] = [];
  private drag: Drag | null = null;
  /** Whether the click that comes is the end of a drag. */
  private isDragEnd = false;
  private readonly calls: UprightCalls = {
    bound: (name, end, value) => {
      const { min = null, max = null } = this.explore.filters[name] ?? {};
      const bounds = { min, max, [end]: value };
      if (bounds.min !== null && bounds.max !== null && bounds.min > bounds.max) [bounds.min, bounds.max] = [bounds.max, bounds.min];
      this.explore.filter(name, { ...bounds, values: [] });
    },
    toggle: (name, category) => this.explore.filter(name, toggled(this.explore.filters[name], this.columnOf(name)!, category)),
    move: (name, by) => void this.move(name, this.setup.axes.indexOf(name) + by),
  };

  constructor() {
    super();
    this.hovered = -1;
  }

  protected override updated(changed: PropertyValues): void {
    if (changed.size === 1 && changed.has("hovered")) this.mark();
    else this.redraw();
  }

  private get columns(): Column[] {
    return columnsFor(this.setup.axes, this.explore.columns);
  }

  private columnOf(name: string): Column | undefined {
    return this.explore.columns.find((one) => one.name === name);
  }

  /** The places of the axes on the canvas, which reaches over the titles and bounds too. */
  private laid(): Upright[] {
    const field = this.querySelector<HTMLElement>(".uprights")!;
    const line = field.querySelector<HTMLElement>(".line-of");
    const top = (line?.offsetTop ?? 0) + ROOM;
    return axesOf(this.columns, field.clientWidth, top, top + HEIGHT - 2 * ROOM);
  }

  protected override draw(): void {
    const canvas = this.querySelector<HTMLCanvasElement>("canvas.all");
    if (canvas === null) return;
    this.axes = this.laid();
    const { candidates, hits } = this.explore;
    const shades = shadesOf(this.setup.color_by === null ? undefined : this.columnOf(this.setup.color_by));
    drawLines(canvas, this.axes, layersOf(candidates, hits, shades, lookOf(this.querySelector(".plot")!)), this.explore.isMoving);
    this.dataset["lines"] = String(candidates.length);
    this.mark();
  }

  private mark(): void {
    const chosen = this.explore.candidates.findIndex((one) => one.id === this.explore.chosen);
    drawMarked(this.querySelector<HTMLCanvasElement>("canvas.marked")!, this.axes, this.hovered, chosen, lookOf(this.querySelector(".plot")!));
  }

  private async move(name: string, to: number): Promise<void> {
    const others = this.setup.axes.filter((one) => one !== name);
    if (to < 0 || to > others.length) return;
    this.explore.change(this.setup.id, { axes: [...others.slice(0, to), name, ...others.slice(to)] });
    await new Promise((done) => requestAnimationFrame(done));
    [...this.querySelectorAll<HTMLElement>("[data-axis]")].find((one) => one.dataset["axis"] === name)?.querySelector("button")?.focus();
  }

  /** The place of the pointer on the canvas; during a drag on where that was at its start, whatever comes above it. */
  private at(event: PointerEvent | MouseEvent): { x: number; y: number } {
    const box = this.drag?.box ?? this.querySelector(".uprights")!.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  private nearest(event: PointerEvent | MouseEvent): number {
    const { x, y } = this.at(event);
    const { candidates, hits } = this.explore;
    return nearestLine(this.axes, candidates.length, x, y, WITHIN, (place) => hits[place] === 1);
  }

  private press(event: PointerEvent): void {
    this.isDragEnd = false;
    if (event.button !== 0) return;
    const target = event.target as Element;
    const [startX, startY] = [event.clientX, event.clientY];
    const box = this.querySelector(".uprights")!.getBoundingClientRect();
    const name = (target as SVGElement).dataset?.["grip"];
    const title = target.closest<HTMLElement>("button.axis")?.closest<HTMLElement>("[data-axis]");
    if (title) this.drag = { kind: "axis", name: title.dataset["axis"]!, startX, startY, box, isMoved: false };
    else if (name !== undefined) this.drag = { name, startX, startY, box, isMoved: false, ...this.grasped(name, this.at(event).y) };
    else return;
    if (name !== undefined) event.preventDefault(); // no text is marked
    this.querySelector(".uprights")!.setPointerCapture(event.pointerId);
  }

  /** What of a brush is taken at a height: an end of it, all of it, or the first end of a new one. */
  private grasped(name: string, y: number): { kind: "end"; fixed: number } | { kind: "whole"; low: number; high: number } {
    const axis = this.axes.find(({ column }) => column.name === name)!;
    const [stretch, ...others] = stretchesOf(this.explore.filters[name], axis.column);
    if (stretch === undefined || others.length > 0) return { kind: "end", fixed: valueAt(axis, y) };
    const [low, high] = stretch;
    const [bottom, top] = [pixelOf(axis, low), pixelOf(axis, high)];
    if (Math.abs(y - top) <= AT_END) return { kind: "end", fixed: low };
    if (Math.abs(y - bottom) <= AT_END) return { kind: "end", fixed: high };
    return y > top && y < bottom ? { kind: "whole", low, high } : { kind: "end", fixed: valueAt(axis, y) };
  }

  private follow(event: PointerEvent): void {
    const { drag } = this;
    if (drag === null) {
      const isFree = !(event.target as Element).closest("button, input");
      this.hovered = isFree && event.pointerType !== "touch" ? this.nearest(event) : -1;
      return;
    }
    drag.isMoved ||= Math.hypot(event.clientX - drag.startX, event.clientY - drag.startY) > STILL;
    if (!drag.isMoved || drag.kind === "axis") return;
    const axis = this.axes.find(({ column }) => column.name === drag.name);
    if (axis === undefined) return;
    const { y } = this.at(event);
    this.explore.isMoving = true;
    if (drag.kind === "end") return this.explore.filter(drag.name, between(axis.column, drag.fixed, valueAt(axis, y)));
    const shift = y - this.at({ clientX: drag.startX, clientY: drag.startY } as MouseEvent).y;
    this.explore.filter(drag.name, between(axis.column, valueAt(axis, pixelOf(axis, drag.low) + shift), valueAt(axis, pixelOf(axis, drag.high) + shift)));
  }

  private release(event: PointerEvent): void {
    const { drag } = this;
    this.drag = null;
    this.explore.rest();
    if (drag === null) return;
    this.isDragEnd = true;
    if (drag.kind === "axis") {
      const width = this.querySelector(".uprights")!.clientWidth;
      const place = placeAt(width, this.columns.length, event.clientX - drag.box.left);
      if (drag.isMoved) void this.move(drag.name, this.setup.axes.indexOf(this.columns[place]!.name));
    } else if (!drag.isMoved) this.explore.filter(drag.name, null);
  }

  private cancel(): void {
    this.drag = null;
    this.explore.rest();
  }

  /** Choose the design whose line was clicked. */
  private pick(event: MouseEvent): void {
    const isOther = this.isDragEnd || (event.target as Element).closest("button, input") !== null;
    this.isDragEnd = false;
    if (isOther) return;
    const place = this.nearest(event);
    if (place >= 0) this.tell("design-chosen", this.explore.candidates[place]);
  }

  override render() {
    const { columns, explore } = this;
    const axes = axesOf(columns, 1, ROOM, HEIGHT - ROOM);
    const hovered = this.hovered >= 0 ? columns.map((one) => `${one.label} ${shownValue(one, one.numbers[this.hovered] ?? Number.NaN)}`).join(" · ") : "";
    return html`<div class="plot scroll parallel" tabindex="0" role="group" aria-label=${texts.title(columns.map(headingOf).join(", "))}>
        <div
          class="uprights"
          @pointerdown=${(event: PointerEvent) => this.press(event)}
          @pointermove=${(event: PointerEvent) => this.follow(event)}
          @pointerup=${(event: PointerEvent) => this.release(event)}
          @pointercancel=${() => this.cancel()}
          @pointerleave=${() => (this.hovered = -1)}
          @click=${(event: MouseEvent) => this.pick(event)}
        >
          <canvas class="all" aria-hidden="true"></canvas>
          <canvas class="marked" aria-hidden="true"></canvas>
          ${repeat(axes, ({ column }) => column.name, (axis) => uprightOf(axis, explore.filters[axis.column.name], HEIGHT, this.calls))}
        </div>
      </div>
      <p class="soft hovered" aria-hidden="true">${hovered || texts.hint}</p>`;
  }
}
customElements.define("catenary-parallel", CatenaryParallel);
