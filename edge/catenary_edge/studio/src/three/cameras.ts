// The cameras of the view: a perspective and an orthographic one under the same controls, with what they are moved to.
import CameraControls from "camera-controls";
import * as THREE from "three";
import type { Camera } from "../api/types.ts";
import { cameraOf, distanceFor, heightAt, poseOf, shownHeight, toView, type Point, type Projection } from "../state/camera.ts";
import { HOME, nearestAngle, type Direction } from "../state/named_views.ts";

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

const FOV_DEGREES = 35;
/** What is drawn reaches so much over the sphere around the model. */
const MARGIN = 1.05;
/** Pixels at the top of the picture that its buttons take; of a low picture a fifth at most. */
const BUTTONS = 52;
const NUDGE = Math.PI / 12;

/** Steps by which keys move the view. */
export type Nudge = "left" | "right" | "up" | "down" | "closer" | "farther";

export class Cameras {
  readonly controls: CameraControls;
  projection: Projection = "perspective";
  private readonly perspective = new THREE.PerspectiveCamera(FOV_DEGREES, 1, 0.1, 1000);
  private readonly orthographic = new THREE.OrthographicCamera();
  private readonly light = new THREE.DirectionalLight(0xffffff, 2.2);
  private readonly calm = typeof matchMedia === "function" ? matchMedia("(prefers-reduced-motion: reduce)") : null;
  private aspect = 1;
  /** How much larger than a model the sphere is that is fitted, so that the model stays below the buttons. */
  private roominess = 1;
  /** Half the height that the orthographic camera shows at a zoom of 1. */
  private half = 1;
  /** The sphere around all that is shown, which the near and far planes enclose. */
  private readonly sphere = new THREE.Sphere(new THREE.Vector3(), 1);

  constructor(
    scene: THREE.Scene,
    canvas: HTMLCanvasElement | undefined,
    /** Called when the view has to be drawn again. */
    private readonly moved: () => void,
  ) {
    scene.add(this.perspective, this.orthographic);
    this.perspective.add(this.light, this.light.target);
    this.light.position.set(-0.15, 0.2, 1); // from behind the viewer, wherever the model is
    const controls = (this.controls = new CameraControls(this.perspective, canvas));
    controls.smoothTime = 0.12;
    controls.draggingSmoothTime = 0.04;
    controls.dollyToCursor = true;
    controls.azimuthAngle = HOME.azimuth;
    controls.polarAngle = HOME.polar;
    for (const event of ["control", "controlstart", "transitionstart", "wake"] as const) controls.addEventListener(event, () => this.moved());
  }

  get camera(): THREE.PerspectiveCamera | THREE.OrthographicCamera {
    return this.projection === "perspective" ? this.perspective : this.orthographic;
  }

  /** The height that is shown where the camera looks. */
  get height(): number {
    return this.projection === "perspective" ? heightAt(this.controls.distance, FOV_DEGREES) : (2 * this.half) / this.orthographic.zoom;
  }

  /** The direction from what is looked at to the camera, in the view. */
  get direction(): THREE.Vector3 {
    const { controls } = this;
    return controls.getPosition(new THREE.Vector3()).sub(controls.getTarget(new THREE.Vector3())).normalize();
  }

  /** Where the model's axes X, Y and Z point on the picture: to the right, up and towards the viewer, as parts of 1. */
  get axes(): Point[] {
    const turn = this.camera.quaternion.clone().invert();
    return ([[1, 0, 0], [0, 1, 0], [0, 0, 1]] as Point[]).map((axis) => new THREE.Vector3(...toView(axis)).applyQuaternion(turn).toArray());
  }

  /** Follow the size of the picture in pixels. */
  resize(width: number, height: number): void {
    this.aspect = width / height;
    this.roominess = Math.max(1, Math.min(width, height) / (height - 2 * Math.min(BUTTONS, height / 5)));
    this.shape();
  }

  /** Follow the size of the model: how near and how far one can go. */
  measure(sphere: THREE.Sphere): void {
    this.sphere.copy(sphere);
    this.limit();
  }

  /** Put the planes around the model; to be called before each picture. */
  frame(): void {
    const { perspective, orthographic, sphere } = this;
    const radius = Math.max(sphere.radius, 1e-6) * MARGIN;
    const away = sphere.center.clone().sub(this.camera.position);
    const depth = away.dot(this.camera.getWorldDirection(new THREE.Vector3()));
    perspective.near = Math.max(depth - radius, this.controls.distance / 50);
    perspective.far = Math.max(depth + radius, perspective.near * 2);
    [orthographic.near, orthographic.far] = [depth - radius, depth + radius];
    this.camera.updateProjectionMatrix();
  }

  /** Give both cameras the shape of the picture. */
  private shape(): void {
    const { perspective, orthographic, half, aspect } = this;
    perspective.aspect = aspect;
    [orthographic.top, orthographic.bottom, orthographic.left, orthographic.right] = [half, -half, -half * aspect, half * aspect];
  }

  /** Change the projection; what is looked at keeps its size. */
  project(projection: Projection): void {
    if (projection === this.projection) return;
    const { controls } = this;
    const { height } = this;
    this.projection = projection;
    const isFlat = projection === "orthographic";
    if (isFlat) this.half = height / 2;
    this.shape();
    this.camera.add(this.light, this.light.target);
    controls.camera = this.camera;
    controls.mouseButtons.wheel = controls.mouseButtons.middle = isFlat ? CameraControls.ACTION.ZOOM : CameraControls.ACTION.DOLLY;
    controls.touches.two = isFlat ? CameraControls.ACTION.TOUCH_ZOOM_TRUCK : CameraControls.ACTION.TOUCH_DOLLY_TRUCK;
    this.limit();
    void controls.zoomTo(1, false);
    if (!isFlat) void controls.dollyTo(distanceFor(height, FOV_DEGREES), false);
    this.moved();
  }

  /** Bring a sphere into the view, below its buttons. */
  async fit(sphere: THREE.Sphere, smooth: boolean): Promise<void> {
    const done = this.controls.fitToSphere(new THREE.Sphere(sphere.center, sphere.radius * this.roominess), this.isSmooth(smooth));
    this.moved();
    await done;
  }

  /** Look from a direction at what is looked at. */
  async turn({ azimuth, polar }: Direction): Promise<void> {
    const { controls } = this;
    controls.normalizeRotations();
    const turned = controls.rotateTo(nearestAngle(azimuth, controls.azimuthAngle), polar, this.isSmooth(true));
    this.moved();
    await turned;
  }

  /** Turn around what is looked at by two angles, as a drag does. */
  orbit(azimuth: number, polar: number): void {
    void this.controls.rotate(azimuth, polar, false);
    this.moved();
  }

  /** Turn, move or come closer by one step of a key. */
  nudge(step: Nudge, isMove: boolean): void {
    const { controls } = this;
    const smooth = this.isSmooth(true);
    const [x, y] = ({ left: [-1, 0], right: [1, 0], up: [0, -1], down: [0, 1], closer: [0, 0], farther: [0, 0] } as const)[step];
    const by = step === "closer" ? 0.8 : step === "farther" ? 1.25 : 1;
    if (by === 1 && isMove) void controls.truck((x * this.height) / 10, (y * this.height) / 10, smooth);
    else if (by === 1) void controls.rotate(x * NUDGE, y * NUDGE, smooth);
    else if (this.projection === "perspective") void controls.dollyTo(controls.distance * by, smooth);
    else void controls.zoomTo(this.orthographic.zoom / by, smooth);
    this.moved();
  }

  /** Return the present camera. */
  look(): Camera {
    const { controls } = this;
    const [position, target] = [controls.getPosition(new THREE.Vector3()), controls.getTarget(new THREE.Vector3())];
    return cameraOf(position.toArray(), target.toArray(), FOV_DEGREES, this.projection === "perspective" ? null : this.height);
  }

  /** Move to another camera, with its projection. */
  async lookFrom(camera: Camera): Promise<void> {
    const pose = poseOf(camera, FOV_DEGREES);
    if (pose === null) return;
    this.project(camera.projection);
    const smooth = this.isSmooth(true);
    const moved = [this.controls.setLookAt(...pose.position, ...pose.target, smooth)];
    if (this.projection === "orthographic") moved.push(this.controls.zoomTo((2 * this.half) / shownHeight(camera), smooth));
    this.moved();
    await Promise.all(moved);
  }

  /** Return where a ray from the viewer to a place begins: at the camera, or where the model begins before it. */
  eye(place: Point): THREE.Vector3 {
    if (this.projection === "perspective") return this.perspective.position.clone();
    const found = new THREE.Vector3(...place);
    const back = this.orthographic.getWorldDirection(new THREE.Vector3());
    return found.addScaledVector(back, this.orthographic.near - found.clone().sub(this.orthographic.position).dot(back));
  }

  dispose(): void {
    this.controls.dispose();
  }

  private isSmooth(wanted: boolean): boolean {
    return wanted && !this.calm?.matches;
  }

  private limit(): void {
    const { controls, sphere } = this;
    const radius = Math.max(sphere.radius, 1e-6);
    controls.minDistance = radius / 1000;
    controls.maxDistance = radius * 20;
    const isFlat = this.projection === "orthographic";
    controls.minZoom = isFlat ? (2 * this.half) / heightAt(controls.maxDistance, FOV_DEGREES) : 1e-3;
    controls.maxZoom = isFlat ? (2 * this.half) / heightAt(controls.minDistance, FOV_DEGREES) : 1e3;
  }
}
