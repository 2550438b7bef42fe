// The 3D view: a scene that is drawn only when something changes, with orbit, pan and zoom to the pointer.
import CameraControls from "camera-controls";
import * as THREE from "three";
import type { Part } from "./glb.ts";

CameraControls.install({ THREE });

const MOVING_RATIO = 1;
const RESTING_RATIO = 2;
const REST_MS = 120;
/** Triangles up to which the edges of a part are drawn. */
const MAX_EDGED = 20_000;
const CREASE_DEGREES = 30;

export interface Shown {
  /** The geometry's name. */
  name: string;
  parts: readonly Part[];
}

/** Draws parts on a canvas; an Error of the constructor means that WebGL is missing. */
export class Stage {
  private readonly renderer: THREE.WebGLRenderer;
  private readonly scene = new THREE.Scene();
  private readonly camera = new THREE.PerspectiveCamera(35, 1, 0.1, 1000);
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

  constructor(canvas: HTMLCanvasElement) {
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

  /** Show geometry in place of what is shown; the first is fitted into the view. */
  show(shown: readonly Shown[], hidden: ReadonlySet<string>): void {
    const isFirst = this.model.children.length === 0;
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

  setHidden(hidden: ReadonlySet<string>): void {
    for (const child of this.model.children) child.visible = !hidden.has(child.name);
    this.move();
  }

  /** Bring all that is shown into the view. */
  async fit(smooth: boolean): Promise<void> {
    if (this.sphere.radius <= 0) return;
    await this.controls.fitToSphere(this.sphere, smooth);
  }

  dispose(): void {
    cancelAnimationFrame(this.frame);
    clearTimeout(this.rest);
    this.controls.dispose();
    this.renderer.dispose();
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
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(part.positions, 3));
    geometry.setIndex(new THREE.BufferAttribute(part.indices, 1));
    const found = part.isLines ? new THREE.LineSegments(geometry, this.material(part)) : new THREE.Mesh(geometry, this.material(part));
    found.matrixAutoUpdate = false;
    found.matrix.fromArray(part.matrix);
    if (!part.isLines && part.indices.length / 3 <= MAX_EDGED) {
      found.add(new THREE.LineSegments(new THREE.EdgesGeometry(geometry, CREASE_DEGREES), this.edges));
    }
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
      this.draw();
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
    if (isMoving) this.move();
  }

  private draw(): void {
    this.controls.update(0);
    this.renderer.render(this.scene, this.camera);
  }
}
