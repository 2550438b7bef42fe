// Coarse stand-ins for models of very many triangles, shown while the view moves.
import * as THREE from "three";
import { clustered } from "../state/clusters.ts";
import type { Drawn } from "./model.ts";

/** Triangles over which a model has a stand-in. */
const MANY = 200_000;
/** Triangles that it has then, over all parts. */
const FEW = 50_000;

export class Coarse {
  private readonly standIns = new Map<Drawn, THREE.BufferGeometry>();
  /** The geometries that wait while their stand-ins are shown. */
  private readonly waiting = new Map<Drawn, THREE.BufferGeometry>();

  /** Make the stand-ins of what is shown, where it has too many triangles to move smoothly. */
  prepare(objects: Iterable<Drawn>): void {
    const meshes = [...objects].filter((one) => one instanceof THREE.Mesh);
    const total = meshes.reduce((sum, one) => sum + trianglesOf(one.geometry), 0);
    if (total <= MANY) return;
    for (const object of meshes) {
      if (this.standIns.has(object)) continue;
      const { geometry } = object;
      const mesh = { positions: geometry.getAttribute("position").array as Float32Array, indices: geometry.getIndex()!.array as Uint32Array };
      const found = clustered(mesh, Math.ceil((trianglesOf(geometry) / total) * FEW));
      if (found === mesh) continue;
      const coarse = new THREE.BufferGeometry();
      coarse.setAttribute("position", new THREE.BufferAttribute(found.positions, 3));
      coarse.setIndex(new THREE.BufferAttribute(found.indices, 1));
      if (geometry.boundingBox === null) geometry.computeBoundingBox();
      coarse.boundingBox = geometry.boundingBox; // what is fitted is the model as it is
      this.standIns.set(object, coarse);
    }
  }

  /** Show the stand-ins, or with false what they stand for. */
  show(isCoarse: boolean): void {
    if (isCoarse === this.waiting.size > 0) return;
    if (isCoarse) {
      for (const [object, standIn] of this.standIns) {
        this.waiting.set(object, object.geometry);
        object.geometry = standIn;
      }
      return;
    }
    for (const [object, geometry] of this.waiting) object.geometry = geometry;
    this.waiting.clear();
  }

  /** Forget the stand-in of a part whose geometry changes. */
  drop(object: Drawn): void {
    this.standIns.get(object)?.dispose();
    this.standIns.delete(object);
  }

  clear(): void {
    for (const object of this.standIns.keys()) this.drop(object);
  }
}

function trianglesOf(geometry: THREE.BufferGeometry): number {
  return (geometry.getIndex()?.count ?? 0) / 3;
}
