// Where a geometry is downloaded in other formats.
import type { Geometry } from "../api/types.ts";

export type Format = "glb" | "stl" | "3mf" | "step";

/** Return the URL of a geometry in a format, which stands after the path; an STL is in the unit of its model. */
export function urlIn({ url, unit }: Pick<Geometry, "url" | "unit">, format: Format): string {
  if (format === "glb") return url;
  const [path, given = ""] = url.split("?");
  const query = new URLSearchParams(given);
  if (format === "stl" && unit !== null && !query.has("unit")) query.set("unit", unit);
  return `${path}.${format}${query.size > 0 ? `?${query}` : ""}`;
}
