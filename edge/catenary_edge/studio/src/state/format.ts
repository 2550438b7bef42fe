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

/** Write a size in bytes. */
export function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1e6 ? `${number(bytes / 1e3)} kB` : `${number(bytes / 1e6)} MB`;
}

const WHEN = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" });

/** Write a time of the platform for people, in their time zone. */
export function when(timestamp: string): string {
  return WHEN.format(new Date(timestamp));
}
