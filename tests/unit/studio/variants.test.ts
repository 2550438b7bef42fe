import assert from "node:assert/strict";
import { test } from "node:test";
import type { Project, Variant } from "../../../edge/catenary_edge/studio/src/api/types.ts";
import { urlIn } from "../../../edge/catenary_edge/studio/src/state/geometry_urls.ts";
import { Variants, textOf, type VariantCalls } from "../../../edge/catenary_edge/studio/src/state/variants.ts";

function variant(id: string, by = "me"): Variant {
  return { variant_id: id, name: id, note: "", status: "ready", created_by: { user_id: by, staff_name: by }, created_at: "2030-01-01T00:00:00Z" } as unknown as Variant;
}

/** Variants over a server that has three of them, and all that it was asked. */
class Played implements VariantCalls {
  readonly asked: string[] = [];
  fails = false;
  readonly variants: Variants;

  constructor(role: Project["role"] = "owner", caller: string | null = "me") {
    this.variants = new Variants(this, role, caller);
  }

  private note(text: string): void {
    this.asked.push(text);
    if (this.fails) throw new Error("refused");
  }

  async list(): Promise<Variant[]> {
    return [variant("a"), variant("b", "other"), variant("c")];
  }

  async read(variantId: string): Promise<Variant> {
    return variant(variantId);
  }

  async save(name: string, note: string, evaluationId: string): Promise<Variant> {
    this.note(`save ${name}|${note}|${evaluationId}`);
    return { ...variant("new"), name, note };
  }

  async change(variantId: string, name: string, note: string): Promise<Variant> {
    this.note(`change ${variantId} ${name}`);
    return { ...variant(variantId), name, note };
  }

  async remove(variantId: string): Promise<void> {
    this.note(`remove ${variantId}`);
  }

  async compare(ids: readonly string[]) {
    this.note(`compare ${ids}`);
    return { variants: [], parameters: [], metrics: [] };
  }
}

const names = ({ variants }: Played) => variants.list.map((one) => one.name);

test("a saved variant stands first and a changed one in its place", async () => {
  const played = new Played();
  await played.variants.load();
  await played.variants.save(" Slender ", " a note ", "e");
  await played.variants.change("b", "Stout", "");
  assert.deepEqual(names(played), ["Slender", "a", "Stout", "c"]);
  assert.deepEqual(played.asked, ["save Slender|a note|e", "change b Stout"]);
});

test("a refused change leaves the list as it was", async () => {
  const played = new Played();
  await played.variants.load();
  played.fails = true;
  await assert.rejects(played.variants.remove("a"), /refused/);
  await assert.rejects(played.variants.change("a", "x", ""), /refused/);
  assert.deepEqual(names(played), ["a", "b", "c"]);
});

test("2 to 4 variants are compared in the order of their choice", async () => {
  const played = new Played();
  await played.variants.load();
  const { variants } = played;
  variants.choose("c");
  assert.ok(!variants.canCompare);
  for (const id of ["a", "b", "d", "e"]) variants.choose(id);
  assert.deepEqual(variants.chosen, ["c", "a", "b", "d"]);
  assert.ok(!variants.mayChoose(variant("e")) && variants.mayChoose(variant("a")));
  variants.choose("b");
  await variants.compare();
  assert.deepEqual(played.asked, ["compare c,a,d"]);
});

test("a deleted variant is no longer compared", async () => {
  const played = new Played();
  await played.variants.load();
  played.variants.choose("a");
  played.variants.choose("b");
  await played.variants.remove("a");
  assert.deepEqual([names(played), played.variants.chosen, played.variants.canCompare], [["b", "c"], ["b"], false]);
});

test("each role sees the buttons that it may use", () => {
  const may = (role: Project["role"], caller: string | null) => {
    const { variants } = new Played(role, caller);
    return [variants.maySave, variants.mayChange(variant("a", "me")), variants.mayChange(variant("a", "other"))];
  };
  assert.deepEqual(may("viewer", "me"), [false, false, false]);
  assert.deepEqual(may("evaluator", "me"), [true, true, false]);
  assert.deepEqual(may("evaluator", null), [true, false, false]);
  assert.deepEqual(may("editor", null), [true, true, true]);
});

test("values of a comparison are texts for people", () => {
  assert.deepEqual([null, true, "S355", [1, 2.5], 12000].map(textOf), ["–", "yes", "S355", "1, 2.5", "12\u2009000"]);
  const loads = [{ at: 6, kind: "live" }, { at: 9.5, kind: null }];
  assert.equal(textOf(loads.slice(0, 1)), "1 row: 6, live");
  assert.equal(textOf(loads), "2 rows: 6, live; 9.5, –");
  assert.equal(textOf([...loads, ...loads]), "4 rows: 6, live; 9.5, –; 6, live; …");
  assert.equal(textOf([]), "0 rows");
});

test("an STL is asked for in the unit of its model", () => {
  const url = "/v1/evaluations/e/geometry/tower";
  assert.equal(urlIn({ url, unit: "mm" }, "stl"), `${url}.stl?unit=mm`);
  assert.equal(urlIn({ url, unit: null }, "stl"), `${url}.stl`);
  assert.equal(urlIn({ url: `${url}?unit=ft`, unit: "ft" }, "stl"), `${url}.stl?unit=ft`);
  assert.equal(urlIn({ url, unit: "mm" }, "3mf"), `${url}.3mf`, "a 3MF names its unit itself");
  assert.equal(urlIn({ url, unit: "mm" }, "glb"), url);
});
