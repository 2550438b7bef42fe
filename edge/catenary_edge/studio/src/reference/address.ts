// Addresses of the reference: `#platform/v1/Evaluate` names an operation, `#platform/v1` a document, `#Evaluate` an operation of the present one.

/** A document, as `/openapi.json` lists it. */
export interface Listed {
  surface: string;
  version: string;
  title: string;
  url: string;
}

export interface Address {
  /** The document; null where the address leaves it as it is. */
  listed: Listed | null;
  /** The id of the operation; null where the address names none. */
  operationId: string | null;
}

/** Return what tells documents apart: `platform/v1`. */
export function keyOf({ surface, version }: Pick<Listed, "surface" | "version">): string {
  return `${surface}/${version}`;
}

/** Write the fragment of a document, or of one of its operations. */
export function addressOf(document: Pick<Listed, "surface" | "version">, operationId: string | null = null): string {
  return `#${keyOf(document)}${operationId === null ? "" : `/${operationId}`}`;
}

/** Read a fragment; a document that is not listed is passed over. */
export function readAddress(fragment: string, listed: readonly Listed[]): Address {
  const parts = decoded(fragment.replace(/^#/, "")).split("/").filter(Boolean);
  const named = parts.length < 2 ? undefined : listed.find((one) => keyOf(one) === parts.slice(0, 2).join("/"));
  const rest = parts.length < 2 ? parts[0] : parts[2];
  return { listed: named ?? null, operationId: parts.length < 2 || named ? (rest ?? null) : null };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Return the path of a document at this origin: a public address may name another one, to which the page doesn't speak. */
export function pathOf(one: Listed): string {
  return one.url.slice(one.url.indexOf("/openapi/"));
}
