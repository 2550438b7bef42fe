// Numbers and names as people read them.

const PLAIN = new Intl.NumberFormat("en", { maximumSignificantDigits: 5, useGrouping: true });

/** Write a number in five significant digits, with thin spaces between thousands; integers below 10^15 in full. */
export function number(value: number | null | undefined): string {
  if (value === null || value === undefined) return "–";
  const magnitude = Math.abs(value);
  if (magnitude !== 0 && (magnitude >= 1e15 || magnitude < 1e-4)) return value.toExponential(3).replace("e", " × 10^").replace("+", "");
  const text = magnitude >= 1e4 ? Math.round(value).toLocaleString("en") : PLAIN.format(value);
  return text.replaceAll(",", "\u2009");
}

/** Write the symbol of a unit: `m2` as `m²`, `deg` as `°`. */
export function unit(symbol: string | null | undefined): string {
  if (!symbol) return "";
  return symbol
    .replace(/^deg$/, "°")
    .replaceAll("um", "µm")
    .replace(/(?<=[A-Za-z])([234])(?![\d.])/g, (digit) => ({ "2": "²", "3": "³", "4": "⁴" })[digit]!);
}

/** Write a value and its unit for running text, where the sign of degrees stands without a space. */
export function measure(value: string, symbol: string | null | undefined): string {
  const sign = unit(symbol);
  return sign === "" || sign === "°" ? value + sign : `${value} ${sign}`;
}

/** Write a name of a model for people: `floor_area` as `Floor area`. */
export function title(name: string): string {
  const text = name.replaceAll("_", " ").trim();
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const SIGNS: Readonly<Record<string, string>> = { "<=": "≤", ">=": "≥", "==": "=", "<": "<", ">": ">" };

/** Write an operator of a constraint. */
export function operator(op: string): string {
  return SIGNS[op] ?? op;
}

/** Write a size in bytes, in two or three digits: nobody chooses a file by more. */
export function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const isSmall = bytes < 999_500; // what would round to 1000 kB is 1 MB
  const value = bytes / (isSmall ? 1e3 : 1e6);
  return `${number(Number(value.toFixed(value < 100 ? 1 : 0)))} ${isSmall ? "kB" : "MB"}`;
}

const WHEN = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" });

/** Write a time of the platform for people, in their time zone. */
export function when(timestamp: string): string {
  return WHEN.format(new Date(timestamp));
}
