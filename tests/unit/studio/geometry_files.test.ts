// The geometries that a design offers.
import assert from "node:assert/strict";
import { test } from "node:test";
import { GeometryFiles, shownOf } from "../../../edge/catenary_edge/studio/src/state/geometry_files.ts";
import type { Evaluation } from "../../../edge/catenary_edge/studio/src/api/types.ts";

const bytes = new ArrayBuffer(4);

test("a geometry of a live design with a STEP file is exact", () => {
  const files = ["plate glb", "plate step", "net glb"].map((one) => {
    const [name, format] = one.split(" ") as [string, string];
    return { name, format, unit: "mm", bytes };
  });
  assert.deepEqual(
    shownOf(files).map(({ name, isExact }) => [name, isExact]),
    [["plate", true], ["net", false]],
  );
});

test("a geometry of a stored evaluation with a STEP file is exact", async () => {
  const file = { unit: null, size: 4, sha256: null, parts: [], url: "/v1/x" };
  const geometry = [
    { ...file, name: "plate", format: "glb" },
    { ...file, name: "plate", format: "step" },
    { ...file, name: "net", format: "glb" },
    { ...file, name: "unmade", format: "glb", size: null },
  ];
  const found = await new GeometryFiles(async () => bytes).of({ geometry } as unknown as Evaluation);
  assert.deepEqual(
    found.map(({ name, isExact }) => [name, isExact]),
    [["plate", true], ["net", false]],
  );
});
