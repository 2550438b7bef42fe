import assert from "node:assert/strict";
import { test } from "node:test";
import { readAddress, rewritten } from "../../../edge/catenary_edge/studio/src/state/address.ts";
import { type Appearance } from "../../../edge/catenary_edge/studio/src/state/appearance.ts";

const PLAIN: Appearance = { camera: null, section: null, background: null, edges: true, length_unit: null, hidden_parts: [], colors: {} };

function again(view: Appearance): Appearance | null {
  return readAddress(rewritten("#project=id", "id", [], {}, { view })!)!.beside.view;
}

function viewOf(fragment: string): Appearance | null {
  return readAddress(`#project=id&${fragment}`)!.beside.view;
}

test("a view that nobody has changed leaves no trace in the address", () => {
  assert.equal(rewritten("#project=id&v.edges=off", "id", [], {}, { view: PLAIN }), "#project=id");
  assert.equal(viewOf("p.height=40"), null);
});

test("an address brings back camera, section, parts, colours, edges, background and unit", () => {
  const view: Appearance = {
    camera: { position: [12.5, -30, 8.25], target: [0, 0, 4], up: [0, 0, 1], projection: "orthographic", fov_degrees: null, height: 20.5 },
    section: { point: [0, 2, 0], normal: [0, 1, 0] },
    background: "#102030",
    edges: false,
    length_unit: "ft",
    hidden_parts: ["mast", "deck & rail=1"],
    colors: { "core/a": "#ff0000" },
  };
  assert.deepEqual(again(view), view);
  assert.deepEqual(again({ ...PLAIN, background: "dark" }), { ...PLAIN, background: "dark" });
});

test("a camera is written as exactly as somebody sees it", () => {
  const camera = { position: [1000000.00123456, 0, 0.2], target: [1000000, 0, 0.123456789], up: [0, 0, 1], projection: "perspective", fov_degrees: 35, height: null } as const;
  const written = rewritten("#project=id", "id", [], {}, { view: { ...PLAIN, camera: camera as unknown as Appearance["camera"] } })!;
  assert.ok(written.endsWith("v.camera=1000000.001235_0_0.2_1000000_0_0.123457"), written);
});

test("what the platform would not save of a view is passed over", () => {
  for (const numbers of ["", "1", "1_2_3_4_5", "1_2_3_4_5_x", "1_2_3_1_2_3", "1_2_3_4_5_Infinity", "1e10_2_3_4_5_6", "1_2_3_4_5_6_0", "1_2_3_4_5_6_-2", "1_2_3_4_5_6_7_8", "1__3_4_5_6"]) {
    assert.equal(viewOf(`v.camera=${numbers}`), null, numbers);
  }
  for (const numbers of ["1_2_3_0_0_0", "1_2_3", "NaN_2_3_0_0_1"]) assert.equal(viewOf(`v.section=${numbers}`), null, numbers);
  for (const fragment of ["v.background=url(x)", "v.background=1020301", "v.unit=parsec", "v.edges=on", "v.color.mast=red", "v.color.=ff0000", "v.hidden=", `v.hidden=${"x".repeat(201)}`, "v.other=1"]) {
    assert.equal(viewOf(fragment), null, fragment);
  }
  const many = new URLSearchParams(Array.from({ length: 1001 }, (_, place): [string, string] => ["v.hidden", `part ${place}`]));
  assert.equal(viewOf(String(many))!.hidden_parts.length, 1000);
});
