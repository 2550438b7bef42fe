// The order in which many designs are drawn: what is filtered out, what breaks a constraint, and what is good, by colour.
import type { Candidate } from "../state/candidates.ts";
import type { Shades } from "../state/shades.ts";
import type { Look } from "./echarts.ts";

/** Designs that are drawn alike. */
export interface Layer {
  kind: "miss" | "infeasible" | "good";
  color: string;
  places: number[];
}

/** Return the layers of candidates, the ones on top last; without shades all good ones have one colour. */
export function layersOf(candidates: readonly Candidate[], hits: Uint8Array, shades: Shades | null, look: Look): Layer[] {
  const misses: Layer = { kind: "miss", color: look.text, places: [] };
  const infeasible: Layer = { kind: "infeasible", color: look.text, places: [] };
  const plain: Layer = { kind: "good", color: look.accent, places: [] };
  const shaded = (shades?.colors ?? []).map((color): Layer => ({ kind: "good", color, places: [] }));
  candidates.forEach(({ isFeasible }, place) => {
    const layer = !hits[place] ? misses : !isFeasible ? infeasible : shades === null ? plain : (shaded[shades.of(place)] ?? plain);
    layer.places.push(place);
  });
  return [misses, infeasible, plain, ...shaded].filter(({ places }) => places.length > 0);
}
