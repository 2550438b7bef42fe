import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "../../../edge/catenary_edge/studio/src/api/client.ts";
import type { Deployment, Model, ModelVersion } from "../../../edge/catenary_edge/studio/src/api/types.ts";
import { Models, type ModelCalls } from "../../../edge/catenary_edge/studio/src/state/models.ts";

const model = (id: string, name = id): Model => ({ model_id: id, name, created_at: "2030-01-01T00:00:00Z" });
const version = (id: string, number: number, given: Partial<ModelVersion> = {}): ModelVersion =>
  ({ model_version_id: id, model_id: "a", number, status: "ready", kind: "python", error: null, warnings: [], parameters: [], ...given }) as ModelVersion;
const deployment = (versionId: string, status: Deployment["status"], given: Partial<Deployment> = {}): Deployment =>
  ({ deployment_id: `${versionId} ${status}`, model_id: "a", model_version_id: versionId, status, error: null, ...given }) as Deployment;
const file = (name: string, content = "x") => new File([content], name);
const tick = () => new Promise((resolve) => setImmediate(resolve));

/** The models of a project over a server with two versions of one model, of which the newer one is deployed. */
class Server implements ModelCalls {
  readonly asked: string[] = [];
  list = [model("a", "Beam")];
  stored = [version("v2", 2), version("v1", 1)];
  deployed = [deployment("v2", "active"), deployment("v1", "retired")];
  /** What the next calls of a kind throw. */
  readonly failures: Record<string, Error[]> = {};
  /** What each look at a version finds. */
  looks: ModelVersion[] = [];

  private note(text: string): void {
    this.asked.push(text);
    const failure = this.failures[text.split(" ")[0]!]?.shift();
    if (failure) throw failure;
  }

  async models(): Promise<Model[]> {
    return this.list;
  }

  async create(name: string): Promise<Model> {
    this.note(`create ${name}`);
    return model("new", name);
  }

  async rename(modelId: string, name: string): Promise<Model> {
    this.note(`rename ${modelId} ${name}`);
    return model(modelId, name);
  }

  async removeModel(modelId: string): Promise<void> {
    this.note(`remove ${modelId}`);
  }

  async versions(modelId: string): Promise<ModelVersion[]> {
    return modelId === "a" ? this.stored : [];
  }

  async upload(modelId: string, { size }: Blob, type: string, key: string): Promise<ModelVersion> {
    this.note(`upload ${modelId} ${size} ${type} ${key}`);
    return version("v3", 3, { status: "uploaded", model_id: modelId });
  }

  async version(_: unknown, seconds: number): Promise<ModelVersion> {
    this.note(`look ${seconds}`);
    return this.looks.shift()!;
  }

  async removeVersion(one: { model_version_id: string }): Promise<void> {
    this.note(`delete ${one.model_version_id}`);
  }

  async source(): Promise<ArrayBuffer> {
    this.note("source");
    return new TextEncoder().encode("one\r\ntwo\nthree").buffer as ArrayBuffer;
  }

  async log(): Promise<string> {
    return "printed";
  }

  async deployments(cursor: string | null) {
    return { rows: cursor === null ? this.deployed : [deployment("v0", "retired"), this.deployed[0]!], next: cursor === null ? "older" : null };
  }

  async undeploy(): Promise<Deployment> {
    this.note("undeploy");
    const ended = this.deployed.find((one) => one.status === "active")!;
    this.deployed = this.deployed.map((one) => (one === ended ? { ...one, status: "retired" } : one));
    return { ...ended, status: "retired" };
  }

  async deploy(modelVersionId: string): Promise<Deployment> {
    this.note(`deploy ${modelVersionId}`);
    this.deployed = [deployment(modelVersionId, "pending"), ...this.deployed];
    return this.deployed[0]!;
  }
}

async function played() {
  const server = new Server();
  const found = { server, changes: 0, models: new Models(server, () => (found.changes += 1), { now: () => 0, later: (_, work) => work(), cancel: () => undefined }) };
  await found.models.load();
  return found;
}

const numbers = (models: Models, modelId = "a") => models.versionsOf(modelId).map((one) => one.number);
const v1 = version("v1", 1);

test("an older version than the deployed one is a roll-back", async () => {
  const { models } = await played();
  assert.equal(models.active?.model_version_id, "v2");
  assert.ok(models.isRollBack(v1));
  assert.ok(!models.isRollBack(version("v3", 3)));
  assert.ok(!models.isRollBack(version("other", 1, { model_id: "b" })));
});

test("a file of a known name is a version of that model", async () => {
  const { server, models } = await played();
  server.looks = [version("v3", 3, { status: "checking" }), version("v3", 3)];
  await models.send(file("beam.py"), null, false);
  assert.match(server.asked[0]!, /^upload a 1 text\/x-python [0-9a-f]{32}$/);
  assert.deepEqual(numbers(models), [3, 2, 1]);
  assert.equal(models.sending, null);
});

test("a file of another name makes a model, and is deployed when that is asked for", async () => {
  const { server, models } = await played();
  server.looks = [version("v3", 3, { model_id: "new" })];
  await models.send(file("roof.scad"), null, true);
  assert.deepEqual(
    server.asked.map((one) => one.split(" ")[0]).filter((one) => one !== "look"),
    ["create", "upload", "deploy"],
  );
  assert.deepEqual(models.list.map((one) => one.name), ["Beam", "Roof"]);
});

test("a file whose check fails before it is deployed is told by its finding alone", async () => {
  const { server, models } = await played();
  server.failures["deploy"] = [new ApiError(409, "CONFLICT", "The version failed its check.")];
  server.looks = [version("v3", 3, { status: "failed" })];
  const made = await models.send(file("beam.py"), null, true);
  assert.equal((await models.checked(made)).status, "failed");
  assert.deepEqual([models.sending, models.deployments.length], [null, 2]);
});

test("a list that was asked for before an upload does not take it away", async () => {
  const { server, models } = await played();
  const answers: ((found: ModelVersion[]) => void)[] = [];
  server.versions = () => new Promise((resolve) => answers.push(resolve));
  const reading = models.hear("model.version.ready", "a");
  server.looks = [version("v3", 3)];
  await models.upload("a", file("beam.py"), "text/x-python");
  for (let i = 0; i < 5; i += 1) await tick();
  answers[0]!([version("v2", 2), version("v1", 1)]);
  await tick();
  answers[1]!([version("v3", 3), version("v2", 2), version("v1", 1)]);
  await reading;
  assert.deepEqual(numbers(models), [3, 2, 1]);
});

test("a file that could not be sent is kept, and sent again under its key", async () => {
  const { server, models } = await played();
  server.failures["upload"] = [new ApiError(0, "UNREACHABLE", "The server can't be reached.")];
  server.looks = [version("v3", 3, { model_id: "new" })];
  await assert.rejects(models.send(file("roof.py"), null, false), /can't be reached/);
  assert.equal(models.sending?.file.name, "roof.py");
  await models.sendAgain();
  const [first, second] = server.asked.filter((one) => one.startsWith("upload"));
  assert.equal(first, second);
  assert.equal(server.asked.filter((one) => one.startsWith("create")).length, 1);
  assert.equal(models.sending, null);
});

test("a refused file is not kept to be sent again", async () => {
  const { server, models } = await played();
  await assert.rejects(models.send(file("roof.txt"), null, false), /can't be a model/);
  server.failures["upload"] = [new ApiError(400, "VALIDATION_ERROR", "not UTF-8")];
  await assert.rejects(models.send(file("beam.py"), null, false), /UTF-8/);
  assert.equal(models.sending, null);
  await assert.rejects(models.sendAgain(), /choose one/);
});

test("a check is followed to its end, ever more rarely", async () => {
  const { server, models } = await played();
  const running = version("v3", 3, { status: "checking" });
  server.looks = [running, running, version("v3", 3, { status: "failed" })];
  server.failures["look"] = [new ApiError(0, "UNREACHABLE", "")];
  await models.upload("a", file("beam.py"), "text/x-python");
  for (let i = 0; i < 20; i += 1) await tick();
  assert.deepEqual(server.asked.slice(1), ["look 1", "look 1", "look 2", "look 4"]);
  assert.equal(models.find("v3")?.status, "failed");
});

test("a version that is gone is followed no more", async () => {
  const { server, models } = await played();
  server.failures["look"] = [new ApiError(404, "NOT_FOUND", "")];
  await models.upload("a", file("beam.py"), "text/x-python");
  for (let i = 0; i < 5; i += 1) await tick();
  assert.deepEqual(server.asked.slice(1), ["look 1"]);
});

test("a deployment that waits or failed is told at its version", async () => {
  const { server, models } = await played();
  await models.deploy(v1);
  assert.equal(models.troubled(v1)?.status, "pending");
  server.deployed = [deployment("v1", "failed", { error: { code: "CONFLICT", message: "replaced", line: null } }), deployment("v2", "active")];
  await models.hear("model.deployment.changed", undefined);
  assert.equal(models.troubled(v1)?.error?.message, "replaced");
  assert.equal(models.troubled(version("v2", 2)), null);
});

test("a refused change leaves the lists as they were", async () => {
  const { server, models } = await played();
  const refusal = () => [new ApiError(409, "CONFLICT", "is deployed")];
  for (const kind of ["delete", "remove", "rename", "deploy"]) server.failures[kind] = refusal();
  const [beam] = models.list;
  await assert.rejects(models.removeVersion(version("v2", 2)), /deployed/);
  await assert.rejects(models.removeModel(beam!), /deployed/);
  await assert.rejects(models.rename(beam!, "x"), /deployed/);
  await assert.rejects(models.deploy(v1), /deployed/);
  assert.deepEqual([numbers(models), models.list[0]!.name, models.deployments.length], [[2, 1], "Beam", 2]);
  await models.rename(beam!, " Girder ");
  await models.removeVersion(v1);
  assert.deepEqual([numbers(models), models.list[0]!.name], [[2], "Girder"]);
});

test("a version that others uploaded comes with the event of its check", async () => {
  const { server, models } = await played();
  server.stored = [version("v3", 3), ...server.stored];
  await models.hear("model.version.ready", "a");
  assert.deepEqual(numbers(models), [3, 2, 1]);
  server.list = [...server.list, model("b")];
  await models.hear("model.version.ready", "b");
  assert.deepEqual(models.list.map((one) => one.model_id), ["a", "b"]);
});

test("older deployments come once, under the names of their versions", async () => {
  const { models } = await played();
  await models.loadOlderDeployments();
  assert.deepEqual(models.deployments.map((one) => models.nameOf(one)), ["Beam, version 2", "Beam, version 1", "Beam, a deleted version"]);
  assert.ok(!models.hasOlderDeployments);
  assert.equal(models.nameOf({ model_id: "gone", model_version_id: "x" }), "A deleted model");
});

test("the lines of a file are found, but not those of a zip", async () => {
  const { models } = await played();
  assert.deepEqual(await models.lines(v1), ["one", "two", "three"]);
  assert.equal(await models.lines(version("v1", 1, { kind: "zip" })), null);
});

test("an ended deployment leaves none active", async () => {
  const server = new Server();
  const models = new Models(server, () => undefined);
  await models.load();
  assert.equal(models.active?.model_version_id, "v2");
  await models.undeploy();
  assert.equal(models.active, null);
  server.failures["undeploy"] = [new ApiError(404, "NOT_FOUND", "Nothing is deployed.")];
  await assert.rejects(models.undeploy(), { status: 404 });
});
