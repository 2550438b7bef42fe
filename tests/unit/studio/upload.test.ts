import assert from "node:assert/strict";
import { test } from "node:test";
import { faultOf, modelName, requestKey, typeOf } from "../../../edge/catenary_edge/studio/src/state/upload.ts";

const file = (name: string, size = 10) => ({ name, size });

test("a file's ending says its media type, in any case", () => {
  assert.equal(typeOf(file("beam.PY")), "text/x-python");
  assert.equal(typeOf(file("a.b.scad")), "application/x-openscad");
  assert.equal(typeOf(file("model.zip")), "application/zip");
  assert.equal(typeOf(file("beam")), undefined);
});

test("a file that can be no model is refused in words before it is sent", () => {
  assert.equal(faultOf(file("beam.py")), "");
  assert.match(faultOf(file("beam.exe")), /can't be a model: choose a Python file/);
  assert.match(faultOf(file("beam.py", 0)), /is empty/);
  assert.match(faultOf(file("beam.zip", 64 * 1024 * 1024 + 1)), /at most 64 MiB/);
  assert.equal(faultOf(file("beam.zip", 64 * 1024 * 1024)), "");
});

test("a model is named by its file, in at most 200 letters", () => {
  assert.equal(modelName(file("truss_bridge.py")), "Truss bridge");
  assert.equal(modelName(file(".py")), "Model");
  assert.equal(modelName(file("<script>.py")), "<script>");
  assert.equal([...modelName(file(`${"🌉".repeat(300)}.py`))].length, 200);
});

test("keys of requests differ", () => {
  assert.match(requestKey(), /^[0-9a-f]{32}$/);
  assert.notEqual(requestKey(), requestKey());
});
