// The objects of what is shown: one for each part, whose buffers are filled anew while a design changes.
import * as THREE from "three";
import { creasesOf, type Mesh } from "../state/creases.ts";
import { keyOf, type Look } from "../state/parts.ts";
import { Coarse } from "./coarse.ts";
import type { Part } from "./glb.ts";
import { Materials } from "./materials.ts";

/** Triangles up to which the edges of a part are drawn; those of a larger one are found when they are measured. */
const MAX_EDGED = 20_000;
/** Triangles up to which they are drawn while the part changes. */
const QUICK_EDGED = 4_000;

export type Drawn = THREE.Mesh<THREE.BufferGeometry, THREE.Material> | THREE.LineSegments<THREE.BufferGeometry, THREE.Material>;
/** How the part of a geometry looks, by their names. */
export type Looks = (geometry: string, part: string) => Look;

export interface Shown {
  /** The geometry's name. */
  name: string;
  parts: readonly Part[];
}

export class Model {
  readonly group = new THREE.Group();
  readonly materials = new Materials();
  private readonly coarse = new Coarse();
  private readonly parts = new Map<Drawn, Part>();
  /** Edges that are drawn when nothing moves any more. */
  private readonly later = new Map<Drawn, () => void>();

  /** Show parts in place of what is shown; tell whether they are the first. */
  show(shown: readonly Shown[], looks: Looks): boolean {
    this.coarse.show(false);
    const isFirst = this.group.children.length === 0;
    const solid = shown.map(({ name, parts }) => ({ name, parts: parts.filter((part) => part.positions.length > 0) }));
    const kept = this.kept(solid);
    if (kept !== null) for (const { object, part } of kept) this.refill(object, part);
    else this.replace(solid);
    this.dress(looks);
    this.group.updateMatrixWorld(true);
    return isFirst;
  }

  /** Hide, mark and colour the parts. */
  dress(looks: Looks): void {
    for (const [object, part] of this.parts) {
      const look = looks(object.parent?.name ?? "", object.name);
      object.visible = !look.isHidden;
      object.material = this.materials.of(part, look, keyOf(object.parent?.name ?? "", object.name));
    }
  }

  /** Show stand-ins of few triangles in place of very many, or with false the model as it is. */
  simplify(isCoarse: boolean): void {
    this.coarse.show(isCoarse);
  }

  /** Do what waited until nothing moves: draw edges, and prepare for the next move. */
  finish(): void {
    this.coarse.show(false);
    this.coarse.prepare(this.parts.keys());
    for (const draw of this.later.values()) draw();
    this.later.clear();
  }

  /** Return the visible parts whose edges nobody has looked for, each with its mesh. */
  unedged(): [Drawn, Mesh][] {
    return this.visible().filter(([object, part]) => !part.isLines && edgesOf(object) === null && !this.later.has(object));
  }

  /** The number of edges that are kept and not drawn. */
  get keptEdges(): number {
    const kept = [...this.parts.keys()].map(edgesOf).filter((lines) => lines !== null && !lines.visible);
    return kept.reduce((sum, lines) => sum + lines!.geometry.getAttribute("position").count / 2, 0);
  }

  /** Keep the edges of a large part, to be measured and not drawn; those of an earlier mesh are passed over. */
  keepEdges(object: Drawn, mesh: Mesh, ends: Float32Array): void {
    if (this.parts.get(object) === mesh) this.addEdges(object, ends, false);
  }

  /** Return what is not hidden, with its part. */
  visible(): [Drawn, Part][] {
    return [...this.parts].filter(([object]) => object.visible);
  }

  /** Return the box around all parts, around the visible ones, or around those of one name. */
  box(which: "all" | "visible" | { key: string }): THREE.Box3 {
    const box = new THREE.Box3();
    for (const object of this.parts.keys()) {
      const isMeant = typeof which === "object" ? keyOf(object.parent?.name ?? "", object.name) === which.key : which === "all" || object.visible;
      if (isMeant) box.union(boxOf(object));
    }
    return box;
  }

  /** Return the sphere around parts; null where there are none. */
  sphere(which: Parameters<Model["box"]>[0]): THREE.Sphere | null {
    const box = this.box(which);
    return box.isEmpty() ? null : box.getBoundingSphere(new THREE.Sphere());
  }

  private replace(shown: readonly Shown[]): void {
    this.later.clear();
    this.parts.clear();
    this.coarse.clear();
    for (const child of this.group.children.slice()) {
      child.removeFromParent();
      child.traverse((one) => {
        if (one instanceof THREE.Mesh || one instanceof THREE.LineSegments) (one.geometry as THREE.BufferGeometry).dispose();
      });
    }
    for (const { name, parts } of shown) {
      const group = new THREE.Group();
      group.name = name;
      this.group.add(group);
      for (const part of parts) group.add(this.made(part));
    }
  }

  /** Pair what is shown with new parts of the same kinds; null if there are others. */
  private kept(shown: readonly Shown[]): { object: Drawn; part: Part }[] | null {
    const groups = this.group.children;
    if (groups.length === 0 || groups.length !== shown.length) return null;
    const pairs: { object: Drawn; part: Part }[] = [];
    for (const [place, { name, parts }] of shown.entries()) {
      const group = groups[place]!;
      if (group.name !== name || group.children.length !== parts.length) return null;
      for (const [at, part] of parts.entries()) {
        const object = group.children[at] as Drawn;
        if (object instanceof THREE.LineSegments !== part.isLines) return null;
        pairs.push({ object, part });
      }
    }
    return pairs;
  }

  /** Put the arrays of a part into the buffers of what is shown; other lengths get buffers of their own. */
  private refill(object: Drawn, part: Part): void {
    this.coarse.drop(object);
    const { geometry } = object;
    const positions = geometry.getAttribute("position") as THREE.BufferAttribute;
    const index = geometry.getIndex();
    const isSame = positions.array.length === part.positions.length && index?.array.length === part.indices.length && index.array.constructor === part.indices.constructor;
    if (isSame) {
      positions.array.set(part.positions);
      index.array.set(part.indices);
      positions.needsUpdate = index.needsUpdate = true;
      geometry.boundingSphere = geometry.boundingBox = null;
    } else {
      geometry.dispose();
      object.geometry = geometryOf(part);
    }
    object.name = part.name;
    object.matrix.fromArray(part.matrix);
    object.matrixWorldNeedsUpdate = true;
    this.parts.set(object, part);
    this.edge(object, part);
  }

  private made(part: Part): Drawn {
    const geometry = geometryOf(part);
    const object = part.isLines ? new THREE.LineSegments(geometry, this.materials.edges) : new THREE.Mesh(geometry, this.materials.edges);
    object.name = part.name;
    object.matrixAutoUpdate = false;
    object.matrix.fromArray(part.matrix);
    this.parts.set(object, part);
    this.edge(object, part);
    return object;
  }

  /** Draw the edges of a part: those of a small one at once, of a larger one when nothing moves any more. */
  private edge(object: Drawn, part: Part): void {
    const old = edgesOf(object);
    const triangles = part.indices.length / 3;
    if (old !== null) {
      old.removeFromParent();
      old.geometry.dispose();
    }
    this.later.delete(object);
    if (part.isLines || triangles > MAX_EDGED) return;
    const draw = () => this.addEdges(object, creasesOf(part)!, true);
    if (triangles <= QUICK_EDGED) draw();
    else this.later.set(object, draw);
  }

  private addEdges(object: Drawn, ends: Float32Array, isDrawn: boolean): void {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(ends, 3));
    const lines = new THREE.LineSegments(geometry, this.materials.edges);
    lines.visible = isDrawn;
    object.add(lines);
    lines.updateMatrixWorld(true);
  }
}

/** Return the edges of a part that are drawn or kept; null if it has none. */
export function edgesOf(object: Drawn): THREE.LineSegments | null {
  return (object.children[0] as THREE.LineSegments | undefined) ?? null;
}

/** Return the box around a part in the view. */
export function boxOf(object: Drawn): THREE.Box3 {
  const { geometry } = object;
  if (geometry.boundingBox === null) geometry.computeBoundingBox();
  return geometry.boundingBox!.clone().applyMatrix4(object.matrixWorld);
}

/** Copy the arrays of a part, since later ones are written into the copy. */
function geometryOf(part: Part): THREE.BufferGeometry {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(part.positions.slice(), 3));
  geometry.setIndex(new THREE.BufferAttribute(part.indices.slice(), 1));
  return geometry;
}
