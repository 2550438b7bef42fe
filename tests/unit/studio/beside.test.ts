import assert from "node:assert/strict";
import { test } from "node:test";
import { BEGINNING, besideIn, isFiltered, written, type Beside } from "../../../edge/catenary_edge/studio/src/state/beside.ts";

const read = (text: string) => besideIn(new URLSearchParams(text));

test("what is shown beside a design comes back from its address", () => {
  const shown: Beside = {
    tab: "history",
    isCommenting: true,
    draft: "model.version",
    variant: "variant",
    saved: "view",
    designs: "batch:b",
    filters: {
      mass: { min: -1.5e-7, max: 30.25, values: [] },
      height: { min: null, max: 0, values: [] },
      "span & = width": { min: 2, max: null, values: [] },
      grade: { min: null, max: null, values: ["S355", "a..b", "[", 2, true] },
    },
    isFeasibleOnly: true,
    view: null,
  };
  assert.deepEqual(read(written(shown)), shown);
  assert.ok(isFiltered(shown));
  assert.equal(written(BEGINNING), "");
  assert.deepEqual(read(""), BEGINNING);
  assert.ok(!isFiltered(BEGINNING));
});

test("filters that the platform would not save are passed over", () => {
  const spoilt = ["..", "5..2", "a..b", "1", "1...2...3", "Infinity..", "[", "[]", "[null]", "[[1]]", "{}", JSON.stringify(Array(101).fill(1))];
  for (const text of spoilt) assert.deepEqual(read(String(new URLSearchParams({ "f.mass": text }))).filters, {}, text);
  assert.deepEqual(read(`f.${"n".repeat(200)}=1..`).filters, {});
  const many = Array.from({ length: 60 }, (_, number) => `f.n${number}=1..`).join("&");
  assert.equal(Object.keys(read(many).filters).length, 50);
});

test("a tab or a side that there is not is passed over", () => {
  const { tab, isCommenting, isFeasibleOnly } = read("tab=inputs&side=results&feasible=all");
  assert.deepEqual([tab, isCommenting, isFeasibleOnly], [null, false, false]);
});
