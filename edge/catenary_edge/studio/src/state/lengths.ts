// Lengths as people read and write them: in the unit of the model, or in metres and millimetres.
import { number } from "./format.ts";

/** Metres of each unit in which models give lengths. */
const METRES: Readonly<Record<string, number>> = { um: 1e-6, mm: 1e-3, cm: 1e-2, dm: 0.1, m: 1, km: 1000, in: 0.0254, ft: 0.3048, yd: 0.9144 };
/** Parts of what is looked at below which a length is the noise of 32-bit numbers. */
const NOISE = 1e-6;

/**
 * Return the unit in which lengths are shown: that of the model, if it is known, else metres, or millimetres where what is looked
 * at, of the size `scale`, is below a metre.
 */
function unitFor(unit: string | null, scale: number): string {
  if (unit !== null && unit in METRES) return unit;
  return Math.abs(scale) < 1 ? "mm" : "m";
}

/** Units that a saved view may have. */
const SAVED: ReadonlySet<string> = new Set(["um", "mm", "cm", "m", "in", "ft"]);

/** Return the unit with which a view is saved whose lengths are shown so. */
export function savedUnit(unit: string | null, scale: number): string {
  const shown = unitFor(unit, scale);
  return SAVED.has(shown) ? shown : "m";
}

/** Write a length of the view. */
export function lengthText(metres: number, unit: string | null, scale: number = metres): string {
  const shown = unitFor(unit, scale);
  const length = Math.abs(metres) <= NOISE * Math.abs(scale) ? 0 : metres / METRES[shown]!;
  return `${number(length)} ${shown.replace("um", "µm")}`;
}

/** Read a length that somebody typed, as metres: in the unit that is shown, or in one behind the number; undefined if it is none. */
export function readLength(text: string, unit: string | null, scale: number): number | undefined {
  const [, digits, given] = /^([-−+]?[\d.,\s]+?)\s*([a-zµ]*)$/iu.exec(text.trim()) ?? [];
  const length = Number((digits ?? "").replace(/\s/g, "").replace("−", "-").replace(",", "."));
  const metres = METRES[given ? given.replace("µ", "u") : unitFor(unit, scale)];
  return digits === undefined || metres === undefined || !Number.isFinite(length) ? undefined : length * metres;
}
