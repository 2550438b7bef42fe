// The materials of the view: one for each colour, kept, since to dispose one costs a frame.
import * as THREE from "three";
import type { Look } from "../state/parts.ts";
import type { Part } from "./glb.ts";

const MARK = new THREE.Color(0x1f7ae0);
/** How much of its own colour a marked part loses. */
const MARKED = 0.7;

export class Materials {
  readonly edges = new THREE.LineBasicMaterial({ color: 0x1b2430, transparent: true, opacity: 0.55 });
  private readonly made = new Map<string, THREE.Material>();
  private planes: THREE.Plane[] | null = null;

  /** Return the material of a part as it is to look; `key` names a part with a colour of its own. */
  of(part: Part, look: Look, key: string): THREE.Material {
    const own = look.color === null ? part.color.slice(0, 3) : key;
    const id = JSON.stringify([own, part.color[3], part.doubleSided, part.isLines, look.isMarked]);
    const known = this.made.get(id);
    const found = known ?? this.make(part);
    if (known === undefined || look.color !== null) {
      const { color } = found as THREE.MeshLambertMaterial;
      color.copy(colorOf(part, look));
      if (look.isMarked) color.lerp(MARK, MARKED);
    }
    this.made.set(id, found);
    return found;
  }

  /** Cut away what is behind a plane, or with null nothing. */
  clip(plane: THREE.Plane | null): void {
    this.planes = plane === null ? null : [plane];
    for (const one of [this.edges, ...this.made.values()]) one.clippingPlanes = this.planes;
  }

  private make(part: Part): THREE.Material {
    const alpha = part.color[3];
    const common = { transparent: alpha < 1, opacity: alpha, depthWrite: alpha === 1, clippingPlanes: this.planes };
    if (part.isLines) return new THREE.LineBasicMaterial(common);
    return new THREE.MeshLambertMaterial({
      ...common,
      flatShading: true,
      side: part.doubleSided ? THREE.DoubleSide : THREE.FrontSide,
      polygonOffset: true,
      polygonOffsetFactor: 1,
      polygonOffsetUnits: 1,
    });
  }
}

/** Return the colour of a part: the one that somebody gave it, else the model's own. */
export function colorOf(part: Part, look: Look): THREE.Color {
  const [red, green, blue] = part.color;
  return look.color === null ? new THREE.Color(red, green, blue) : new THREE.Color(look.color);
}
