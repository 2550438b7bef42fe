import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "../../../edge/catenary_edge/studio/src/api/client.ts";
import type { ModelVersion } from "../../../edge/catenary_edge/studio/src/api/types.ts";
import { Editing, hasUnsaved, whyNotHere, withoutLine } from "../../../edge/catenary_edge/studio/src/state/editing.ts";
import { Models, type ModelCalls } from "../../../edge/catenary_edge/studio/src/state/models.ts";

const version = (number: number, given: Partial<ModelVersion> = {}): ModelVersion =>
  ({ model_version_id: `v${number}`, model_id: "a", number, status: "ready", kind: "python", size: 3, error: null, warnings: [], parameters: [], ...given }) as ModelVersion;

/** A model of one version, whose file is given, over a server that checks each text as it is told. */
async function opened(source: string, given: Partial<ModelVersion> = {}) {
  const sent: string[] = [];
  const keys: string[] = [];
  const server = {
    stored: [version(1, given)],
    next: {} as Partial<ModelVersion>,
    failures: [] as Error[],
    models: async () => [{ model_id: "a", name: "Beam", created_at: "" }],
    versions: async () => server.stored,
    deployments: async () => ({ rows: [], next: null }),
    source: async () => new TextEncoder().encode(source).buffer,
    upload: async (_: string, file: Blob, type: string, key: string) => {
      sent.push(`${type} ${await file.text()}`);
      keys.push(key);
      const failure = server.failures.shift();
      if (failure) throw failure;
      return version(server.stored.length + 1, { status: "uploaded" });
    },
    version: async ({ model_version_id }: ModelVersion) => version(Number(model_version_id.slice(1)), server.next),
  };
  const models = new Models(server as unknown as ModelCalls, () => undefined);
  await models.load();
  return { server, models, sent, keys, editing: await Editing.open(models, models.find("v1")!) };
}

test("a text that is checked is a new version, with the file's ends of lines", async () => {
  const { editing, sent } = await opened("one\r\ntwo");
  assert.equal(editing.text, "one\ntwo");
  assert.ok(!editing.isUnsaved && editing.isReady);
  editing.change("one\nthree");
  assert.ok(editing.isUnsaved && hasUnsaved());
  const found = await editing.check();
  assert.deepEqual(sent, ["text/x-python one\r\nthree"]);
  assert.deepEqual([found.number, found.status, editing.isUnsaved, hasUnsaved()], [2, "ready", false, false]);
});

test("a text that is a version already is sent no more", async () => {
  const { editing, sent } = await opened("one", { kind: "openscad" });
  await editing.check();
  assert.deepEqual(sent, []);
  editing.change("two");
  editing.change("one");
  assert.ok(!editing.isUnsaved && !hasUnsaved());
});

test("faults and remarks of the check stand at their lines", async () => {
  const { editing, server } = await opened("x");
  server.next = { status: "failed", error: { code: "MODEL_FAILED", message: "invalid syntax", line: 3 }, warnings: ["line 2: unit ‘mtr’ is unknown", "no line"] };
  editing.change("y");
  await editing.check();
  assert.ok(!editing.isReady);
  assert.deepEqual(editing.findings, [
    { line: 3, message: "invalid syntax", isFault: true },
    { line: 2, message: "line 2: unit ‘mtr’ is unknown", isFault: true },
  ]);
  assert.equal(withoutLine(editing.findings[1]!.message), "unit ‘mtr’ is unknown");
  server.next = { status: "ready", warnings: ["OpenSCAD: WARNING: Ignoring unknown module, line 7"] };
  editing.change("z");
  await editing.check();
  assert.deepEqual(editing.findings, [{ line: 7, message: "OpenSCAD: WARNING: Ignoring unknown module, line 7", isFault: false }]);
  assert.equal(withoutLine(editing.findings[0]!.message), editing.findings[0]!.message);
});

test("a text that could not be sent stays, and goes again under its key", async () => {
  const { editing, server, keys } = await opened("x");
  server.failures = [new ApiError(0, "UNREACHABLE", "The server can't be reached."), new ApiError(0, "UNREACHABLE", "")];
  editing.change("y");
  await assert.rejects(editing.check(), /can't be reached/);
  await assert.rejects(editing.check());
  editing.change("z");
  await editing.check();
  assert.equal(keys[0], keys[1]);
  assert.notEqual(keys[1], keys[2]);
});

test("a newer version of somebody else is told before a text replaces it", async () => {
  const { editing, server, models, sent } = await opened("x");
  editing.change("mine");
  server.stored = [version(2), ...server.stored];
  await models.hear("model.version.ready", "a");
  assert.equal(editing.newer?.number, 2);
  await assert.rejects(editing.check(), /Version 2 was uploaded meanwhile/);
  editing.goOn();
  assert.equal(editing.newer, null);
  await editing.check();
  assert.deepEqual(sent, ["text/x-python mine"]);
});

test("a text that is in no version is there again when the version is opened again", async () => {
  const { editing, models } = await opened("x");
  editing.change("mine");
  const again = await Editing.open(models, models.find("v1")!);
  assert.deepEqual([again.text, again.isUnsaved], ["mine", true]);
  again.drop();
  assert.deepEqual([again.text, hasUnsaved()], ["x", false]);
});

test("an empty text, a zip and a large file are refused in words", async () => {
  const { editing, models } = await opened("x");
  editing.change("  \n");
  await assert.rejects(editing.check(), /text is empty/);
  editing.drop();
  assert.match(whyNotHere(version(1, { kind: "zip" })), /changed outside/);
  assert.match(whyNotHere(version(1, { size: 2e6 })), /2 MB is changed outside/);
  await assert.rejects(Editing.open(models, version(1, { kind: "zip" })), /download it/);
});
