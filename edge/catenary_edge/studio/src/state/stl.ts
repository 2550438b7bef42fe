// Where a geometry is downloaded as STL.
import type { Geometry } from "../api/types.ts";

/** Return the URL of a geometry as STL in the unit of its model: `.stl` after the path, before the query. */
export function stlOf({ url, unit }: Pick<Geometry, "url" | "unit">): string {
  const [path, given = ""] = url.split("?");
  const query = new URLSearchParams(given);
  if (unit !== null && !query.has("unit")) query.set("unit", unit);
  return `${path}.stl${query.size > 0 ? `?${query}` : ""}`;
}
