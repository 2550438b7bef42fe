import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "../../../edge/catenary_edge/studio/src/api/client.ts";
import type { Measured, Parameter, Project, View, ViewControl, ViewerSettings } from "../../../edge/catenary_edge/studio/src/api/types.ts";
import { Views, arranged, isPlain, selected, type ViewCalls, type ViewContent } from "../../../edge/catenary_edge/studio/src/state/views.ts";

const SHOWN: ViewerSettings = { camera: null, section: null, background: "dark", edges: true, hidden_parts: ["core"], colors: {}, length_unit: "m" };

function view(id: string, fields: Partial<View> = {}): View {
  const plain = { name: id, is_default: false, viewer: null, charts: [], controls: [], metrics: [], omitted: [], updated_at: "2030-01-01T00:00:00Z" };
  return { view_id: id, project_id: "p", created_by: null, created_at: "2030-01-01T00:00:00Z", deleted_at: null, ...plain, ...fields };
}

/** Views over a server that has some of them, which others may change. */
class Played implements ViewCalls {
  readonly asked: string[] = [];
  readonly sent: ViewContent[] = [];
  rows: View[] = [view("a", { charts: [{ kind: "bar", axes: ["height"], color_by: null, filters: {} }], metrics: ["height"] }), view("b", { is_default: true })];
  /** What happens between a reading of a view and its change. */
  meanwhile: () => void = () => undefined;
  readonly views = new Views(this);

  private one(viewId: string): View {
    const found = this.rows.find((one) => one.view_id === viewId);
    if (found === undefined) throw new ApiError(404, "NOT_FOUND", "There is no such view.");
    return found;
  }

  private held(viewId: string, tag: string): View {
    this.meanwhile();
    const found = this.one(viewId);
    if (tag !== found.updated_at) throw new ApiError(412, "PRECONDITION_FAILED", "The view has changed.");
    return found;
  }

  async list(): Promise<View[]> {
    return [...this.rows];
  }

  async read(viewId: string) {
    const value = this.one(viewId);
    return { value, tag: value.updated_at };
  }

  async save(content: ViewContent): Promise<View> {
    this.sent.push(content);
    return view("new", content);
  }

  async replace(viewId: string, content: ViewContent, tag: string): Promise<View> {
    const found = this.held(viewId, tag);
    this.asked.push(`replace ${viewId}`);
    this.sent.push(content);
    const changed = { ...found, ...content, updated_at: "2030-01-04T00:00:00Z" };
    this.rows = this.rows.map((one) => (one === found ? changed : content.is_default ? { ...one, is_default: false } : one));
    return changed;
  }

  async remove(viewId: string, tag: string): Promise<void> {
    this.held(viewId, tag);
    this.asked.push(`remove ${viewId}`);
  }

  /** Change a view as somebody else. */
  touch(viewId: string): void {
    this.rows = this.rows.map((one) => (one.view_id === viewId ? { ...one, name: "theirs", updated_at: "2030-01-03T00:00:00Z" } : one));
  }
}

async function played(role: Project["role"] = "owner"): Promise<Played> {
  const found = new Played();
  found.views.role = role;
  await found.views.load();
  return found;
}

const found = ({ views }: Played, id: string) => views.list.find((one) => one.view_id === id)!;

test("editors and owners alone change views", async () => {
  for (const [role, may] of [["viewer", false], ["evaluator", false], ["editor", true], ["owner", true]] as const) {
    assert.equal((await played(role)).views.mayChange, may, role);
  }
});

test("the opened view shapes the page, else the default", async () => {
  const { views } = await played();
  assert.equal(views.shaping?.view_id, "b");
  views.open(views.list[0]!);
  assert.equal(views.shaping?.view_id, "a");
});

test("a saved view takes what the page shows and is open", async () => {
  const one = await played();
  one.views.open(found(one, "a"));
  await one.views.save("  Cut  ", SHOWN, null);
  const [{ name, viewer, charts, metrics, is_default }] = one.sent as [ViewContent];
  assert.deepEqual([name, viewer, charts.length, metrics, is_default], ["Cut", SHOWN, 1, ["height"], false]);
  assert.deepEqual([one.views.opened, one.views.list[0]!.name], ["new", "Cut"]);
});

test("a replaced view loses nothing that the page lacks", async () => {
  const one = await played();
  await one.views.replace(found(one, "a"), SHOWN, null);
  const [{ name, viewer, charts, metrics }] = one.sent as [ViewContent];
  assert.deepEqual([name, viewer, charts, metrics], ["a", SHOWN, found(one, "a").charts, ["height"]]);
  assert.equal(one.views.opened, "a");
});

test("charts that somebody chose are saved in place of those before", async () => {
  const one = await played();
  const chosen = [{ kind: "scatter" as const, axes: ["height", "mass"], color_by: null, filters: {} }];
  one.views.open(found(one, "a"));
  await one.views.save("Cut", null, chosen);
  await one.views.replace(found(one, "a"), null, []);
  assert.deepEqual(one.sent.map(({ charts }) => charts), [chosen, []]);
  assert.equal(one.sent[1]!.viewer, found(one, "a").viewer);
});

test("a new default takes the place of the former one", async () => {
  const one = await played();
  await one.views.setDefault(found(one, "a"), true);
  assert.deepEqual(one.views.list.map((two) => two.is_default), [true, false]);
  await one.views.setDefault(found(one, "a"), false);
  assert.equal(one.views.initial, null);
});

test("what somebody else changed before is told and shown", async () => {
  const one = await played();
  const seen = found(one, "a");
  one.touch("a");
  await assert.rejects(one.views.rename(seen, "mine"), /Somebody else changed “a” meanwhile/);
  assert.deepEqual([found(one, "a").name, one.asked], ["theirs", []]);
  await one.views.rename(found(one, "a"), "mine");
  assert.equal(found(one, "a").name, "mine");
});

test("what somebody else changes at that moment is told", async () => {
  const one = await played();
  one.meanwhile = () => one.touch("a");
  await assert.rejects(one.views.remove(found(one, "a")), /Somebody else changed “a” meanwhile/);
  assert.deepEqual([found(one, "a").name, one.asked], ["theirs", []]);
});

test("a view that somebody else deleted leaves the list", async () => {
  const one = await played();
  const seen = found(one, "a");
  one.rows = one.rows.filter((two) => two.view_id !== "a");
  await assert.rejects(one.views.rename(seen, "mine"), /Somebody else deleted “a” meanwhile/);
  assert.deepEqual(one.views.list.map((two) => two.view_id), ["b"]);
});

test("a deleted view leaves the list", async () => {
  const one = await played();
  await one.views.remove(found(one, "a"));
  assert.deepEqual([one.views.list.map((two) => two.view_id), one.asked], [["b"], ["remove a"]]);
});

const event = (type: string, viewId: string) => ({ id: "e", type, data: { view: { view_id: viewId } } });
const names = ({ views }: Played) => views.list.map((two) => two.name);

test("views that others save, change and delete are followed", async () => {
  const one = await played("viewer");
  one.rows = [view("new"), ...one.rows];
  await one.views.follow(event("project.view.created", "new"));
  one.touch("a");
  await one.views.follow(event("project.view.updated", "a"));
  assert.deepEqual(names(one), ["new", "theirs", "b"]);
  await one.views.follow(event("project.view.deleted", "b"));
  one.rows = one.rows.filter((two) => two.view_id !== "new");
  await one.views.follow(event("project.view.updated", "new"));
  assert.deepEqual(names(one), ["theirs"]);
  await one.views.follow({ id: "e", type: "project.view.created", data: {} });
});

test("an event of one's own view tells nothing twice", async () => {
  const one = await played();
  one.rows = [view("new", { name: "Cut" }), ...one.rows];
  await one.views.follow(event("project.view.created", "new"));
  await one.views.save("Cut", SHOWN);
  assert.deepEqual(names(one), ["Cut", "a", "b"]);
});

test("an older state of a view that comes late is passed over", async () => {
  const one = await played();
  const old = one.rows;
  await one.views.rename(found(one, "a"), "mine");
  one.rows = old;
  await one.views.follow(event("project.view.updated", "a"));
  assert.equal(found(one, "a").name, "mine");
});

test("an event that can't be followed leaves the list as it was", async () => {
  const one = await played();
  one.read = () => Promise.reject(new ApiError(0, "UNREACHABLE", "The server can't be reached."));
  await assert.rejects(one.views.follow(event("project.view.updated", "a")), /can't be reached/);
  assert.deepEqual(names(one), ["a", "b"]);
});

test("other refusals are passed on as they are", async () => {
  const one = await played();
  one.meanwhile = () => {
    throw new ApiError(409, "MODEL_NOT_DEPLOYED", "The project has no deployed model version.");
  };
  await assert.rejects(one.views.rename(found(one, "a"), "x"), /no deployed model version/);
});

const parameter = (name: string, group: string | null = null) => ({ name, label: name, group }) as unknown as Parameter;
const control = (name: string, fields: Partial<ViewControl> = {}): ViewControl => ({ parameter: name, widget: null, group: "", label: "", hidden: false, ...fields });

test("controls order, name, group and hide inputs", () => {
  const all = [parameter("a", "size"), parameter("b"), parameter("c"), parameter("d")];
  const controls = [control("c"), control("gone"), control("a", { group: "Roof", label: "Width" }), control("b", { hidden: true })];
  const shown = arranged(all, controls).map((one) => [one.name, one.label, one.group]);
  assert.deepEqual(shown, [["c", "c", null], ["a", "Width", "Roof"], ["d", "d", null]]);
  assert.equal(arranged(all, []), all);
});

test("a number as text or number has no slider", () => {
  const controls = [control("a", { widget: "number" }), control("b", { widget: "text" }), control("c", { widget: "slider" })];
  assert.deepEqual(["a", "b", "c", "d"].map((one) => isPlain(one, controls)), [true, true, false, false]);
});

test("metrics of a view are shown in its order", () => {
  const metrics = ["mass", "height", "cost"].map((name): [string, Measured] => [name, { value: 1, unit: "m" }]);
  assert.deepEqual(selected(metrics, ["height", "gone", "mass"]).map(([name]) => name), ["height", "mass"]);
  assert.deepEqual(selected(metrics, []).map(([name]) => name), ["mass", "height", "cost"]);
});
