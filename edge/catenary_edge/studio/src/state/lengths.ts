// Lengths as people read them: in the unit of the model, or in metres and millimetres.
import { number } from "./format.ts";

/** Metres of each unit in which models give lengths. */
const METRES: Readonly<Record<string, number>> = { um: 1e-6, mm: 1e-3, cm: 1e-2, dm: 0.1, m: 1, km: 1000, in: 0.0254, ft: 0.3048, yd: 0.9144 };

/** Write a length of the view in a unit; without one that is known, in metres, and below a metre in millimetres. */
export function lengthText(metres: number, unit: string | null, scale: number = metres): string {
  const known = unit !== null && unit in METRES ? unit : Math.abs(scale) < 1 ? "mm" : "m";
  return `${number(metres / METRES[known]!)} ${known.replace("um", "µm")}`;
}
