// Cameras, picking and snapping over a box, without a canvas.
import * as THREE from "../../../edge/catenary_edge/studio/node_modules/three/build/three.module.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { toModel, toView, type Point } from "../../../edge/catenary_edge/studio/src/state/camera.ts";
import { creasesOf } from "../../../edge/catenary_edge/studio/src/state/creases.ts";
import { NAMED_VIEWS } from "../../../edge/catenary_edge/studio/src/state/named_views.ts";
import { keyOf, type Look } from "../../../edge/catenary_edge/studio/src/state/parts.ts";
import { Cameras } from "../../../edge/catenary_edge/studio/src/three/cameras.ts";
import type { Part } from "../../../edge/catenary_edge/studio/src/three/glb.ts";
import { Model } from "../../../edge/catenary_edge/studio/src/three/model.ts";
import { nearby } from "../../../edge/catenary_edge/studio/src/three/nearby.ts";
import { hitAt, spotAt, spotsOf, type Sight } from "../../../edge/catenary_edge/studio/src/three/places.ts";
import { snap } from "../../../edge/catenary_edge/studio/src/three/snapping.ts";

Object.assign(globalThis, { DOMRect: class {} }); // which the controls keep for a canvas

const [WIDTH, HEIGHT] = [800, 600];
const SEEN: Look = { isHidden: false, isMarked: false, color: null };

/** A box of 4 m by 2 m by 6 m on the ground of the model, between (-2, -1, 0) and (2, 1, 6), written as the platform writes it. */
function box(name: string, north = 0): Part {
  const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((at): Point => [at & 1 ? 2 : -2, at & 2 ? 1 : -1, at & 4 ? 3 : -3]);
  const faces = [0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5];
  const matrix = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, ...toView([0, north, 3]), 1];
  return { name, positions: new Float32Array(corners.flatMap(toView)), indices: new Uint16Array(faces), isLines: false, color: [0.5, 0.5, 0.5, 1], doubleSided: false, matrix };
}

/** A view of boxes, from the front. */
async function viewOf(...parts: Part[]): Promise<{ cameras: Cameras; model: Model; sight: () => Sight; frame: () => void }> {
  const model = new Model();
  model.show([{ name: "boxes", parts }], () => SEEN);
  const cameras = new Cameras({ add: () => undefined } as never, undefined, () => undefined);
  cameras.resize(WIDTH, HEIGHT);
  const sphere = model.sphere("all")!;
  cameras.measure(sphere);
  const frame = () => {
    for (let at = 0; at < 200; at += 1) cameras.controls.update(0.05);
    cameras.frame();
    cameras.camera.updateMatrixWorld();
  };
  void cameras.turn(NAMED_VIEWS[0]!);
  void cameras.fit(sphere, true);
  frame();
  return { cameras, model, frame, sight: () => ({ cameras, objects: model.visible().map(([object]) => object), cut: null, size: sphere.radius }) };
}

const near = (found: readonly number[], wanted: readonly number[], most = 1e-3) =>
  found.forEach((one, axis) => assert.ok(Math.abs(one - wanted[axis]!) < most, `${found} is not ${wanted}`));
const spot = (cameras: Cameras, place: Point) => {
  const { x, y } = spotAt(cameras, toView(place))!;
  return [x * WIDTH, y * HEIGHT] as const;
};

/** A plane that cuts away what is farther south than a place. */
function planeAt(north: number): THREE.Plane {
  return new THREE.Plane(new THREE.Vector3(0, 0, -1), -north);
}

test("from the front X goes right and Z up", async () => {
  const { cameras } = await viewOf(box("a"));
  const [left, right] = [spot(cameras, [-2, -1, 0]), spot(cameras, [2, -1, 6])];
  assert.ok(left[0] < 400 && right[0] > 400 && left[1] > 300 && right[1] < 300, `${left} ${right}`);
  near([left[0] + right[0], left[1] + right[1]], [WIDTH, HEIGHT], 0.1);
});

test("the axes turn with the view", async () => {
  const { cameras, frame } = await viewOf(box("a"));
  near(cameras.axes[0]!, [1, 0, 0]);
  near(cameras.axes[1]!, [0, 0, -1]);
  near(cameras.axes[2]!, [0, 1, 0]);
  void cameras.turn(NAMED_VIEWS.find((one) => one.name === "top")!);
  frame();
  near(cameras.axes[1]!, [0, 1, 0]);
});

test("the projections show the target at one size", async () => {
  const { cameras, frame } = await viewOf(box("a"));
  const size = () => spot(cameras, [0, 0, 0])[1] - spot(cameras, [0, 0, 6])[1];
  const before = size();
  assert.ok(before > 200);
  for (const projection of ["orthographic", "perspective", "orthographic"] as const) {
    cameras.project(projection);
    frame();
    near([size()], [before], 0.01);
  }
  cameras.nudge("closer", false);
  frame();
  assert.ok(size() > before * 1.2);
  const closer = size();
  cameras.project("perspective");
  frame();
  near([size()], [closer], 0.01);
});

test("a camera comes back with its projection and height", async () => {
  const { cameras, frame } = await viewOf(box("a"));
  cameras.project("orthographic");
  cameras.nudge("closer", false);
  cameras.nudge("right", false);
  frame();
  const kept = cameras.look();
  const before = spot(cameras, [2, 1, 6]);
  assert.equal(kept.projection, "orthographic");
  cameras.project("perspective");
  cameras.nudge("up", false);
  cameras.nudge("farther", false);
  frame();
  void cameras.lookFrom(kept);
  frame();
  near(spot(cameras, [2, 1, 6]), before, 0.05);
  near([cameras.look().height!], [kept.height!]);
});

for (const projection of ["perspective", "orthographic"] as const) {
  test(`the ${projection} view finds what is under the pointer`, async () => {
    const { cameras, frame, sight } = await viewOf(box("a"), box("b", 10));
    cameras.project(projection);
    frame();
    const hit = hitAt(sight(), 0.5, 0.5)!;
    assert.deepEqual([hit.geometry, hit.part], ["boxes", "a"]);
    near([toModel(hit.place)[1]], [-1]);
    assert.equal(hitAt(sight(), 0.01, 0.01), null);
    const [front, behind] = spotsOf(sight(), [toView([0, -1, 3]), toView([0, 9, 3])], true);
    assert.deepEqual([front!.isHidden, behind!.isHidden], [false, true]);
  });

  test(`the ${projection} view snaps to the end of an edge`, async () => {
    const { cameras, frame, sight } = await viewOf(box("a"));
    cameras.project(projection);
    frame();
    const [x, y] = spot(cameras, [2, -1, 6]);
    const end = snap(sight(), (x - 6) / WIDTH, (y + 6) / HEIGHT, WIDTH, HEIGHT)!;
    assert.ok(end.isEnd);
    near(toModel(end.place), [2, -1, 6]);
    const off = snap(sight(), (x - 20) / WIDTH, (y + 20) / HEIGHT, WIDTH, HEIGHT)!;
    assert.ok(!off.isEnd);
    near([toModel(off.place)[1]], [-1]);
    assert.equal(snap(sight(), 0.01, 0.01, WIDTH, HEIGHT), null);
  });
}

/** A box whose faces are cut into many triangles, at the place of another. */
function fineBox(name: string): Part {
  const { matrix } = box(name);
  const fine = new THREE.BoxGeometry(4, 6, 2, 100, 100, 100);
  const [positions, indices] = [fine.getAttribute("position").array as Float32Array, Uint32Array.from(fine.getIndex()!.array)];
  return { ...box(name), matrix, positions, indices };
}

for (const projection of ["perspective", "orthographic"] as const) {
  test(`the ${projection} view takes places of a part of very many triangles`, async () => {
    const { cameras, frame, sight, model } = await viewOf(fineBox("a"));
    cameras.project(projection);
    void cameras.turn({ azimuth: 0.5, polar: 1.2 });
    frame();
    for (const [x, y] of [[0.5, 0.5], [0.43, 0.3], [0.56, 0.71], [0.02, 0.02]] as const) {
      assert.deepEqual(hitAt(nearby(sight(), x, y, 0.01, 0.01), x, y)?.place, hitAt(sight(), x, y)?.place);
    }
    const [x, y] = spot(cameras, [2, -1, 6]);
    const taken = () => snap(sight(), (x - 3) / WIDTH, (y + 5) / HEIGHT, WIDTH, HEIGHT)!;
    assert.ok(!taken().isEnd, "its edges were not looked for");
    const [[object, mesh]] = model.unedged() as [ReturnType<Model["unedged"]>[number]];
    model.keepEdges(object, { ...mesh }, new Float32Array(6));
    assert.equal(model.keptEdges, 0, "those of another mesh are passed over");
    model.keepEdges(object, mesh, creasesOf(mesh)!);
    assert.deepEqual([model.keptEdges, model.unedged().length], [12, 0]);
    assert.ok(taken().isEnd);
    near(toModel(taken().place), [2, -1, 6]);
    const [east, high] = spot(cameras, [-2, 1, 0]);
    assert.ok(!snap(sight(), east / WIDTH, high / HEIGHT, WIDTH, HEIGHT)?.isEnd, "the model hides its far corner");
  });
}

test("a hidden part is passed over", async () => {
  const { model, sight } = await viewOf(box("a"), box("b", 10));
  model.dress((_, part) => ({ ...SEEN, isHidden: part === "a" }));
  assert.equal(hitAt(sight(), 0.5, 0.5)!.part, "b");
});

test("what is cut away is passed over, and a cut face found", async () => {
  const { sight } = await viewOf(box("a"), box("b", 10));
  const cutAt = (north: number): Sight => ({ ...sight(), cut: planeAt(north) });
  const met = (north: number) => {
    const hit = hitAt(cutAt(north), 0.5, 0.5)!;
    return [hit.part, Math.round(toModel(hit.place)[1] * 1e3) / 1e3];
  };
  assert.deepEqual(met(-3), ["a", -1]);
  assert.deepEqual(met(0.5), ["a", 0.5], "within the first box");
  assert.deepEqual(met(5), ["b", 9], "between the boxes");
  assert.deepEqual(met(10), ["b", 10]);
  assert.equal(hitAt(cutAt(20), 0.5, 0.5), null);
  const spots = spotsOf(cutAt(0), [toView([0, 0, 3]), toView([0, 0.9, 3])], true);
  assert.deepEqual(spots.map((one) => one!.isHidden), [false, true], "a cut face hides what is behind it");
});

test("a click snaps to the corner of a cut face", async () => {
  const { cameras, sight } = await viewOf(box("a"));
  const [x, y] = spot(cameras, [2, 0.25, 6]);
  const found = snap({ ...sight(), cut: planeAt(0.25) }, (x - 3) / WIDTH, (y + 3) / HEIGHT, WIDTH, HEIGHT)!;
  assert.ok(found.isEnd);
  near(toModel(found.place), [2, 0.25, 6]);
});

test("the box of a part is that of its name alone", async () => {
  const { model } = await viewOf(box("a"), box("b", 10));
  const { min, max } = model.box({ key: keyOf("boxes", "b") });
  near([...toModel(min.toArray()), ...toModel(max.toArray())], [-2, 11, 0, 2, 9, 6]);
  assert.ok(model.box({ key: keyOf("boxes", "c") }).isEmpty());
});

test("another design of the same parts keeps objects and looks", async () => {
  const { model } = await viewOf(box("a"), box("b", 10));
  const before = model.visible().map(([object]) => object);
  assert.equal(model.show([{ name: "boxes", parts: [box("a"), box("b", 20)] }], (_, part) => ({ ...SEEN, isHidden: part === "a" })), false);
  const after = model.visible().map(([object]) => object);
  assert.deepEqual(after, [before[1]]);
  near([toModel(model.box("visible").min.toArray())[1]], [21]);
});

test("a model of very many triangles moves as a coarse one", async () => {
  const side = 400;
  const positions = new Float32Array(side * side * 3);
  const indices = new Uint32Array((side - 1) ** 2 * 6);
  for (let at = 0; at < side * side; at += 1) positions.set([at % side, 0, Math.floor(at / side)], at * 3);
  for (let at = 0, corner = 0; corner < side * (side - 1); corner += 1) {
    if (corner % side === side - 1) continue;
    indices.set([corner, corner + side, corner + 1, corner + 1, corner + side, corner + side + 1], at);
    at += 6;
  }
  const field = { ...box("field"), positions, indices };
  const { model } = await viewOf(field);
  const [[object]] = model.visible() as [[{ geometry: { getIndex(): { count: number } } }, Part]];
  const triangles = () => object.geometry.getIndex().count / 3;
  model.simplify(true);
  assert.equal(triangles(), indices.length / 3, "before a rest there is no stand-in");
  model.finish();
  const whole = model.box("all");
  model.simplify(true);
  model.simplify(true);
  assert.ok(triangles() > 5000 && triangles() < 75_000, String(triangles()));
  assert.deepEqual(model.box("all"), whole);
  model.simplify(false);
  assert.equal(triangles(), indices.length / 3);
  model.simplify(true);
  model.show([{ name: "boxes", parts: [field] }], () => SEEN);
  assert.equal(triangles(), indices.length / 3, "another design is shown as it is");
  model.simplify(true);
  assert.equal(triangles(), indices.length / 3, "the stand-in of the former is forgotten");
});
