// How a value has changed against an earlier design.
import type { Measured } from "../api/types.ts";
import { number } from "./format.ts";

/** Relative difference below which two values are the same number, computed another way. */
const NOISE = 1e-12;
const PERCENT = new Intl.NumberFormat("en", { maximumFractionDigits: 1, useGrouping: false });

/** Write a change as `+12 (+3.4 %)`; empty where nothing has changed, or the values can't be compared. */
export function changeOf(now: Measured, before: Measured | undefined): string {
  if (before === undefined || before.unit !== now.unit || typeof now.value !== "number" || typeof before.value !== "number") return "";
  const difference = now.value - before.value;
  if (Math.abs(difference) <= NOISE * Math.max(Math.abs(now.value), Math.abs(before.value))) return "";
  const sign = difference > 0 ? "+" : "";
  const share = (100 * difference) / Math.abs(before.value);
  return `${sign}${number(difference)}${before.value === 0 ? "" : ` (${percent(share)})`}`;
}

function percent(share: number): string {
  if (Math.abs(share) < 0.05) return "under 0.1 %";
  if (Math.abs(share) >= 1000) return "over 1000 %";
  return `${share > 0 ? "+" : ""}${PERCENT.format(share)} %`;
}
