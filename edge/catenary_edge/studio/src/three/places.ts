// Places in the 3D view: what is under the pointer, and where a place is on the picture.
import * as THREE from "three";
import type { Point } from "../state/camera.ts";

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
  distance: number;
}

function visible(model: THREE.Object3D): THREE.Object3D[] {
  return model.children.filter((one) => one.visible).flatMap((one) => one.children);
}

/** Return what is nearest at a point of the picture, in parts of its width and height. */
export function hitAt(camera: THREE.Camera, model: THREE.Object3D, x: number, y: number, size: number): Hit | null {
  const ray = new THREE.Raycaster();
  ray.params.Line.threshold = size / 200;
  ray.setFromCamera(new THREE.Vector2(x * 2 - 1, 1 - y * 2), camera);
  const [hit] = ray.intersectObjects(visible(model), false);
  if (hit === undefined) return null;
  const { x: east, y: up, z: south } = hit.point;
  return { place: [east, up, south], geometry: hit.object.parent?.name ?? "", part: hit.object.name };
}

/** Return where places are on the picture. With `isResting` those behind the model are found out. */
export function spotsOf(camera: THREE.Camera, model: THREE.Object3D, places: readonly Point[], size: number, isResting: boolean): (Spot | null)[] {
  const objects = visible(model).filter((one): one is THREE.Mesh<THREE.BufferGeometry> => one instanceof THREE.Mesh);
  const triangles = objects.reduce((sum, one) => sum + (one.geometry.getIndex()?.count ?? 0) / 3, 0);
  const isTested = isResting && triangles * places.length <= MAX_TESTED;
  return places.map((place) => {
    const found = new THREE.Vector3(...place);
    const distance = found.distanceTo(camera.position);
    const onPicture = found.clone().project(camera);
    if (onPicture.z > 1) return null;
    const spot = { x: (onPicture.x + 1) / 2, y: (1 - onPicture.y) / 2, distance, isHidden: false };
    if (!isTested) return spot;
    const ray = new THREE.Raycaster(camera.position, found.sub(camera.position).normalize(), 0, distance - size / 100);
    return { ...spot, isHidden: ray.intersectObjects(objects, false).length > 0 };
  });
}
