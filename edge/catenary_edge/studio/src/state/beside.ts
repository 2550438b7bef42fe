// What the page shows beside the values of its design, in the page's address: `tab`, `side`, `draft`, `open`, `saved`, `designs`,
// `feasible`, `f.<column>`, and `v.<of the 3D view>`.
import type { Json, ViewFilter } from "../api/types.ts";
import { appearanceIn, written as writtenView, type Appearance } from "./appearance.ts";
import type { Filters } from "./filters.ts";

const TABS = ["variants", "history", "models"] as const;
/** Bounds within which the platform saves filters. */
const MOST_FILTERS = 50;
const MOST_VALUES = 100;
const LONGEST_NAME = 200;

export interface Beside {
  /** The tab on the left; null for the inputs, and for the charts where `designs` names their source. */
  tab: (typeof TABS)[number] | null;
  /** Whether the comments are shown in place of the results. */
  isCommenting: boolean;
  /** The version that runs in place of the deployed one, as `<model id>.<version id>`; null for the deployed one. */
  draft: string | null;
  /** Id of the variant that was opened; null without one. */
  variant: string | null;
  /** Id of the saved view that was opened; null without one. */
  saved: string | null;
  /** The source of the designs whose charts are shown; null while they are not. */
  designs: string | null;
  /** What of the designs is shown, by column. */
  filters: Filters;
  isFeasibleOnly: boolean;
  /** The 3D view as somebody had changed it; null where nobody had. */
  view: Appearance | null;
}

/** What the page begins with. */
export const BEGINNING: Beside = { tab: null, isCommenting: false, draft: null, variant: null, saved: null, designs: null, filters: {}, isFeasibleOnly: false, view: null };

/** Write what is shown, as a part of a fragment; empty for what the page begins with. */
export function written({ tab, isCommenting, draft, variant, saved, designs, filters, isFeasibleOnly, view }: Beside): string {
  const found = new URLSearchParams();
  const texts = { tab, side: isCommenting ? "comments" : null, draft, open: variant, saved, designs, feasible: isFeasibleOnly ? "only" : null };
  for (const [name, text] of Object.entries(texts)) if (text !== null) found.set(name, text);
  for (const [name, filter] of Object.entries(filters).slice(0, MOST_FILTERS)) found.set(`f.${name}`, textOf(filter));
  return [String(found), view === null ? "" : writtenView(view)].filter(Boolean).join("&");
}

/** Read what was shown; what the platform would not save is passed over. */
export function besideIn(given: URLSearchParams): Beside {
  const filters = [...given].flatMap(([name, text]) => {
    const filter = name.startsWith("f.") && name.length <= LONGEST_NAME ? filterIn(text) : null;
    return filter === null ? [] : [[name.slice(2), filter] as const];
  });
  return {
    tab: TABS.find((one) => one === given.get("tab")) ?? null,
    isCommenting: given.get("side") === "comments",
    draft: given.get("draft"),
    variant: given.get("open"),
    saved: given.get("saved"),
    designs: given.get("designs"),
    filters: Object.fromEntries(filters.slice(0, MOST_FILTERS)),
    isFeasibleOnly: given.get("feasible") === "only",
    view: appearanceIn(given),
  };
}

/** Tell whether only some of the designs are shown. */
export function isFiltered({ filters, isFeasibleOnly }: Pick<Beside, "filters" | "isFeasibleOnly">): boolean {
  return isFeasibleOnly || Object.keys(filters).length > 0;
}

/** Write a filter: `2..5`, `..5` and `2..` for numbers, a list of JSON for values. */
function textOf({ min, max, values }: ViewFilter): string {
  return values.length > 0 ? JSON.stringify(values) : `${min ?? ""}..${max ?? ""}`;
}

function filterIn(text: string): ViewFilter | null {
  if (text.startsWith("[")) return valuesIn(text);
  const range = /^([^.]*(?:\.\d+[^.]*)?)\.\.(.*)$/.exec(text) ?? [];
  const [min = null, max = null] = range.slice(1).map((one) => (one === "" ? null : Number(one)));
  const isRange = [min, max].every((one) => one === null || Number.isFinite(one)) && (min !== null || max !== null) && (min ?? -Infinity) <= (max ?? Infinity);
  return isRange ? { min, max, values: [] } : null;
}

function valuesIn(text: string): ViewFilter | null {
  try {
    const values = JSON.parse(text) as Json;
    const isList = Array.isArray(values) && values.length > 0 && values.length <= MOST_VALUES && values.every((one) => ["number", "string", "boolean"].includes(typeof one));
    return isList ? { min: null, max: null, values } : null;
  } catch {
    return null;
  }
}
