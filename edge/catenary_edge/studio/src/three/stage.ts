// The 3D view: a scene that is drawn only when something changes, with orbit, pan and zoom to the pointer.
import CameraControls from "camera-controls";
import * as THREE from "three";
import { cameraOf, poseOf, type Point } from "../state/camera.ts";
import type { Camera } from "../api/types.ts";
import type { Part } from "./glb.ts";
import { hitAt, spotsOf, type Hit, type Spot } from "./places.ts";

// Only what the controls need, so that the bundle leaves out the rest of the library.
CameraControls.install({
  THREE: {
    Vector2: THREE.Vector2,
    Vector3: THREE.Vector3,
    Vector4: THREE.Vector4,
    Quaternion: THREE.Quaternion,
    Matrix4: THREE.Matrix4,
    Spherical: THREE.Spherical,
    Box3: THREE.Box3,
    Sphere: THREE.Sphere,
    Raycaster: THREE.Raycaster,
  },
});

const MOVING_RATIO = 1;
const RESTING_RATIO = 2;
const REST_MS = 300;
/** Triangles up to which the edges of a part are drawn. */
const MAX_EDGED = 20_000;
/** Triangles up to which they are drawn while the part changes. */
const QUICK_EDGED = 4_000;
const CREASE_DEGREES = 30;
const FOV_DEGREES = 35;

type Drawn = THREE.Mesh<THREE.BufferGeometry, THREE.Material> | THREE.LineSegments<THREE.BufferGeometry, THREE.Material>;

export interface Shown {
  /** The geometry's name. */
  name: string;
  parts: readonly Part[];
}

/** Draws parts on a canvas; an Error of the constructor means that WebGL is missing. */
export class Stage {
  private readonly renderer: THREE.WebGLRenderer;
  private readonly scene = new THREE.Scene();
  private readonly camera = new THREE.PerspectiveCamera(FOV_DEGREES, 1, 0.1, 1000);
  private readonly light = new THREE.DirectionalLight(0xffffff, 2.2);
  private readonly model = new THREE.Group();
  private readonly controls: CameraControls;
  private readonly materials = new Map<string, THREE.Material>();
  private readonly edges = new THREE.LineBasicMaterial({ color: 0x1b2430, transparent: true, opacity: 0.55 });
  private readonly clock = new THREE.Timer();
  private frame = 0;
  private rest: ReturnType<typeof setTimeout> | undefined;
  private ratio = RESTING_RATIO;
  private sphere = new THREE.Sphere();
  /** The sphere of the last fit. */
  private readonly fitted = new THREE.Sphere();
  /** Whether nobody has moved the view since the last fit: it then follows what is shown. */
  private isFitted = false;
  private drawn: () => void = () => undefined;
  /** Edges that are drawn when nothing moves any more. */
  private readonly later = new Map<THREE.Object3D, () => void>();

  constructor(
    canvas: HTMLCanvasElement,
    /** Called after each picture; `isResting` where nothing moves any more. */
    private readonly pictured: (isResting: boolean) => void = () => undefined,
  ) {
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: false, alpha: true });
    this.renderer.setClearAlpha(0);
    this.scene.add(new THREE.HemisphereLight(0xffffff, 0x8899aa, 1.6), this.model, this.camera);
    this.camera.add(this.light);
    this.light.position.set(-0.6, 0.8, 0.4);
    this.controls = new CameraControls(this.camera, canvas);
    this.controls.smoothTime = 0.12;
    this.controls.draggingSmoothTime = 0.04;
    this.controls.dollyToCursor = true;
    this.controls.azimuthAngle = Math.PI / 5;
    this.controls.polarAngle = Math.PI / 2.6;
    this.controls.addEventListener("controlstart", () => (this.isFitted = false));
    for (const event of ["control", "controlstart", "transitionstart", "wake"] as const) {
      this.controls.addEventListener(event, () => this.move());
    }
  }

  resize(width: number, height: number): void {
    if (width === 0 || height === 0) return;
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.renderer.setPixelRatio(this.ratio);
    this.renderer.setSize(width, height, false);
    this.draw();
  }

  /** Show geometry in place of what is shown; the first is fitted into the view. `drawn` is called with its first picture. */
  show(shown: readonly Shown[], hidden: ReadonlySet<string>, drawn: () => void = () => undefined): void {
    this.drawn = drawn;
    const kept = this.kept(shown);
    if (kept !== null) {
      for (const { object, part } of kept) this.refill(object, part);
      this.measure();
      return this.move();
    }
    const isFirst = this.model.children.length === 0;
    this.later.clear();
    for (const child of [...this.model.children]) {
      child.removeFromParent();
      child.traverse((one) => {
        if (one instanceof THREE.Mesh || one instanceof THREE.LineSegments) (one.geometry as THREE.BufferGeometry).dispose();
      });
    }
    for (const { name, parts } of shown) {
      const group = new THREE.Group();
      group.name = name;
      group.visible = !hidden.has(name);
      group.add(...parts.filter((part) => part.positions.length > 0).map((part) => this.made(part)));
      this.model.add(group);
    }
    this.measure();
    if (isFirst) void this.fit(false);
    this.move();
  }

  /** Pair what is shown with new parts of the same names and materials; null if there are others. */
  private kept(shown: readonly Shown[]): { object: Drawn; part: Part }[] | null {
    const groups = this.model.children;
    if (groups.length === 0 || groups.length !== shown.length) return null;
    const pairs: { object: Drawn; part: Part }[] = [];
    for (const [place, { name, parts }] of shown.entries()) {
      const [group, solid] = [groups[place]!, parts.filter((part) => part.positions.length > 0)];
      if (group.name !== name || group.children.length !== solid.length) return null;
      for (const [at, part] of solid.entries()) {
        const object = group.children[at] as Drawn;
        if (object.material !== this.material(part) || object instanceof THREE.LineSegments !== part.isLines) return null;
        pairs.push({ object, part });
      }
    }
    return pairs;
  }

  /** Put the arrays of a part into the buffers of what is shown; other lengths get buffers of their own. */
  private refill(object: Drawn, part: Part): void {
    const { geometry } = object;
    const positions = geometry.getAttribute("position") as THREE.BufferAttribute;
    const index = geometry.getIndex();
    const isSame = positions.array.length === part.positions.length && index?.array.length === part.indices.length && index.array.constructor === part.indices.constructor;
    if (isSame) {
      (positions.array as Float32Array).set(part.positions);
      (index!.array as Uint32Array).set(part.indices);
      positions.needsUpdate = index!.needsUpdate = true;
      geometry.boundingSphere = geometry.boundingBox = null;
    } else {
      geometry.dispose();
      object.geometry = geometryOf(part);
    }
    object.matrix.fromArray(part.matrix);
    object.matrixWorldNeedsUpdate = true;
    this.edge(object, part);
  }

  /** Draw the edges of a part: those of a small one at once, of a larger one when nothing moves any more. */
  private edge(object: Drawn, part: Part): void {
    const old = object.children[0] as THREE.LineSegments | undefined;
    const triangles = part.indices.length / 3;
    if (old !== undefined) {
      old.removeFromParent();
      old.geometry.dispose();
    }
    if (part.isLines || triangles > MAX_EDGED) return;
    const draw = () => object.add(new THREE.LineSegments(new THREE.EdgesGeometry(object.geometry, CREASE_DEGREES), this.edges));
    if (triangles <= QUICK_EDGED) draw();
    else this.later.set(object, draw);
  }

  setHidden(hidden: ReadonlySet<string>): void {
    for (const child of this.model.children) child.visible = !hidden.has(child.name);
    this.move();
  }

  /** Bring all that is shown into the view. */
  async fit(smooth: boolean): Promise<void> {
    if (this.sphere.radius <= 0) return;
    this.isFitted = true;
    this.fitted.copy(this.sphere);
    await this.controls.fitToSphere(this.sphere, smooth);
  }

  /** Return what is shown at a point of the picture, in parts of its width and height. */
  hit(x: number, y: number): Hit | null {
    return hitAt(this.camera, this.model, x, y, this.sphere.radius);
  }

  /** Return where places are on the picture. */
  spots(places: readonly Point[], isResting: boolean): (Spot | null)[] {
    return spotsOf(this.camera, this.model, places, this.sphere.radius, isResting);
  }

  /** Return the present camera. */
  look(): Camera {
    const [position, target] = [this.controls.getPosition(new THREE.Vector3()), this.controls.getTarget(new THREE.Vector3())];
    return cameraOf(position.toArray(), target.toArray(), FOV_DEGREES);
  }

  /** Move to another camera. */
  async lookFrom(camera: Camera): Promise<void> {
    const pose = poseOf(camera, FOV_DEGREES);
    if (pose === null) return;
    this.isFitted = false;
    await this.controls.setLookAt(...pose.position, ...pose.target, true);
  }

  dispose(): void {
    cancelAnimationFrame(this.frame);
    clearTimeout(this.rest);
    this.controls.dispose();
    this.renderer.dispose();
  }

  /** Tell whether what is shown has another size or place than at the last fit, by a twentieth and more. */
  private isOutgrown(): boolean {
    const { fitted, sphere } = this;
    const most = fitted.radius / 20;
    return Math.abs(sphere.radius - fitted.radius) > most || sphere.center.distanceTo(fitted.center) > most;
  }

  private measure(): void {
    this.model.updateMatrixWorld(true);
    const box = new THREE.Box3().setFromObject(this.model);
    if (box.isEmpty()) return;
    box.getBoundingSphere(this.sphere);
    const radius = Math.max(this.sphere.radius, 1e-6);
    this.camera.near = radius / 100;
    this.camera.far = radius * 100;
    this.controls.minDistance = radius / 20;
    this.controls.maxDistance = radius * 20;
    this.camera.updateProjectionMatrix();
  }

  private made(part: Part): THREE.Object3D {
    const geometry = geometryOf(part);
    const found = part.isLines ? new THREE.LineSegments(geometry, this.material(part)) : new THREE.Mesh(geometry, this.material(part));
    found.name = part.name;
    found.matrixAutoUpdate = false;
    found.matrix.fromArray(part.matrix);
    this.edge(found as Drawn, part);
    return found;
  }

  private material(part: Part): THREE.Material {
    const key = JSON.stringify([part.color, part.doubleSided, part.isLines]);
    const known = this.materials.get(key);
    if (known) return known;
    const [red, green, blue, alpha] = part.color;
    const common = { color: new THREE.Color(red, green, blue), transparent: alpha < 1, opacity: alpha, depthWrite: alpha === 1 };
    const made = part.isLines
      ? new THREE.LineBasicMaterial(common)
      : new THREE.MeshLambertMaterial({
          ...common,
          flatShading: true,
          side: part.doubleSided ? THREE.DoubleSide : THREE.FrontSide,
          polygonOffset: true,
          polygonOffsetFactor: 1,
          polygonOffsetUnits: 1,
        });
    this.materials.set(key, made);
    return made;
  }

  /** Draw with fewer pixels as long as something moves, and with all of them once it rests. */
  private move(): void {
    clearTimeout(this.rest);
    this.setRatio(MOVING_RATIO);
    this.rest = setTimeout(() => {
      this.setRatio(RESTING_RATIO);
      for (const draw of this.later.values()) draw();
      this.later.clear();
      this.draw();
      if (this.isFitted && this.isOutgrown()) void this.fit(true);
    }, REST_MS);
    if (this.frame === 0) this.frame = requestAnimationFrame((time) => this.next(time));
  }

  private setRatio(ratio: number): void {
    if (ratio === this.ratio) return;
    this.ratio = ratio;
    this.renderer.setPixelRatio(ratio);
  }

  private next(time: number): void {
    this.frame = 0;
    this.clock.update(time);
    const isMoving = this.controls.update(Math.min(this.clock.getDelta(), 0.1));
    this.renderer.render(this.scene, this.camera);
    this.drawn();
    this.drawn = () => undefined;
    this.pictured(false);
    if (isMoving) this.move();
  }

  private draw(): void {
    this.controls.update(0);
    this.renderer.render(this.scene, this.camera);
    this.pictured(this.frame === 0);
  }
}

/** Copy the arrays of a part, since later ones are written into the copy. */
function geometryOf(part: Part): THREE.BufferGeometry {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(part.positions.slice(), 3));
  geometry.setIndex(new THREE.BufferAttribute(part.indices.slice(), 1));
  return geometry;
}
