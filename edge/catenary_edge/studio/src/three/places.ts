// Places in the 3D view: what is under the pointer, and where a place is on the picture.
import * as THREE from "three";
import type { Point } from "../state/camera.ts";
import type { Cameras } from "./cameras.ts";
import type { Drawn } from "./model.ts";

/** Triangles that are looked at when the view rests, to tell which places are hidden: more would be felt. */
const MAX_TESTED = 4_000_000;

/** What was hit: the place in the view, and the names of its geometry and part. */
export interface Hit {
  place: Point;
  geometry: string;
  part: string;
}

/** Where a place is on the picture, in parts of its width and height from the upper left; null behind the camera. */
export interface Spot {
  x: number;
  y: number;
  isHidden: boolean;
}

/** What is looked at: the objects that are not hidden, what a section leaves of them, and their size. */
export interface Sight {
  cameras: Cameras;
  objects: readonly Drawn[];
  cut: THREE.Plane | null;
  size: number;
}

/** What a ray meets: a surface, or the cut face of a solid. */
interface Met {
  object: THREE.Object3D;
  point: THREE.Vector3;
  distance: number;
}

const BOTH_SIDES = new THREE.MeshBasicMaterial({ side: THREE.DoubleSide });

/** Return what a ray meets first of each object that a section leaves; what is cut away is passed over. */
function metBy(ray: THREE.Raycaster, objects: readonly Drawn[], cut: THREE.Plane | null): Met[] {
  if (cut === null) return ray.intersectObjects([...objects], false);
  const onPlane = ray.ray.intersectPlane(cut, new THREE.Vector3());
  const { origin, direction } = ray.ray;
  const isCutOpen = onPlane !== null && cut.distanceToPoint(origin) < 0;
  const { far } = ray;
  ray.far = Infinity; // a cut face is known by the back that lies behind it
  const met = objects.flatMap((object): Met[] => {
    if (!(object instanceof THREE.Mesh) || object.material.side === THREE.DoubleSide) return left(ray.intersectObject(object, false), cut);
    const { material } = object;
    object.material = BOTH_SIDES;
    const [first] = left(ray.intersectObject(object, false), cut);
    object.material = material;
    const isBack = first?.normal !== undefined && first.normal.dot(direction) > 0; // the translations of parts keep normals
    if (first === undefined || !isBack) return first ? [first] : [];
    // The back of a closed solid is seen through its cut face alone.
    const distance = onPlane?.distanceTo(origin) ?? Infinity;
    return isCutOpen && distance <= first.distance ? [{ object, point: onPlane, distance }] : [];
  });
  return met.filter(({ distance }) => distance <= far);
}

/** Return what a section leaves of what was met. */
function left(found: THREE.Intersection[], cut: THREE.Plane) {
  return found.filter(({ point }) => cut.distanceToPoint(point) >= 0).map((one) => ({ ...one, normal: one.face?.normal }));
}

/** Return what is nearest at a point of the picture, cut faces too, in parts of its width and height. */
export function hitAt({ cameras, objects, cut, size }: Sight, x: number, y: number): Hit | null {
  const { camera } = cameras;
  const ray = new THREE.Raycaster();
  ray.params.Line.threshold = size / 200;
  ray.setFromCamera(new THREE.Vector2(x * 2 - 1, 1 - y * 2), camera);
  if (camera instanceof THREE.OrthographicCamera) ray.ray.origin.addScaledVector(ray.ray.direction, camera.near); // the model may reach behind the camera
  const met = metBy(ray, objects, cut);
  if (met.length === 0) return null;
  const hit = met.reduce((nearest, one) => (one.distance < nearest.distance ? one : nearest));
  const { x: east, y: up, z: south } = hit.point;
  return { place: [east, up, south], geometry: hit.object.parent?.name ?? "", part: hit.object.name };
}

/** Return whether the model hides a place that lies by so much behind its surface. */
export function isHidden({ cameras, objects, cut }: Sight, place: Point, depth: number): boolean {
  const eye = cameras.eye(place);
  const away = new THREE.Vector3(...place).sub(eye);
  const distance = away.length();
  const meshes = objects.filter((one) => one instanceof THREE.Mesh);
  const ray = new THREE.Raycaster(eye, away.divideScalar(distance || 1), 0, Math.max(distance - depth, 0));
  return metBy(ray, meshes, cut).length > 0;
}

/** Return where a place is on the picture; null behind the camera. */
export function spotAt(cameras: Cameras, place: Point): { x: number; y: number } | null {
  const { camera } = cameras;
  const found = new THREE.Vector3(...place);
  if (camera instanceof THREE.PerspectiveCamera && found.clone().applyMatrix4(camera.matrixWorldInverse).z >= 0) return null;
  found.project(camera);
  return { x: (found.x + 1) / 2, y: (1 - found.y) / 2 };
}

/** Return how many triangles are looked at. */
export function trianglesOf({ objects }: Sight): number {
  return objects.reduce((sum, one) => sum + (one instanceof THREE.Mesh ? (one.geometry.getIndex()?.count ?? 0) / 3 : 0), 0);
}

/** Return where places are on the picture. With `isResting` those behind the model are found out. */
export function spotsOf(sight: Sight, places: readonly Point[], isResting: boolean): (Spot | null)[] {
  const isTested = isResting && trianglesOf(sight) * places.length <= MAX_TESTED;
  return places.map((place) => {
    const spot = spotAt(sight.cameras, place);
    return spot && { ...spot, isHidden: isTested && isHidden(sight, place, sight.size / 100) };
  });
}
