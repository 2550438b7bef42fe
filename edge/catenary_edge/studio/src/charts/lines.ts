// The lines of parallel coordinates, drawn on a canvas.
import type { Upright } from "../state/parallel.ts";
import { pixelOf } from "../state/scales.ts";
import { emptied } from "./canvas.ts";
import type { Look } from "./echarts.ts";
import type { Layer } from "./layers.ts";

/** Lines of one stroke: where many strokes meet, it is darker. */
const A_STROKE = 40;
const FAINTEST = 0.06;
/** Lines times opacity, so that many lines show where they are dense. */
const INK = 60;

/** Lines that are drawn while a brush moves, and of what is filtered out at all times: each so-and-so-manieth. */
const MOST_MOVING = 1_500;
/** Lines up to which those of infeasible designs are dashed, which takes time. */
const MOST_DASHED = 1_500;

/** Draw a line for each candidate of the layers; while something moves only of some of them. */
export function drawLines(canvas: HTMLCanvasElement, axes: readonly Upright[], layers: readonly Layer[], isMoving: boolean): void {
  const context = emptied(canvas);
  if (context === null) return;
  const good = layers.filter(({ kind }) => kind !== "miss").reduce((sum, { places }) => sum + places.length, 0);
  const all = layers.reduce((sum, { places }) => sum + places.length, 0);
  const opacity = Math.max(FAINTEST, Math.min(0.8, INK / (good + 1) ** 0.8));
  for (const { kind, color, places } of layers) {
    context.globalAlpha = kind === "miss" ? FAINTEST / 2 : kind === "infeasible" ? Math.max(FAINTEST / 2, opacity * 0.3) : opacity;
    context.setLineDash(kind === "infeasible" && good <= MOST_DASHED ? [5, 4] : []);
    context.strokeStyle = color;
    context.lineWidth = kind === "good" ? 1.25 : 1;
    const step = Math.ceil((isMoving ? all : kind === "miss" ? places.length : 1) / MOST_MOVING);
    const drawn = step <= 1 ? places : places.filter((_, at) => at % step === 0);
    for (let start = 0; start < drawn.length; start += A_STROKE) stroke(context, axes, drawn.slice(start, start + A_STROKE));
  }
}

/** Draw the lines of some candidates by themselves: the one under the pointer, and the chosen one. */
export function drawMarked(canvas: HTMLCanvasElement, axes: readonly Upright[], hovered: number, chosen: number, look: Look): void {
  const context = emptied(canvas);
  if (context === null) return;
  for (const [place, color, width] of [[chosen, look.text, 3] as const, [hovered, look.accent, 2.5] as const]) {
    if (place < 0) continue;
    for (const [ink, extra] of [[look.ground, 3] as const, [color, 0] as const]) {
      [context.strokeStyle, context.lineWidth] = [ink, width + extra];
      stroke(context, axes, [place]);
    }
  }
}

/** Draw lines along the axes; where a candidate has no value there is a gap. */
function stroke(context: CanvasRenderingContext2D, axes: readonly Upright[], places: readonly number[]): void {
  context.beginPath();
  for (const place of places) {
    let isDown = false;
    for (const axis of axes) {
      const y = pixelOf(axis, axis.column.numbers[place]!);
      if (Number.isNaN(y)) isDown = false;
      else if (isDown) context.lineTo(axis.x, y);
      else {
        context.moveTo(axis.x, y);
        isDown = true;
      }
    }
  }
  context.stroke();
}
