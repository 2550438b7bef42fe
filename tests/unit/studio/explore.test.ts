import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "../../../edge/catenary_edge/studio/src/api/client.ts";
import type { Evaluation, ViewChart } from "../../../edge/catenary_edge/studio/src/api/types.ts";
import { axesFor, columnsFor, Explore } from "../../../edge/catenary_edge/studio/src/state/explore.ts";
import { SourceList } from "../../../edge/catenary_edge/studio/src/state/source_list.ts";
import { endingOf, keyOfSource, nameOfSource, progressOf, type SourceCalls, versionOf } from "../../../edge/catenary_edge/studio/src/state/sources.ts";
import { batch, COLUMNS, PARAMETERS, point, study } from "./designs.ts";
import { evaluation } from "./parameters.ts";

const DECLARED = { modelVersionId: "v", parameters: PARAMETERS, metrics: ["mass"] };
const CHART: ViewChart = { kind: "scatter", axes: ["span", "mass"], color_by: "open", filters: { mass: { min: null, max: 3, values: [] } } };

function row(evaluation_id: string, span: number, status: Evaluation["status"] = "completed"): Evaluation {
  return evaluation({ evaluation_id, status, parameters: { span, open: span > 1 }, metrics: status === "completed" ? { mass: { value: span * 2, unit: "kg" } } : {} });
}

const tick = () => new Promise((resolve) => setImmediate(resolve));

function page<Row>(rows: Row[], next: string | null = null): Page<Row> {
  return { rows, next };
}

/** Calls over designs that are all there. */
function played(given: Partial<SourceCalls> = {}): SourceCalls {
  return {
    batches: async () => page([]),
    studies: async () => page([]),
    batch: async () => null,
    study: async () => null,
    stored: async () => page([row("1", 1), row("2", 2), row("x", 3, "failed"), row("y", 3, "running")]),
    ofBatch: async () => page([row("b", 5)]),
    ofStudy: async () => page([point("s")]),
    ofFront: async () => page([point("f")]),
    indices: async () => [],
    cancelBatch: async (id) => batch(id, { status: "cancelled" }),
    cancelStudy: async (id) => study(id, { status: "cancelled" }),
    ...given,
  };
}

test("sources are the newest first, a front beside its study, and stored ones last", async () => {
  const sources = new SourceList(
    played({
      batches: async () => page([batch("b", { created_at: "2026-11-27T09:00:00Z" })]),
      studies: async () => page([study("s", { front_size: 2 }), study("t", { created_at: "2026-11-27T10:00:00Z", status: "running" })]),
    }),
  );
  await sources.load();
  const found = sources.list;
  assert.deepEqual(found.map(keyOfSource), ["study:t", "batch:b", "study:s", "front:s", "stored"]);
  assert.match(nameOfSource(found[0]!), /^Study of 3 designs, .* \(running\): least Mass$/);
  assert.match(nameOfSource(found[3]!), /^Front of the study: 2 designs/);
  assert.deepEqual(found.map(versionOf), ["v", "v", "v", "v", null]);
});

test("a source has the name of its request, and tells why it ended before its time", () => {
  const named = { kind: "batch", batch: batch("b", { name: "Spans", error: { code: "QUOTA_EXCEEDED", message: "The month is used." } }) } as const;
  assert.match(nameOfSource(named), /^Spans \(Batch of 3 designs, .*\)$/);
  assert.equal(endingOf(named), "The month is used.");
  const stopped = { kind: "study", study: study("s", { name: "Slender", stopped_by: "seconds" }) } as const;
  assert.match(nameOfSource(stopped), /^Slender \(Study of /);
  assert.match(endingOf(stopped), /time was over/);
  assert.equal(endingOf({ kind: "study", study: study("t") }), "");
  assert.equal(endingOf({ kind: "stored" }), "");
});

test("designs without a result are left out and counted", async () => {
  const explore = new Explore(played(), DECLARED);
  await explore.begin();
  assert.deepEqual(explore.candidates.map(({ id }) => id), ["1", "2"]);
  assert.deepEqual([explore.reading.failed, explore.reading.unfinished, explore.reading.isWhole, explore.isReading], [1, 1, true, false]);
  assert.deepEqual(explore.charts.map(({ kind, axes }) => [kind, ...axes]), [["parallel", "span", "open", "mass"]]);
  assert.equal(explore.saved(), null, "nobody has chosen anything");
});

test("pages are read one after the other, and shown as they come", async () => {
  const seen: number[] = [];
  const asked: (string | null)[] = [];
  const stored = async (_: string, cursor: string | null) => {
    asked.push(cursor);
    return cursor === null ? page([row("1", 1)], "n") : page([row("2", 2)]);
  };
  const explore = new Explore(played({ stored }), DECLARED, () => seen.push(explore.candidates.length));
  await explore.begin();
  assert.deepEqual(asked, [null, "n"]);
  assert.ok(seen.includes(1) && seen.at(-1) === 2);
});

test("reading stops at ten thousand designs, or when somebody stops it", async () => {
  let asked = 0;
  const stored = async () => page(Array.from({ length: 200 }, (_, at) => row(`${asked}-${at}`, at)), String(++asked));
  const explore = new Explore(played({ stored }), DECLARED);
  await explore.begin();
  assert.deepEqual([explore.candidates.length, explore.reading.isWhole, asked], [10_000, false, 50]);
  asked = 0;
  const stopped: Explore = new Explore(played({ stored }), DECLARED, () => stopped.candidates.length >= 600 && stopped.isReading && stopped.stop());
  await stopped.begin();
  assert.deepEqual([stopped.candidates.length, stopped.isReading], [600, false]);
});

test("a failure keeps what was read, and tells the way on", async () => {
  const stored = async (_: string, cursor: string | null) => {
    if (cursor !== null) throw new Error("Your role in this project has ended.");
    return page([row("1", 1)], "n");
  };
  const explore = new Explore(played({ stored }), DECLARED);
  await explore.begin();
  assert.deepEqual([explore.candidates.length, explore.failure, explore.isReading], [1, "Your role in this project has ended.", false]);
  const lost = new Explore(played({ batches: () => Promise.reject(new Error("gone")) }), DECLARED);
  await lost.begin();
  assert.deepEqual([lost.failure, lost.sources], ["gone", null]);
});

test("of two sources the one that was chosen last is shown", async () => {
  let finish: (found: Page<Evaluation>) => void = () => undefined;
  const stored = () => new Promise<Page<Evaluation>>((done) => (finish = done));
  const explore = new Explore(played({ stored }), DECLARED);
  const first = explore.read({ kind: "stored" });
  await explore.read({ kind: "batch", batch: batch("b") });
  finish(page([row("late", 1)]));
  await first;
  assert.deepEqual(explore.candidates.map(({ id }) => id), ["b"]);
});

test("a source that is wanted is read first, and its absence is told", async () => {
  const calls = played({ batches: async () => page([batch("b"), batch("c")]) });
  const explore = new Explore(calls, DECLARED);
  await explore.begin("batch:c");
  assert.deepEqual([keyOfSource(explore.source!), explore.isOther], ["batch:c", false]);
  await explore.begin();
  assert.equal(keyOfSource(explore.source!), "batch:c", "read again");
  await explore.begin("study:gone");
  assert.deepEqual([keyOfSource(explore.source!), explore.isOther], ["batch:b", true]);
});

test("older batches are listed on demand, and one of an address is read by its id", async () => {
  const asked: string[] = [];
  const batches = async (cursor: string | null) => (cursor === null ? page([batch("c"), batch("b")], "n") : page([batch("a")]));
  const explore = new Explore(
    played({
      batches,
      batch: async (id) => (asked.push(id), batch(id, { status: asked.length === 1 ? "running" : "completed", created_at: "2026-11-01T09:00:00Z" })),
    }),
    DECLARED,
  );
  await explore.begin("batch:0");
  assert.deepEqual([explore.sources!.map(keyOfSource), explore.isOther], [["batch:c", "batch:b", "batch:0", "stored"], false]);
  await explore.begin();
  assert.deepEqual([asked, keyOfSource(explore.source!)], [["0", "0"], "batch:0"], "read again, since it was running");
  await explore.older();
  assert.deepEqual([explore.sources!.map(keyOfSource), explore.hasOlderSources], [["batch:c", "batch:b", "batch:a", "batch:0", "stored"], false]);
});

test("a batch that runs is read again as long as somebody looks", async () => {
  const waits: (() => void)[] = [];
  const pauses: number[] = [];
  const clock = { now: () => 0, later: (pause: number, work: () => void) => (pauses.push(pause), waits.push(work)), cancel: () => undefined };
  let status: "running" | "completed" = "running";
  let rows = [row("1", 1)];
  const calls = played({ batches: async () => page([batch("b", { status })]), ofBatch: async () => page(rows) });
  const explore = new Explore(calls, DECLARED, () => undefined, clock);
  await explore.begin();
  assert.equal(waits.length, 0, "nobody looks");
  explore.watch(true);
  assert.deepEqual(pauses, [5_010]);
  [rows, status] = [[row("1", 1), row("2", 2)], "completed"];
  waits[0]!();
  await tick();
  assert.deepEqual([explore.candidates.length, explore.isReading, waits.length], [2, false, 1], "it has ended");
});

test("the end of a batch is told without a click, and another's can be chosen", async () => {
  let batches = [batch("b", { status: "running" as const })];
  const explore = new Explore(played({ batches: async () => page(batches) }), DECLARED);
  await explore.hear();
  assert.equal(explore.sources, null, "nobody has looked yet");
  await explore.begin();
  batches = [batch("c"), batch("b")] as typeof batches;
  await explore.hear();
  assert.deepEqual([explore.source!.kind === "batch" && explore.source!.batch.status, keyOfSource(explore.source!)], ["completed", "batch:b"]);
  batches = [batch("d"), ...batches] as typeof batches;
  await explore.hear();
  assert.deepEqual(explore.sources!.map(keyOfSource), ["batch:d", "batch:c", "batch:b", "stored"]);
});

test("filters and feasibility together tell the number of hits", async () => {
  const explore = new Explore(played(), DECLARED);
  await explore.begin();
  explore.filter("mass", { min: 3, max: null, values: [] });
  assert.deepEqual([explore.hitCount, [...explore.hits]], [1, [0, 1]]);
  explore.clearFilters();
  assert.equal(explore.hitCount, 2);
  const study = new Explore(played({ stored: async () => page([point("s", { feasible: false }) as never]) }), DECLARED);
  await study.begin();
  study.showFeasible(true);
  assert.equal(study.hitCount, 0);
});

test("a saved view's charts and filters come back as they were saved", async () => {
  const explore = new Explore(played(), DECLARED);
  explore.show([CHART]);
  await explore.begin();
  assert.deepEqual(explore.saved(), [CHART]);
  assert.equal(explore.hitCount, 1);
  explore.add("bar");
  assert.deepEqual(explore.saved()!.map(({ kind }) => kind), ["scatter", "bar"]);
  explore.remove(explore.charts[0]!.id);
  explore.remove(explore.charts[0]!.id);
  assert.deepEqual(explore.saved(), []);
});

test("what the version lacks is not saved", async () => {
  const explore = new Explore(played(), DECLARED);
  await explore.begin();
  explore.show([{ kind: "line", axes: ["gone", "mass"], color_by: "gone", filters: { gone: { min: 1, max: null, values: [] } } }, { ...CHART, axes: ["gone"] }]);
  explore.filter("mass", null);
  assert.deepEqual(explore.saved(), [{ kind: "line", axes: ["mass"], color_by: null, filters: {} }]);
});

test("a filter alone is a choice that is saved", async () => {
  const explore = new Explore(played(), DECLARED);
  await explore.begin();
  explore.filter("span", { min: 2, max: null, values: [] });
  assert.deepEqual(explore.saved()!.map(({ kind, filters }) => [kind, ...Object.keys(filters)]), [["parallel", "span"]]);
});

test("each kind of chart begins with axes that fit it", () => {
  assert.deepEqual(axesFor("parallel", COLUMNS).length, 5);
  assert.deepEqual(axesFor("scatter", COLUMNS), ["sag", "mass"]);
  assert.deepEqual(axesFor("scatter_matrix", COLUMNS), ["span", "grade", "sag", "mass"]);
  assert.deepEqual(axesFor("bar", COLUMNS), ["span", "sag"]);
  assert.deepEqual(columnsFor(["mass", "gone"], COLUMNS).map(({ name }) => name), ["mass"]);
});

test("a study that goes on tells how far it is, by the list and then by events", async () => {
  const running = study("s", { status: "running", budget: 10, counts: { ...study("s").counts, total: 5, completed: 3, failed: 1, running: 1 } });
  const explore = new Explore(played({ studies: async () => page([running]) }), DECLARED);
  await explore.begin("study:s");
  assert.deepEqual(progressOf(explore.source!), { ended: 4, total: 10, expectedEnd: null });
  explore.follow({ study_id: "other", counts: running.counts, front_size: 9, expected_end: null });
  explore.follow({ study_id: "s", counts: { ...running.counts, completed: 8 }, front_size: 2, expected_end: "2026-11-27T08:01:00Z" });
  assert.deepEqual(progressOf(explore.source!), { ended: 9, total: 10, expectedEnd: "2026-11-27T08:01:00Z" });
  assert.equal(explore.source?.kind === "study" && explore.source.study.front_size, 2);
  explore.watch(false);
});

test("a cancelled study is read again, and a refusal is told while it goes on", async () => {
  const at = { status: "running" };
  const calls = played({
    studies: async () => page([study("s", at as object)]),
    cancelStudy: async (id) => {
      if (at.status === "kept") throw new Error("Only editors cancel it.");
      return study(id, Object.assign(at, { status: "cancelled" }) as object);
    },
  });
  const explore = new Explore(calls, DECLARED);
  await explore.begin("study:s");
  await explore.cancel(explore.source!);
  assert.deepEqual([progressOf(explore.source!), explore.failure, explore.isCancelling], [null, "", false]);
  at.status = "kept";
  await explore.begin();
  await explore.cancel(explore.source!);
  assert.equal(explore.failure, "Only editors cancel it.");
});

test("the indices of a sensitivity are read once it has ended", async () => {
  const indices = [{ objective: { metric: "mass", expression: null, direction: null, reference: null }, used: 2, left_out: 0, parameters: [] }];
  const at = { status: "running" };
  const calls = played({ studies: async () => page([study("s", { kind: "sensitivity", ...(at as object) })]), indices: async () => indices });
  const explore = new Explore(calls, DECLARED);
  await explore.begin("study:s");
  assert.deepEqual(explore.indices, []);
  at.status = "completed";
  await explore.hear();
  assert.deepEqual(explore.indices, indices);
  await explore.read({ kind: "stored" });
  assert.deepEqual(explore.indices, []);
});
