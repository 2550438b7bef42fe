// A scatter matrix: a cell for every two columns, and the design whose point is near a place.
import type { Column } from "./candidates.ts";
import { axisOf, pixelOf, type Axis } from "./scales.ts";

/** A scatter plot of two columns. */
export interface Cell {
  across: Axis;
  up: Axis;
}

const ROOM = 7;

/** Return the cells on one side of the diagonal, row by row, in a rectangle of pixels: column `i` across and `j` up, with i < j. */
export function cellsOf(columns: readonly Column[], width: number, height: number): Cell[] {
  const [wide, high] = [width / (columns.length - 1), height / (columns.length - 1)];
  const found: Cell[] = [];
  for (let row = 1; row < columns.length; row++) {
    for (let place = 0; place < row; place++) {
      const [left, top] = [place * wide, (row - 1) * high];
      found.push({ across: axisOf(columns[place]!, left + ROOM, left + wide - ROOM), up: axisOf(columns[row]!, top + high - ROOM, top + ROOM) });
    }
  }
  return found;
}

/** Return the place whose point is nearest to a pixel in any cell; -1 if none is within a distance. */
export function nearestPoint(cells: readonly Cell[], count: number, x: number, y: number, within: number, counts: (place: number) => boolean): number {
  const cell = cells.find(({ across, up }) => x >= across.from - ROOM && x <= across.to + ROOM && y >= up.to - ROOM && y <= up.from + ROOM);
  if (cell === undefined) return -1;
  let [best, distance] = [-1, within];
  for (let place = 0; place < count; place++) {
    if (!counts(place)) continue;
    const off = Math.hypot(pixelOf(cell.across, cell.across.column.numbers[place]!) - x, pixelOf(cell.up, cell.up.column.numbers[place]!) - y);
    if (off < distance) [best, distance] = [place, off];
  }
  return best;
}
