// Lengths as people read them: in the unit of the model, or in metres and millimetres.
import { number } from "./format.ts";

/** Metres of each unit in which models give lengths. */
const METRES: Readonly<Record<string, number>> = { um: 1e-6, mm: 1e-3, cm: 1e-2, dm: 0.1, m: 1, km: 1000, in: 0.0254, ft: 0.3048, yd: 0.9144 };

/** Parts of what is looked at below which a length is the noise of 32-bit numbers. */
const NOISE = 1e-6;

/**
 * Write a length of the view in a unit; without one that is known, in metres, and in millimetres where what is looked at, of the
 * size `scale`, is below a metre.
 */
export function lengthText(metres: number, unit: string | null, scale: number = metres): string {
  const known = unit !== null && unit in METRES ? unit : Math.abs(scale) < 1 ? "mm" : "m";
  const length = Math.abs(metres) <= NOISE * Math.abs(scale) ? 0 : metres / METRES[known]!;
  return `${number(length)} ${known.replace("um", "µm")}`;
}
