import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "../../../edge/catenary_edge/studio/src/api/client.ts";
import type { Variant } from "../../../edge/catenary_edge/studio/src/api/types.ts";
import { followed, projectOf } from "../../../edge/catenary_edge/studio/src/state/shared_variant.ts";
import { evaluation } from "./parameters.ts";

const VARIANT: Variant = {
  variant_id: "v",
  project_id: "p",
  name: "Slender",
  note: "Half of the steel.",
  status: "ready",
  evaluation: evaluation({ model_version_id: "m" }),
  thumbnail: null,
  created_by: null,
  created_at: "2030-01-01T00:00:00Z",
  updated_at: "2030-01-02T00:00:00Z",
  deleted_at: null,
  role: "evaluator",
};

test("a shared variant stands for its project, where nobody evaluates by it", () => {
  const { name, description, role, deployed_model_version_id } = projectOf(VARIANT);
  assert.deepEqual([name, description, role, deployed_model_version_id], ["Slender", "Half of the steel.", "viewer", "m"]);
});

test("a share that gives another role is followed", async () => {
  const asked: string[] = [];
  const found = await followed(VARIANT, (id) => {
    asked.push(id);
    return Promise.resolve({ ...VARIANT, role: "viewer" });
  });
  assert.deepEqual([found?.role, asked], ["viewer", ["v"]]);
});

test("a share that has ended is told from a server that is away", async () => {
  assert.equal(await followed(VARIANT, () => Promise.reject(new ApiError(404, "NOT_FOUND", "There is no such variant."))), null);
  for (const status of [0, 401, 429, 503]) {
    assert.equal(await followed(VARIANT, () => Promise.reject(new ApiError(status, "OTHER", "no"))), VARIANT);
  }
});
