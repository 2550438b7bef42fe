import assert from "node:assert/strict";
import { test } from "node:test";
import { MOST_ROWS, Parts, hexOf, keyOf } from "../../../edge/catenary_edge/studio/src/state/parts.ts";

const part = (name: string, color: readonly number[] = [0, 0, 0, 1]) => ({ name, color });
const TOWER = [
  { name: "tower", parts: [part("slab", [1, 0.2158605, 0, 1]), part("core"), part("slab")] },
  { name: "envelope", parts: [part("envelope")] },
];
const [SLAB, CORE, ENVELOPE] = [keyOf("tower", "slab"), keyOf("tower", "core"), keyOf("envelope", "envelope")];

function tower(): Parts {
  const parts = new Parts();
  parts.take(TOWER);
  return parts;
}

const hidden = (parts: Parts) => parts.rows.filter(({ key }) => parts.isHidden(key)).map((one) => one.name);

test("parts of one name in a geometry are one row", () => {
  assert.deepEqual(tower().rows.map(({ name, count }) => [name, count]), [["slab", 2], ["core", 1], ["envelope", 1]]);
});

test("a colour of a file is shown as on screens", () => {
  assert.equal(tower().rows[0]!.color, "#ff8000");
  assert.equal(hexOf([2, -1, 0.001]), "#ff0003", "beyond the range, and near black");
});

test("a part is hidden and shown", () => {
  const parts = tower();
  parts.setHidden([CORE], true);
  assert.deepEqual(hidden(parts), ["core"]);
  assert.equal(parts.look("tower", "core").isHidden, true);
  parts.setHidden([CORE, SLAB], false);
  assert.equal(parts.hiddenCount, 0);
});

test("a part is shown alone, and once more as before", () => {
  const parts = tower();
  parts.setHidden([CORE], true);
  parts.isolate(CORE);
  assert.deepEqual(hidden(parts), ["slab", "envelope"]);
  parts.isolate(CORE);
  assert.deepEqual(hidden(parts), ["core"]);
});

test("a part shown beside a lone one leaves others hidden", () => {
  const parts = tower();
  parts.isolate(SLAB);
  parts.setHidden([CORE], false);
  assert.deepEqual(hidden(parts), ["envelope"]);
  parts.showAll();
  assert.deepEqual(hidden(parts), []);
});

test("what is hidden, coloured and marked survives another design", () => {
  const parts = tower();
  parts.setHidden([ENVELOPE], true);
  parts.recolor(SLAB, "#112233");
  parts.mark(CORE);
  parts.take([TOWER[0]!]);
  assert.equal(parts.hiddenCount, 0);
  parts.take([{ name: "envelope", parts: [part("envelope")] }, { name: "tower", parts: [part("core"), part("slab")] }]);
  assert.deepEqual(hidden(parts), ["envelope"]);
  assert.deepEqual(parts.look("tower", "slab"), { isHidden: false, isMarked: false, color: "#112233" });
  assert.equal(parts.look("tower", "core").isMarked, true);
});

test("a design without the part that is alone shows all of it", () => {
  const parts = tower();
  parts.isolate(ENVELOPE);
  parts.take([TOWER[0]!]);
  assert.equal(parts.hiddenCount, 0);
  parts.take(TOWER);
  assert.deepEqual(hidden(parts), ["slab", "core"]);
});

test("a colour is given and taken back", () => {
  const parts = tower();
  parts.recolor(SLAB, "#000001");
  assert.equal(parts.colorOf(parts.rows[0]!), "#000001");
  parts.recolor(SLAB, null);
  assert.equal(parts.colorOf(parts.rows[0]!), "#ff8000");
  assert.ok(!parts.isRecolored(SLAB));
});

test("each change is told once", () => {
  let changes = 0;
  const parts = new Parts(() => (changes += 1));
  parts.take(TOWER);
  parts.setHidden([SLAB, CORE], true);
  parts.mark(SLAB);
  parts.mark(SLAB);
  assert.equal(parts.marked, null);
  assert.equal(changes, 3);
});

test("a long list tells how many more there are", () => {
  const parts = new Parts();
  parts.take([{ name: "roof", parts: Array.from({ length: 1000 }, (_, at) => part(`bar ${at}`)) }]);
  assert.equal(parts.find("").more, 1000 - MOST_ROWS);
  assert.equal(parts.find("").groups[0]!.rows.length, MOST_ROWS);
  assert.deepEqual(parts.find(" BAR 99 ").groups[0]!.rows.map((one) => one.name), ["bar 99"].concat(Array.from({ length: 10 }, (_, at) => `bar ${990 + at}`)));
  assert.deepEqual(parts.find("nothing"), { groups: [], more: 0 });
});

const TWICE = [...TOWER, { name: "roof", parts: [part("core")] }];

test("a saved view hides and colours parts by their names", () => {
  const parts = tower();
  parts.setHidden([SLAB], true);
  parts.restore({ hidden_parts: ["core", "gone"], colors: { envelope: "#112233" } });
  assert.deepEqual(hidden(parts), ["core"]);
  assert.equal(parts.look("envelope", "envelope").color, "#112233");
  assert.deepEqual(parts.dress(), { hidden_parts: ["gone", "core"], colors: { envelope: "#112233" } });
});

test("a saved view waits for the parts of later designs", () => {
  const parts = new Parts();
  parts.restore({ hidden_parts: ["core"], colors: { slab: "#112233" } });
  parts.take(TWICE);
  assert.deepEqual(hidden(parts), ["core", "core"]);
  parts.setHidden([CORE], false);
  parts.take(TWICE);
  assert.deepEqual(hidden(parts), ["core"], "what was shown again stays so");
});

test("a name of two geometries is told with its geometry", () => {
  const parts = new Parts();
  parts.take(TWICE);
  parts.setHidden([CORE], true);
  parts.recolor(CORE, "#112233");
  const dress = parts.dress();
  assert.deepEqual(dress, { hidden_parts: ["tower/core"], colors: { "tower/core": "#112233" } });
  const other = new Parts();
  other.take(TWICE);
  other.restore(dress);
  assert.deepEqual([hidden(other).length, other.isHidden(CORE), other.dress()], [1, true, dress]);
});

test("a part that is shown alone is kept as the others hidden", () => {
  const parts = tower();
  parts.isolate(CORE);
  assert.deepEqual(parts.dress().hidden_parts, ["slab", "envelope"]);
});
