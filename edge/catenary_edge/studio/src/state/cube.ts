// The view cube: its faces, edges and corners, where they are on the picture, and from where each looks at the model.
import type { Point } from "./camera.ts";
import type { Direction } from "./named_views.ts";
import { cube as texts } from "../texts/view_cube.ts";

/** A face, edge or corner of the cube: the side that it has on each axis of the model, -1, 0 or 1. */
export interface Region {
  name: string;
  sides: Point;
}

/** Where something is on the picture of the cube: to the right and down, in units of half an edge. */
export type Place = readonly [number, number];

/** How far a face reaches from its middle, in parts of half an edge; the rest of its square is of edges and corners. */
const REACH = 0.58;
/** Parts of 1 by which a side must face the viewer to be shown: less of it is a line. */
const LEAST_SHOWN = 0.02;
const SIDES = [-1, 0, 1] as const;
const nameOf = (sides: Point) =>
  [2, 1, 0]
    .filter((axis) => sides[axis] !== 0)
    .map((axis) => texts.sides[axis]![sides[axis]! < 0 ? 0 : 1])
    .join(" ");

export const REGIONS: readonly Region[] = SIDES.flatMap((x) => SIDES.flatMap((y) => SIDES.map((z): Point => [x, y, z])))
  .filter((sides) => sides.some((one) => one !== 0))
  .map((sides) => ({ name: nameOf(sides), sides }));
export const FACES: readonly Region[] = REGIONS.filter(({ sides }) => sides.filter((one) => one !== 0).length === 1);

/** Return from where the model is looked at with a region in front; top and bottom have the front below, as named views have. */
export function directionTo({ sides: [x, y, z] }: Region): Direction {
  return { azimuth: x === 0 && y === 0 ? 0 : Math.atan2(x, -y), polar: Math.acos(z / Math.hypot(x, y, z)) };
}

/** Return where a place of the cube is, with the model's axes as the camera shows them: right, up and towards the viewer. */
export function placeOf(place: Point, axes: readonly Point[]): Place {
  const along = (part: 0 | 1) => axes.reduce((sum, axis, at) => sum + axis[part] * place[at]!, 0);
  return [along(0), -along(1)];
}

/** Return how much a side faces the viewer, as parts of 1. */
function nearness(axis: number, side: number, axes: readonly Point[]): number {
  return side * axes[axis]![2];
}

export function isShown({ sides }: Region, axes: readonly Point[]): boolean {
  return sides.some((side, axis) => nearness(axis, side, axes) > LEAST_SHOWN);
}

/** Return the corners of what is seen of a region, one square for each of its faces that is seen. */
export function squaresOf({ sides }: Region, axes: readonly Point[]): Place[][] {
  const spans = sides.map((side): Place => (side === 0 ? [-REACH, REACH] : side < 0 ? [-1, -REACH] : [REACH, 1]));
  const seen = [0, 1, 2].filter((axis) => nearness(axis, sides[axis]!, axes) > LEAST_SHOWN);
  return seen.map((axis) => {
    const [first, second] = [0, 1, 2].filter((one) => one !== axis) as [number, number];
    return ([[0, 0], [1, 0], [1, 1], [0, 1]] as const).map(([a, b]) => {
      const corner: [number, number, number] = [sides[0], sides[1], sides[2]];
      [corner[first], corner[second]] = [spans[first]![a], spans[second]![b]];
      return placeOf(corner, axes);
    });
  });
}

/** Return the corners of a whole face. */
export function outlineOf({ sides }: Region, axes: readonly Point[]): Place[] {
  const [first, second] = [0, 1, 2].filter((axis) => sides[axis] === 0) as [number, number];
  return ([[-1, -1], [1, -1], [1, 1], [-1, 1]] as const).map(([a, b]) => {
    const corner: [number, number, number] = [sides[0], sides[1], sides[2]];
    [corner[first], corner[second]] = [a, b];
    return placeOf(corner, axes);
  });
}

/** Return how a text on a face lies: what one step along it and one step down it is on the picture, and its middle. */
export function textOf({ sides }: Region, axes: readonly Point[]): { along: Place; down: Place; middle: Place } {
  const [x, y, z] = sides;
  const along: Point = z === 0 ? [negated(y), x, 0] : [1, 0, 0]; // from left to right of those who look at the face
  const down: Point = z === 0 ? [0, 0, -1] : [0, negated(z), 0];
  return { along: placeOf(along, axes), down: placeOf(down, axes), middle: placeOf(sides, axes) };
}

function negated(value: number): number {
  return value === 0 ? 0 : -value;
}

/** Return the region that faces the viewer most. */
export function facing(axes: readonly Point[]): Region {
  const toViewer = ({ sides }: Region) => sides.reduce((sum, side, axis) => sum + nearness(axis, side, axes), 0) / Math.hypot(...sides);
  return REGIONS.reduce((best, one) => (toViewer(one) > toViewer(best) + 1e-9 ? one : best));
}

/** Return the shown region that lies next to one, to the right and down on the picture; null where there is none. */
export function neighbour(from: Region, [right, down]: Place, axes: readonly Point[]): Region | null {
  const middleOf = ({ sides }: Region) => placeOf(sides.map((one) => one / Math.hypot(...sides)) as unknown as Point, axes);
  const [x, y] = middleOf(from);
  let best: { region: Region; cost: number } | null = null;
  for (const region of REGIONS) {
    if (region === from || !isShown(region, axes)) continue;
    const [toX, toY] = middleOf(region);
    const distance = Math.hypot(toX - x, toY - y);
    const straight = ((toX - x) * right + (toY - y) * down) / (distance || 1);
    if (straight < 0.5) continue; // more than 60 degrees aside
    const cost = distance / straight ** 2;
    if (best === null || cost < best.cost - 1e-9) best = { region, cost };
  }
  return best?.region ?? null;
}
