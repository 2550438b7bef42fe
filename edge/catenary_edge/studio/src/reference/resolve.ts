// The references in a document, replaced by what they name.

type Json = unknown;
type Fields = Record<string, Json>;

const isFields = (value: Json): value is Fields => typeof value === "object" && value !== null && !Array.isArray(value);

/** Return what stands at a path of a document, such as of `#/components/schemas/Project`; undefined where nothing does. */
function at(document: Json, path: readonly string[]): Json {
  return path.reduce<Json>((found, key) => (isFields(found) || Array.isArray(found) ? (found as Fields)[key] : undefined), document);
}

/**
 * Return the part of a document at a path, with everything in place that it refers to; a schema has its name as title then. A reference
 * inside of what it names stays one.
 *
 * Swagger UI's own way goes through the whole document for each operation, which takes seconds for one of ours.
 */
export function resolved(document: object, path: readonly string[]): Json {
  const within = (value: Json, open: readonly string[]): Json => {
    if (Array.isArray(value)) return value.map((one: Json) => within(one, open));
    if (!isFields(value)) return value;
    const { $ref, ...beside } = value;
    if (typeof $ref !== "string" || !$ref.startsWith("#/") || open.includes($ref)) {
      return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, within(one, open)]));
    }
    const keys = $ref.slice(2).split("/");
    const named = at(document, keys);
    if (named === undefined) return value;
    const found = within(named, [...open, $ref]);
    const title = keys[1] === "schemas" ? { title: keys.at(-1) } : {};
    return isFields(found) ? { ...title, ...found, ...beside } : found;
  };
  return within(at(document, path), []);
}
