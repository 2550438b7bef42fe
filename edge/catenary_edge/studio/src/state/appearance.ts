// The 3D view as somebody has changed it, in the page's address: `v.camera`, `v.section`, `v.hidden`, `v.color.<part>`, …
import type { Camera, ViewerSettings } from "../api/types.ts";

/** What somebody has changed of the 3D view: what is null or empty is as the page shows it by itself. */
export type Appearance = Omit<ViewerSettings, "background" | "length_unit"> & { background: string | null; length_unit: string | null };

const SEPARATOR = "_";
/** Coordinates, parts and lengths of their names beyond which the platform saves no view. */
const LARGEST = 1e9;
const MOST_PARTS = 1000;
const LONGEST_NAME = 200;
/** Decimal places below what is looked at to which a camera is written. */
const PLACES = 4;
const COLOR = /^#[0-9a-f]{6}$/i;
const UNITS: ReadonlySet<string> = new Set(["um", "mm", "cm", "m", "in", "ft"]);

/** Write what somebody has changed, as a part of a fragment; empty for nothing. */
export function written({ camera, section, background, edges, length_unit, hidden_parts, colors }: Appearance): string {
  const found = new URLSearchParams();
  if (camera !== null) found.set("v.camera", numbers(camera));
  if (section !== null) found.set("v.section", [...section.point, ...section.normal].map((one) => Number(one.toPrecision(9))).join(SEPARATOR));
  for (const name of hidden_parts.slice(0, MOST_PARTS)) found.append("v.hidden", name);
  for (const [name, color] of Object.entries(colors).slice(0, MOST_PARTS)) found.set(`v.color.${name}`, color.slice(1));
  if (!edges) found.set("v.edges", "off");
  if (background !== null) found.set("v.background", background.replace("#", ""));
  if (length_unit !== null) found.set("v.unit", length_unit);
  return String(found);
}

/** Read what somebody had changed; null for nothing. What the platform would not save is passed over. */
export function appearanceIn(given: URLSearchParams): Appearance | null {
  const ground = given.get("v.background") ?? "";
  const unit = given.get("v.unit") ?? "";
  const colors = [...given].filter(([name]) => name.startsWith("v.color.")).map(([name, color]) => [name.slice("v.color.".length), `#${color}`] as const);
  const found: Appearance = {
    camera: cameraIn(given.get("v.camera")),
    section: sectionIn(given.get("v.section")),
    hidden_parts: given.getAll("v.hidden").filter(isName).slice(0, MOST_PARTS),
    colors: Object.fromEntries(colors.filter(([name, color]) => isName(name) && COLOR.test(color)).slice(0, MOST_PARTS)),
    edges: given.get("v.edges") !== "off",
    background: ground === "light" || ground === "dark" ? ground : COLOR.test(`#${ground}`) ? `#${ground}` : null,
    length_unit: UNITS.has(unit) ? unit : null,
  };
  return written(found) === "" ? null : found;
}

function isName(name: string): boolean {
  return name.length > 0 && name.length <= LONGEST_NAME;
}

/** Write position and target, and for an orthographic camera the height that it shows. */
function numbers({ position, target, projection, height }: Camera): string {
  const distance = Math.hypot(...position.map((one, axis) => one - target[axis]!));
  const places = Math.min(Math.max(PLACES - Math.floor(Math.log10(distance)), 0), 20);
  const all = [...position, ...target, ...(projection === "orthographic" && height !== null ? [height] : [])];
  return all.map((one) => Number(one.toFixed(places))).join(SEPARATOR);
}

/** Return the numbers of a text where it has one of some counts of them, each within the platform's bounds; null for another text. */
function numbersIn(text: string | null, counts: readonly number[]): number[] | null {
  const texts = text?.split(SEPARATOR) ?? [];
  const found = texts.map((one) => (one.trim() === "" ? Number.NaN : Number(one)));
  return counts.includes(found.length) && found.every((one) => Math.abs(one) <= LARGEST) ? found : null;
}

function cameraIn(text: string | null): Camera | null {
  const found = numbersIn(text, [6, 7]);
  if (found === null) return null;
  const [position, target, height = null] = [found.slice(0, 3), found.slice(3, 6), found[6]];
  const isSomewhere = position.some((one, axis) => one !== target[axis]) && (height === null || height > 0);
  return isSomewhere ? { position, target, up: [0, 0, 1], projection: height === null ? "perspective" : "orthographic", fov_degrees: null, height } : null;
}

function sectionIn(text: string | null): ViewerSettings["section"] {
  const found = numbersIn(text, [6]);
  return found !== null && found.slice(3).some((one) => one !== 0) ? { point: found.slice(0, 3), normal: found.slice(3) } : null;
}
