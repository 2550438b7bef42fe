// The page's address: `#project=<id>&p.<parameter>=<value>` and what is shown beside it after `/studio`, without credentials.
import type { Json, Parameter } from "../api/types.ts";
import { BEGINNING, besideIn, written as writtenBeside, type Beside } from "./beside.ts";
import { changedFrom, type Values } from "./values.ts";

export interface Address {
  projectId: string;
  /** Values of parameters as texts of JSON. */
  values: ReadonlyMap<string, string>;
  beside: Beside;
}

/** Read a fragment; null if it names no project. */
export function readAddress(fragment: string): Address | null {
  const given = new URLSearchParams(fragment.replace(/^#/, ""));
  const projectId = given.get("project");
  if (!projectId) return null;
  const values = new Map([...given].filter(([name]) => name.startsWith("p.")).map(([name, text]) => [name.slice(2), text]));
  return { projectId, values, beside: besideIn(given) };
}

/** Return the id of the variant that a fragment names: `#variant=<id>`; null if it names none. */
export function variantIn(fragment: string): string | null {
  return new URLSearchParams(fragment.replace(/^#/, "")).get("variant");
}

/** Write the fragment of a project with all given values. */
export function addressWith(projectId: string, values: Values): string {
  const written = new URLSearchParams({ project: projectId });
  for (const [name, value] of Object.entries(values)) written.set(`p.${name}`, JSON.stringify(value));
  return `#${written}`;
}

/**
 * Write the values of a design that differ from the defaults over a fragment, and what is shown beside them; null where the
 * fragment names another project or none.
 */
export function rewritten(fragment: string, projectId: string, parameters: readonly Parameter[], values: Values, beside: Partial<Beside> = {}): string | null {
  if (readAddress(fragment)?.projectId !== projectId) return null;
  return [addressWith(projectId, changedFrom(parameters, values)), writtenBeside({ ...BEGINNING, ...beside })].filter(Boolean).join("&");
}

/** Return the values of an address for parameters that exist; a text that is no JSON is passed over. */
export function valuesOf(address: Address, parameters: readonly Parameter[]): Values {
  const known = new Set(parameters.map((one) => one.name));
  const found: Record<string, Json> = {};
  for (const [name, text] of address.values) {
    if (!known.has(name)) continue;
    try {
      found[name] = JSON.parse(text) as Json;
    } catch {
      continue;
    }
  }
  return found;
}
