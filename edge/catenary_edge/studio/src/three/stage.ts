// The 3D view: a scene that is drawn only when something changes, with orbit, pan and zoom to the pointer.
import * as THREE from "three";
import type { Camera } from "../api/types.ts";
import { toModel, type Point } from "../state/camera.ts";
import { HOME, type Direction } from "../state/named_views.ts";
import type { Box } from "../state/section.ts";
import { Cameras, type Nudge } from "./cameras.ts";
import { Model, type Looks, type Shown } from "./model.ts";
import { hitAt, spotsOf, type Hit, type Sight, type Spot } from "./places.ts";

export type { Shown } from "./model.ts";

const MOVING_RATIO = 1;
const RESTING_RATIO = 2;
const REST_MS = 300;

/** Draws parts on a canvas; an Error of the constructor means that WebGL is missing. */
export class Stage {
  readonly scene = new THREE.Scene();
  readonly cameras: Cameras;
  readonly model = new Model();
  /** The sphere around all parts, hidden ones too. */
  readonly sphere = new THREE.Sphere();
  /** Called after what is shown has changed, before it is drawn. */
  readonly followers = new Set<() => void>();
  /** The camera of the saved view that was opened; null without one. */
  home: Camera | null = null;
  /** What is behind this plane is cut away. */
  private cut: THREE.Plane | null = null;
  private readonly renderer: THREE.WebGLRenderer;
  private readonly clock = new THREE.Timer();
  private frame = 0;
  private rest: ReturnType<typeof setTimeout> | undefined;
  private ratio = RESTING_RATIO;
  /** The sphere of the last fit. */
  private readonly fitted = new THREE.Sphere();
  /** Whether nobody has moved the view since the last fit: it then follows what is shown. */
  private isFitted = false;
  /** Whether somebody has moved the view from where it begins. */
  private isMoved = false;
  private drawn: () => void = () => undefined;
  private isDisposed = false;

  constructor(
    canvas: HTMLCanvasElement,
    /** Called after each picture; `isResting` where nothing moves any more. */
    private readonly pictured: (isResting: boolean) => void = () => undefined,
  ) {
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: false, alpha: true, stencil: true });
    this.renderer.setClearAlpha(0);
    this.renderer.localClippingEnabled = true;
    this.scene.add(new THREE.HemisphereLight(0xffffff, 0x8899aa, 1.6), this.model.group);
    this.cameras = new Cameras(this.scene, canvas, () => this.move());
    for (const event of ["controlstart", "control"] as const) this.cameras.controls.addEventListener(event, () => this.leave()); // a wheel has no start
  }

  /** The camera; null as long as nobody has moved it from where it begins. */
  get camera(): Camera | null {
    return this.isMoved || this.cameras.projection === "orthographic" ? this.cameras.look() : null;
  }

  resize(width: number, height: number): void {
    if (width === 0 || height === 0) return;
    this.cameras.resize(width, height);
    this.renderer.setPixelRatio(this.ratio);
    this.renderer.setSize(width, height, false);
    if (this.isFitted) void this.fit(false);
    this.draw();
  }

  /** Show geometry in place of what is shown; the first is fitted into the view. `drawn` is called with its first picture. */
  show(shown: readonly Shown[], looks: Looks, drawn: () => void = () => undefined): void {
    this.drawn = drawn;
    const isFirst = this.model.show(shown, looks);
    this.measure();
    if (isFirst) void this.fit(false);
    this.follow();
  }

  /** Hide, mark and colour the parts. */
  dress(looks: Looks): void {
    this.model.dress(looks);
    this.follow();
  }

  /** Draw the edges of parts, or leave them out. */
  showEdges(isShown: boolean): void {
    this.model.materials.edges.visible = isShown;
    this.move();
  }

  /** Cut away what is behind a plane, or with null nothing. */
  clip(plane: THREE.Plane | null): void {
    this.cut = plane;
    this.model.simplify(false); // caps close what is really there
    this.model.materials.clip(plane);
    this.move();
  }

  /** Bring all that is shown into the view. */
  async fit(smooth: boolean): Promise<void> {
    if (this.sphere.radius <= 0) return;
    this.isFitted = true;
    this.fitted.copy(this.sphere);
    await this.cameras.fit(this.visibleSphere(), smooth);
  }

  /** Bring the parts of one name into the view. */
  async fitPart(key: string): Promise<void> {
    const sphere = this.model.sphere({ key });
    if (sphere === null || sphere.radius <= 0) return;
    this.leave();
    await this.cameras.fit(sphere, true);
  }

  /** Look at all that is shown from a direction. */
  async turn(direction: Direction): Promise<void> {
    if (this.sphere.radius <= 0) return;
    this.isMoved = direction !== HOME;
    await Promise.all([this.cameras.turn(direction), this.fit(true)]);
  }

  /** Look from a direction at what is looked at now. */
  async face(direction: Direction): Promise<void> {
    this.isMoved = true;
    await this.cameras.turn(direction);
  }

  /** Turn around what is looked at by two angles. */
  orbit(azimuth: number, polar: number): void {
    this.isMoved = true;
    this.cameras.orbit(azimuth, polar);
  }

  /** Look as the saved view that was opened does, else as at first. */
  async goHome(): Promise<void> {
    await (this.home === null ? this.turn(HOME) : this.lookFrom(this.home));
  }

  /** Turn, move or come closer by one step of a key. */
  nudge(step: Nudge, isMove: boolean): void {
    this.leave();
    this.cameras.nudge(step, isMove);
  }

  /** The box around all parts, as the model gives it; null without parts. */
  get box(): Box | null {
    const box = this.model.box("all");
    if (box.isEmpty()) return null;
    const [low, high] = [toModel(box.min.toArray()), toModel(box.max.toArray())];
    return { min: [low[0], high[1], low[2]], max: [high[0], low[1], high[2]] }; // the view's third axis goes the other way
  }

  /** What can be picked: the model as it is, though the view moves. */
  get sight(): Sight {
    this.model.simplify(false);
    return this.seen;
  }

  private get seen(): Sight {
    return { cameras: this.cameras, objects: this.model.visible().map(([object]) => object), cut: this.cut, size: this.sphere.radius };
  }

  /** Return what is shown at a point of the picture, in parts of its width and height. */
  hit(x: number, y: number): Hit | null {
    return hitAt(this.sight, x, y);
  }

  /** Return where places are on the picture. */
  spots(places: readonly Point[], isResting: boolean): (Spot | null)[] {
    return spotsOf(this.seen, places, isResting);
  }

  /** Move to another camera. */
  async lookFrom(camera: Camera): Promise<void> {
    this.leave();
    await this.cameras.lookFrom(camera);
  }

  /** Note that the view no longer shows all of the model as at first. */
  private leave(): void {
    [this.isFitted, this.isMoved] = [false, true];
  }

  dispose(): void {
    this.isDisposed = true;
    cancelAnimationFrame(this.frame);
    clearTimeout(this.rest);
    this.cameras.dispose();
    this.renderer.dispose();
  }

  /** Whether nothing moves any more. */
  get isResting(): boolean {
    return this.rest === undefined && this.frame === 0;
  }

  /** Draw again, with fewer pixels as long as something moves, and with all of them once it rests. */
  move(): void {
    if (this.isDisposed) return;
    clearTimeout(this.rest);
    this.setRatio(MOVING_RATIO);
    this.model.simplify(this.cut === null);
    this.rest = setTimeout(() => {
      this.rest = undefined;
      this.setRatio(RESTING_RATIO);
      this.model.finish();
      this.draw();
      if (this.isFitted && this.isOutgrown()) void this.fit(true);
    }, REST_MS);
    if (this.frame === 0) this.frame = requestAnimationFrame((time) => this.next(time));
  }

  private follow(): void {
    for (const follower of this.followers) follower();
    this.move();
  }

  private visibleSphere(): THREE.Sphere {
    return this.model.sphere("visible") ?? this.sphere;
  }

  /** Tell whether what is shown has another size or place than at the last fit, by a twentieth and more. */
  private isOutgrown(): boolean {
    const { fitted, sphere } = this;
    const most = fitted.radius / 20;
    return Math.abs(sphere.radius - fitted.radius) > most || sphere.center.distanceTo(fitted.center) > most;
  }

  private measure(): void {
    const sphere = this.model.sphere("all");
    if (sphere === null) return;
    this.sphere.copy(sphere);
    this.cameras.measure(this.sphere);
  }

  private setRatio(ratio: number): void {
    if (ratio === this.ratio) return;
    this.ratio = ratio;
    this.renderer.setPixelRatio(ratio);
  }

  private next(time: number): void {
    this.frame = 0;
    this.clock.update(time);
    const isMoving = this.cameras.controls.update(Math.min(this.clock.getDelta(), 0.1));
    this.paint();
    this.drawn();
    this.drawn = () => undefined;
    if (isMoving) this.move();
    this.pictured(this.isResting); // a picture may come after the rest that it should come before
  }

  private draw(): void {
    this.cameras.controls.update(0);
    this.paint();
    this.pictured(this.isResting);
  }

  private paint(): void {
    this.cameras.frame();
    this.renderer.render(this.scene, this.cameras.camera);
  }
}
