// The named views: from where the model is looked at, with Z up in the model.
import { namedViews as texts } from "../texts/view.ts";

/** A direction from which the model is looked at, by the angles of the view's controls. */
export interface Direction {
  /** Turn about the upright axis, from the front to the right. */
  azimuth: number;
  /** Angle between the direction to the camera and the upright axis. */
  polar: number;
}

export interface NamedView extends Direction {
  name: string;
  label: string;
  /** The key that chooses it while the view has the focus. */
  key: string;
}

const { PI } = Math;
const LEVEL = PI / 2;

export const NAMED_VIEWS: readonly NamedView[] = [
  { name: "front", label: texts.front, key: "1", azimuth: 0, polar: LEVEL },
  { name: "back", label: texts.back, key: "2", azimuth: PI, polar: LEVEL },
  { name: "left", label: texts.left, key: "3", azimuth: -PI / 2, polar: LEVEL },
  { name: "right", label: texts.right, key: "4", azimuth: PI / 2, polar: LEVEL },
  { name: "top", label: texts.top, key: "5", azimuth: 0, polar: 0 },
  { name: "bottom", label: texts.bottom, key: "6", azimuth: 0, polar: PI },
  { name: "isometric", label: texts.isometric, key: "7", azimuth: PI / 4, polar: Math.acos(1 / Math.sqrt(3)) },
];

/** From where a model is looked at first. */
export const HOME: Direction = { azimuth: PI / 5, polar: PI / 2.6 };

/** Return the angle that looks like one and is nearest to another, so that the view turns the short way. */
export function nearestAngle(angle: number, present: number): number {
  return angle + 2 * PI * Math.round((present - angle) / (2 * PI));
}

/** Return where the camera of a direction is, seen from the model, in the model's coordinates. */
export function directionOf({ azimuth, polar }: Direction): readonly [number, number, number] {
  return [Math.sin(polar) * Math.sin(azimuth), -Math.sin(polar) * Math.cos(azimuth), Math.cos(polar)];
}
