// The points of a scatter matrix, drawn on a canvas.
import type { Cell } from "../state/matrix.ts";
import { pixelOf } from "../state/scales.ts";
import { emptied } from "./canvas.ts";
import type { Look } from "./echarts.ts";
import type { Layer } from "./layers.ts";

/** Draw the frames of the cells, and a point of each candidate in each of them. */
export function drawDots(canvas: HTMLCanvasElement, cells: readonly Cell[], layers: readonly Layer[], chosen: number, look: Look): void {
  const context = emptied(canvas);
  if (context === null) return;
  const count = layers.reduce((sum, { places }) => sum + places.length, 0);
  const size = count > 2_000 ? 2 : count > 300 ? 3 : 4;
  context.strokeStyle = look.line;
  for (const { across, up } of cells) context.strokeRect(across.from - 5.5, up.to - 5.5, across.to - across.from + 11, up.from - up.to + 11);
  for (const { kind, color, places } of layers) {
    context.globalAlpha = kind === "miss" ? 0.1 : kind === "infeasible" ? 0.35 : 0.8;
    context.fillStyle = context.strokeStyle = color;
    for (const { across, up } of cells) {
      for (const place of places) {
        const [x, y] = [pixelOf(across, across.column.numbers[place]!), pixelOf(up, up.column.numbers[place]!)];
        if (Number.isNaN(x + y)) continue;
        if (kind === "infeasible") context.strokeRect(x - size / 2, y - size / 2, size, size);
        else context.fillRect(x - size / 2, y - size / 2, size, size);
      }
    }
  }
  context.globalAlpha = 1;
  if (chosen < 0) return;
  context.lineWidth = 2;
  for (const { across, up } of cells) {
    context.strokeStyle = look.text;
    context.beginPath();
    context.arc(pixelOf(across, across.column.numbers[chosen]!), pixelOf(up, up.column.numbers[chosen]!), 5, 0, 2 * Math.PI);
    context.stroke();
  }
  context.lineWidth = 1;
}
