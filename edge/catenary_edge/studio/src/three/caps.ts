// The faces where a section cuts through solids: by the stencil buffer, which counts front and back faces before the plane.
import * as THREE from "three";
import { toView } from "../state/camera.ts";
import type { Plane } from "../state/section.ts";
import { colorOf } from "./materials.ts";
import { boxOf, type Drawn, type Looks } from "./model.ts";
import type { Stage } from "./stage.ts";

/** A cap is darker than its part. */
const DARKER = 0.6;
/** Parts of the model's size by which more is cut away: a face that lies in the plane would flicker. */
const BESIDE = 1e-5;

/** Solids of one colour, whose caps are drawn at once. */
interface Solids {
  color: THREE.Color;
  objects: Drawn[];
  volume: number;
}

/** Cuts what a stage shows; `follow` is called by the stage whenever that changes. */
export class Caps {
  private readonly plane = new THREE.Plane();
  private readonly group = new THREE.Group();
  private readonly square = new THREE.PlaneGeometry(1, 1);
  private readonly counting = [counter(THREE.BackSide, THREE.IncrementWrapStencilOp), counter(THREE.FrontSide, THREE.DecrementWrapStencilOp)];
  private readonly fills = new Map<string, THREE.MeshBasicMaterial>();
  private readonly follower = () => this.follow();

  constructor(
    private readonly stage: Stage,
    private readonly looks: Looks,
    /** Return the plane for the present model; null as long as there is none. */
    private readonly wanted: () => Plane | null,
  ) {
    for (const one of this.counting) one.clippingPlanes = [this.plane];
    stage.scene.add(this.group);
    stage.followers.add(this.follower);
    this.move();
  }

  /** Put the plane where it is wanted. */
  move(): void {
    this.follow();
    this.stage.move();
  }

  dispose(): void {
    this.stage.followers.delete(this.follower);
    this.group.removeFromParent();
    this.stage.clip(null);
    for (const one of [this.square, ...this.counting, ...this.fills.values()]) one.dispose();
  }

  private follow(): void {
    this.group.clear();
    const wanted = this.wanted();
    if (wanted === null) return;
    const normal = new THREE.Vector3(...toView(wanted.normal)).negate(); // three.js keeps what a normal points to
    this.plane.setFromNormalAndCoplanarPoint(normal, new THREE.Vector3(...toView(wanted.point)));
    this.plane.constant -= this.stage.sphere.radius * BESIDE;
    this.stage.clip(this.plane);
    for (const [place, solids] of this.cutSolids().entries()) this.cap(solids, place + 1);
  }

  /** Return the closed solids that the plane cuts, by colour; larger ones first, since they may enclose the others. */
  private cutSolids(): Solids[] {
    const found = new Map<string, Solids>();
    for (const [object, part] of this.stage.model.visible()) {
      const box = boxOf(object);
      if (part.isLines || part.doubleSided || !this.plane.intersectsBox(box)) continue;
      const name = object.parent?.name ?? "";
      const color = colorOf(part, this.looks(name, object.name));
      const size = box.getSize(new THREE.Vector3());
      const key = color.getHexString();
      const known = found.get(key) ?? { color, objects: [], volume: 0 };
      known.objects.push(object);
      known.volume = Math.max(known.volume, size.x * size.y * size.z);
      found.set(key, known);
    }
    return [...found.values()].sort((one, other) => other.volume - one.volume);
  }

  private cap({ color, objects }: Solids, order: number): void {
    for (const object of objects) {
      for (const material of this.counting) {
        const counted = new THREE.Mesh(object.geometry, material);
        counted.matrixAutoUpdate = false;
        counted.matrix.copy(object.matrixWorld);
        counted.renderOrder = order;
        this.group.add(counted);
      }
    }
    const { sphere } = this.stage;
    const face = new THREE.Mesh(this.square, this.fill(color));
    face.position.copy(this.plane.projectPoint(sphere.center, new THREE.Vector3()));
    face.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), this.plane.normal);
    face.scale.setScalar(sphere.radius * 2.5);
    face.renderOrder = order + 0.5;
    face.onAfterRender = (renderer) => renderer.clearStencil();
    this.group.add(face);
  }

  private fill(color: THREE.Color): THREE.MeshBasicMaterial {
    const key = color.getHexString();
    const made =
      this.fills.get(key) ??
      new THREE.MeshBasicMaterial({
        color: color.clone().multiplyScalar(DARKER),
        side: THREE.DoubleSide,
        stencilWrite: true,
        stencilRef: 0,
        stencilFunc: THREE.NotEqualStencilFunc,
        stencilFail: THREE.ReplaceStencilOp,
        stencilZFail: THREE.ReplaceStencilOp,
        stencilZPass: THREE.ReplaceStencilOp,
      });
    this.fills.set(key, made);
    return made;
  }
}

/** Return a material that draws nothing and counts the faces of one side. */
function counter(side: THREE.Side, operation: THREE.StencilOp): THREE.MeshBasicMaterial {
  return new THREE.MeshBasicMaterial({
    side,
    colorWrite: false,
    depthWrite: false,
    depthTest: false,
    stencilWrite: true,
    stencilFunc: THREE.AlwaysStencilFunc,
    stencilFail: operation,
    stencilZFail: operation,
    stencilZPass: operation,
  });
}
