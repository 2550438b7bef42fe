import assert from "node:assert/strict";
import { test } from "node:test";
import { Client, refusalOf } from "../../../edge/catenary_edge/studio/src/api/client.ts";
import { readAddress, rewritten, valuesOf } from "../../../edge/catenary_edge/studio/src/state/address.ts";
import { BEGINNING } from "../../../edge/catenary_edge/studio/src/state/beside.ts";
import * as format from "../../../edge/catenary_edge/studio/src/state/format.ts";
import { History } from "../../../edge/catenary_edge/studio/src/state/history.ts";
import { readGlb } from "../../../edge/catenary_edge/studio/src/three/glb.ts";
import { parameter } from "./parameters.ts";

test("an address brings back the values off their defaults", () => {
  const all = [parameter("project"), parameter("grade", { type: "choice", default: "S355" })];
  const written = rewritten("#project=id", "id", all, { project: 2.5, grade: "S 235 &=#" });
  const read = readAddress(written!)!;
  assert.equal(read.projectId, "id");
  assert.deepEqual(valuesOf(read, all), { project: 2.5, grade: "S 235 &=#" });
  assert.equal(rewritten(written!, "id", all, { project: 1, grade: "S355" }), "#project=id");
  assert.deepEqual(read.beside, BEGINNING);
  assert.equal(readAddress(rewritten(written!, "id", all, {}, { designs: "batch:b" })!)!.beside.designs, "batch:b");
});

test("an address that its reader has left is not written over", () => {
  for (const fragment of ["", "#", "#project=other", "#variant=v"]) assert.equal(rewritten(fragment, "id", [], {}), null);
});

test("an address without a project or with nonsense is passed over", () => {
  assert.equal(readAddress(""), null);
  assert.equal(readAddress("#share=x"), null);
  assert.deepEqual(valuesOf(readAddress("#project=id&p.a={&p.gone=1")!, [parameter("a")]), {});
});

test("a refusal gives each parameter its own message", () => {
  const found = refusalOf(400, {
    error: { code: "X", message: "both", details: { parameter: "a", violations: [{ parameter: "a", message: "1" }, { parameter: "b", message: "2" }] } },
  });
  assert.deepEqual([...found.byParameter], [["a", "1"], ["b", "2"]]);
  assert.equal(refusalOf(502, null).message, "The server answered with status 502.");
});

test("a client follows an evaluation until it ends", async () => {
  const paths: string[] = [];
  const answers = ["queued", "running", "completed"];
  const client = new Client({ kind: "api_key", value: "k" }, async (path, init) => {
    paths.push(`${new Headers(init.headers).get("X-API-Key")} ${init.method ?? "GET"} ${path}`);
    return Response.json({ data: { evaluation: { evaluation_id: "e", status: answers.shift() } } });
  });
  assert.equal((await client.evaluate("p", {})).status, "completed");
  assert.deepEqual(paths, ["k POST /v1/projects/p/evaluate", "k GET /v1/evaluations/e", "k GET /v1/evaluations/e"]);
});

test("a file is sent under its type and key, and a draft evaluated by its id", async () => {
  const asked: string[] = [];
  const client = new Client({ kind: "token", value: "t" }, async (path, init) => {
    const headers = new Headers(init.headers);
    asked.push(`${init.method} ${path} ${headers.get("Content-Type")} ${headers.get("Idempotency-Key")} ${await new Response(init.body).text()}`);
    return Response.json({ data: { model_version: { number: 1 }, evaluation: { status: "completed" } } });
  });
  assert.deepEqual(await client.upload("/v1/x", "model_version", new Blob(["text"]), "text/x-python", "k"), { number: 1 });
  await client.evaluate("p", { a: 1 }, undefined, "v");
  assert.deepEqual(asked, [
    "POST /v1/x text/x-python k text",
    'POST /v1/projects/p/evaluate application/json null {"parameters":{"a":1},"model_version_id":"v"}',
  ]);
});

test("a credential that ended is told and a lost connection named", async () => {
  let ended = 0;
  const refused = new Client({ kind: "token", value: "t" }, async () => Response.json({ error: { message: "no" } }, { status: 401 }), () => (ended += 1));
  await assert.rejects(refused.projects(), /no/);
  assert.equal(ended, 1);
  const lost = new Client({ kind: "token", value: "t" }, async () => { throw new TypeError("failed"); });
  await assert.rejects(lost.projects(), /can't be reached/);
});

test("a new state after an undo drops what was undone", () => {
  const history = new History(0, 3);
  for (const state of [1, 2, 3]) history.push(state);
  assert.equal(history.undo(), 2);
  assert.equal(history.undo(), 1);
  assert.equal(history.undo(), 1, "the oldest states are dropped");
  history.push(9);
  assert.ok(!history.canRedo);
});

test("numbers and units are written for people", () => {
  assert.equal(format.number(15172.4), "15\u2009172");
  assert.equal(format.number(0.588812), "0.58881");
  assert.equal(format.number(-2.5), "-2.5");
  assert.equal(format.number(1.5e-7), "1.500 × 10^-7");
  assert.equal(format.number(null), "–");
  assert.equal(format.unit("kN/m2"), "kN/m²");
  assert.equal(format.unit("deg"), "°");
  assert.equal(format.measure("3", "deg"), "3°");
  assert.equal(format.measure("3", "m2"), "3 m²");
  assert.equal(format.measure("3", null), "3");
  assert.equal(format.title("floor_area"), "Floor area");
});

test("a GLB gives its parts and what is none is refused", () => {
  const json = {
    nodes: [{ name: "plate", mesh: 0, matrix: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 5, 6, 7, 1] }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1, mode: 4, material: 0 }] }],
    materials: [{ pbrMetallicRoughness: { baseColorFactor: [1, 0, 0, 0.5] }, doubleSided: true }],
    accessors: [{ bufferView: 0, componentType: 5126, count: 3, type: "VEC3" }, { bufferView: 1, componentType: 5123, count: 3, type: "SCALAR" }],
    bufferViews: [{ byteOffset: 0, byteLength: 36 }, { byteOffset: 36, byteLength: 6 }],
  };
  const text = new TextEncoder().encode(JSON.stringify(json).padEnd(Math.ceil(JSON.stringify(json).length / 4) * 4));
  const file = new ArrayBuffer(28 + text.length + 44);
  const view = new DataView(file);
  view.setUint32(0, 0x46546c67, true);
  view.setUint32(12, text.length, true);
  view.setUint32(16, 0x4e4f534a, true);
  new Uint8Array(file).set(text, 20);
  new Float32Array(file, 28 + text.length, 9).set([0, 0, 0, 1, 0, 0, 0, 1, 0]);
  new Uint16Array(file, 28 + text.length + 36, 3).set([0, 1, 2]);
  const [part] = readGlb(file);
  assert.deepEqual([part!.name, part!.isLines, part!.doubleSided, part!.color], ["plate", false, true, [1, 0, 0, 0.5]]);
  assert.deepEqual([...part!.indices], [0, 1, 2]);
  assert.equal(part!.positions[3], 1);
  assert.equal(part!.matrix[13], 6);
  assert.throws(() => readGlb(new ArrayBuffer(40)), /no GLB/);
});
