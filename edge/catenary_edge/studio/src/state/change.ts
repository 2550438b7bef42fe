// How a value has changed against an earlier design.
import type { Measured } from "../api/types.ts";
import { number } from "./format.ts";

/** Digits of a change: more of them would tell of noise. */
const DIGITS = 3;

/** Relative difference below which two values are the same number, computed another way. */
const NOISE = 1e-12;
const PERCENT = new Intl.NumberFormat("en", { maximumFractionDigits: 1, useGrouping: false });

/** Write a change as `+12 (+3.4 %)`, a very small one as its share alone; empty where nothing has changed, or the values can't be compared. */
export function changeOf(now: Measured, before: Measured | undefined): string {
  if (before === undefined || before.unit !== now.unit || typeof now.value !== "number" || typeof before.value !== "number") return "";
  const difference = now.value - before.value;
  if (Math.abs(difference) <= NOISE * Math.max(Math.abs(now.value), Math.abs(before.value))) return "";
  const sign = difference > 0 ? "+" : "";
  const amount = `${sign}${number(Number(difference.toPrecision(DIGITS)))}`;
  if (before.value === 0) return amount;
  const share = (100 * difference) / Math.abs(before.value);
  if (Math.abs(share) < 0.05) return "under 0.1 %";
  return `${amount} (${Math.abs(share) >= 1000 ? "over 1000" : sign + PERCENT.format(share)} %)`;
}
