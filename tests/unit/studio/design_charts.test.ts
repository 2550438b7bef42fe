import assert from "node:assert/strict";
import { test } from "node:test";
import { columnsOf } from "../../../edge/catenary_edge/studio/src/state/candidates.ts";
import { exportOf, orderedPlaces } from "../../../edge/catenary_edge/studio/src/state/design_rows.ts";
import { groupsOf, meanOf } from "../../../edge/catenary_edge/studio/src/state/groups.ts";
import { cellsOf, nearestPoint } from "../../../edge/catenary_edge/studio/src/state/matrix.ts";
import { nearestLine, placeAt, uprightOf } from "../../../edge/catenary_edge/studio/src/state/parallel.ts";
import { axisOf, pixelOf, ticksOf, valueAt } from "../../../edge/catenary_edge/studio/src/state/scales.ts";
import { shadesOf } from "../../../edge/catenary_edge/studio/src/state/shades.ts";
import { candidate, CANDIDATES, column, COLUMNS } from "./designs.ts";

const all = () => true;
const lone = columnsOf([candidate("a", { metrics: { x: 4, zero: 0 } })], [], { names: [], units: {} });

test("an axis has round ticks, and a pixel its value", () => {
  const axis = axisOf(column("span"), 100, 0);
  assert.deepEqual(ticksOf(axis, 5), [10, 15, 20, 25, 30]);
  assert.deepEqual([pixelOf(axis, 10), pixelOf(axis, 30)], [100, 0]);
  assert.deepEqual([valueAt(axis, 50), valueAt(axis, 33.3), valueAt(axis, -50), valueAt(axis, 200)], [20, 23.3, 30, 10]);
  assert.ok(Number.isNaN(pixelOf(axis, Number.NaN)));
});

test("a lone value and categories have room around them", () => {
  for (const one of lone) {
    const { low, high } = axisOf(one, 0, 10);
    assert.ok(low < one.least && one.least < high);
  }
  const axis = axisOf(column("grade"), 100, 0);
  assert.deepEqual([pixelOf(axis, 0), pixelOf(axis, 1)], [75, 25]);
  assert.deepEqual(ticksOf(axis, 6), [0, 1]);
  assert.deepEqual(ticksOf(axis, 1), [0]);
});

test("the nearest line is taken, and none that is filtered out or far", () => {
  const axes = uprightOf([column("span"), column("mass")], 200, 0, 100);
  assert.deepEqual(axes.map(({ x }) => x), [50, 150]);
  assert.equal(nearestLine(axes, 3, 52, 99, 8, all), 0);
  assert.equal(nearestLine(axes, 3, 150, 1, 8, all), 1);
  assert.equal(nearestLine(axes, 3, 150, 1, 8, (place) => place !== 1), -1);
  assert.equal(nearestLine(axes, 3, 199, 99, 8, all), 2, "beyond the last axis");
  assert.equal(nearestLine([], 3, 10, 10, 8, all), -1);
  assert.equal(nearestLine(uprightOf([column("sag")], 100, 0, 100), 3, 50, 50, 60, (place) => place === 1), -1, "a gap");
});

test("an axis that is let go takes the place under it", () => {
  assert.deepEqual([-5, 10, 55, 99, 400].map((x) => placeAt(100, 4, x)), [0, 0, 2, 3, 3]);
});

test("a scatter matrix has a cell for each pair, in which a point is found", () => {
  const cells = cellsOf([column("span"), column("mass"), column("sag")], 200, 200);
  assert.deepEqual(cells.map(({ across, up }) => `${across.column.name} ${up.column.name}`), ["span mass", "span sag", "mass sag"]);
  const [{ across, up }] = cells as [(typeof cells)[0]];
  assert.equal(nearestPoint(cells, 3, pixelOf(across, 20) + 2, pixelOf(up, 9), 8, all), 1);
  assert.equal(nearestPoint(cells, 3, 150, 50, 8, all), -1, "no cell");
});

test("means are those of the designs with a like value", () => {
  const groups = groupsOf(column("grade"), all);
  assert.deepEqual(groups.map(({ label, places }) => [label, ...places]), [["S355", 0], ["S235", 1, 2]]);
  assert.deepEqual(groups.map(({ places }) => meanOf(column("mass"), places)), [5, 5.5]);
  assert.equal(meanOf(column("sag"), [1]), null);
  assert.deepEqual(groupsOf(column("sag"), all).map(({ places }) => places), [[0], [2]]);
  const many = columnsOf(Array.from({ length: 200 }, (_, at) => candidate(String(at), { metrics: { x: at } })), [], { names: [], units: {} })[0]!;
  const ranges = groupsOf(many, all);
  assert.equal(ranges.length, 20);
  assert.ok(ranges.every(({ places }) => places.length === 10));
});

test("colours go from the least to the greatest, and none has what is missing", () => {
  const shades = shadesOf(column("sag"))!;
  assert.deepEqual([0, 1, 2].map((place) => shades.of(place)), [0, -1, shades.colors.length - 1]);
  assert.equal(new Set(shades.colors).size, shades.colors.length);
  assert.equal(shadesOf(column("grade"))!.colors.length, 2);
  assert.equal(shadesOf(lone[0]), null);
  assert.equal(shadesOf(undefined), null);
});

test("rows are sorted with missing values last, and only those that pass", () => {
  const hits = Uint8Array.from([1, 1, 1]);
  assert.deepEqual(orderedPlaces(hits, column("mass"), false), [2, 0, 1]);
  assert.deepEqual(orderedPlaces(hits, column("sag"), true), [2, 0, 1]);
  assert.deepEqual(orderedPlaces(hits, column("sag"), false), [0, 2, 1]);
  assert.deepEqual(orderedPlaces(Uint8Array.from([0, 1, 1]), undefined, false), [1, 2]);
});

test("the CSV has the columns that the API takes, and no formula", () => {
  const given = [...CANDIDATES.slice(0, 2), candidate("d", { parameters: { span: 1, grade: "=1+1", open: false } })];
  const columns = COLUMNS.filter(({ name }) => name !== "sag");
  assert.equal(exportOf(given, columns, [1, 2]), "in:span [m],in:grade,in:open,out:mass [kg]\r\n20,S235,false,9\r\n1,'=1+1,false,\r\n");
});
