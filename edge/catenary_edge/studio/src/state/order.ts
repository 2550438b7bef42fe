// The order in which a model declares its metrics and constraints: objects of JSON come in the order of their names.

/** Names in the order of their declaration. */
export interface Order {
  metrics: readonly string[];
  constraints: readonly string[];
}

/** Return the entries of what has names: declared ones first, in their order, then the others as they came. */
export function ordered<One>(named: Readonly<Record<string, One>>, names: readonly string[]): [string, One][] {
  const place = new Map(names.map((name, index) => [name, index]));
  const of = ([name]: [string, One]) => place.get(name) ?? names.length;
  return Object.entries(named).sort((one, other) => of(one) - of(other));
}
