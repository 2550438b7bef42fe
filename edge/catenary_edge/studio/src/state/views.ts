// The saved views of a project: which one is open, and how they are changed without the loss of anybody's work.
import { ApiError } from "../api/client.ts";
import type { Measured, Parameter, Project, View, ViewChart, ViewControl, ViewerSettings } from "../api/types.ts";
import { views as texts } from "../texts/view.ts";
import type { Happening } from "./feed.ts";
import { Fresh } from "./fresh.ts";

/** What a view is saved with. */
export type ViewContent = Pick<View, "name" | "is_default" | "viewer" | "charts" | "controls" | "metrics">;

/** The calls of the API that views need. */
export interface ViewCalls {
  list(): Promise<View[]>;
  read(viewId: string): Promise<{ value: View; tag: string }>;
  save(content: ViewContent): Promise<View>;
  /** Replaces a view whole, if its entity tag still holds. */
  replace(viewId: string, content: ViewContent, tag: string): Promise<View>;
  remove(viewId: string, tag: string): Promise<unknown>;
}

const PRECONDITION_FAILED = 412;
const NOT_FOUND = 404;

function contentOf({ name, is_default, viewer, charts, controls, metrics }: View): ViewContent {
  return { name, is_default, viewer, charts, controls, metrics };
}

/** Keeps the list as the server has it. A call that fails throws; a view that somebody else changed is then shown as it is now. */
export class Views {
  list: readonly View[] = [];
  /** Id of the view that was opened last. */
  opened: string | null = null;
  role: Project["role"] = "viewer";
  private readonly fresh: Fresh<View[]>;

  constructor(
    private readonly calls: ViewCalls,
    private readonly changed: () => void = () => undefined,
  ) {
    this.fresh = new Fresh(() => calls.list(), (list) => this.put(list));
  }

  get mayChange(): boolean {
    return this.role === "editor" || this.role === "owner";
  }

  /** The view that opens with the project; null without one. */
  get initial(): View | null {
    return this.list.find((one) => one.is_default) ?? null;
  }

  /** The view that was opened; null without one. */
  get current(): View | null {
    return this.list.find((one) => one.view_id === this.opened) ?? null;
  }

  /** The view that shapes inputs and results: the opened one, else the default; null without either. */
  get shaping(): View | null {
    return this.current ?? this.initial;
  }

  load(): Promise<void> {
    return this.fresh.read();
  }

  /** Follow an event: it has neither the 3D view nor charts and controls, so the view is read. */
  async follow({ type, data }: Happening): Promise<void> {
    const told = data["view"] as unknown as Pick<View, "view_id"> | undefined;
    if (told === undefined) return;
    const found = type === "project.view.deleted" ? null : await this.found(told.view_id);
    if (found === null) this.drop(told.view_id);
    else this.take(found);
  }

  open(view: View): void {
    this.opened = view.view_id;
    this.changed();
  }

  /** Save what is shown under a name, with controls and metrics of the view that shapes the page, and its charts where nobody has chosen others. */
  async save(name: string, shown: ViewerSettings | null, chosen: ViewChart[] | null): Promise<View> {
    const { charts = [], controls = [], metrics = [], viewer = null } = this.shaping ?? {};
    const made = await this.calls.save({ name: name.trim(), is_default: false, viewer: shown ?? viewer, charts: chosen ?? charts, controls, metrics });
    this.opened = made.view_id;
    this.take(made);
    return made;
  }

  rename(view: View, name: string): Promise<void> {
    return this.change(view, { name: name.trim() });
  }

  /** Make a view the one that opens with the project, or no longer. */
  async setDefault(view: View, isDefault: boolean): Promise<void> {
    await this.change(view, { is_default: isDefault });
    await this.load().catch(() => undefined); // the one before is no longer
  }

  /** Put what is shown in the place of a view's 3D settings and charts, where there is any; all else of it stays. */
  async replace(view: View, shown: ViewerSettings | null, charts: ViewChart[] | null): Promise<void> {
    await this.change(view, { ...(shown && { viewer: shown }), ...(charts && { charts }) });
    this.open(view);
  }

  async remove(view: View): Promise<void> {
    await this.guarded(view, (_, tag) => this.calls.remove(view.view_id, tag));
    this.drop(view.view_id);
  }

  private async change(view: View, fields: Partial<ViewContent>): Promise<void> {
    this.take(await this.guarded(view, (present, tag) => this.calls.replace(view.view_id, { ...contentOf(present), ...fields }, tag)));
  }

  /** Do something with a view as the server has it, unless that is another than the one that the person sees. */
  private async guarded<Result>(view: View, work: (present: View, tag: string) => Promise<Result>): Promise<Result> {
    try {
      const { value, tag } = await this.calls.read(view.view_id);
      if (value.updated_at === view.updated_at) return await work(value, tag);
    } catch (error) {
      const status = error instanceof ApiError ? error.status : 0;
      if (status !== NOT_FOUND && status !== PRECONDITION_FAILED) throw error;
    }
    await this.load();
    const isGone = this.list.every((one) => one.view_id !== view.view_id);
    throw new Error(isGone ? texts.deleted(view.name) : texts.changed(view.name));
  }

  /** Read a view; null where it is gone. */
  private async found(viewId: string): Promise<View | null> {
    try {
      return (await this.calls.read(viewId)).value;
    } catch (error) {
      if (error instanceof ApiError && error.status === NOT_FOUND) return null;
      throw error;
    }
  }

  /** Take a view as the server has it, unless a newer state of it is known. */
  private take(view: View): void {
    this.fresh.note();
    const known = this.list.find((one) => one.view_id === view.view_id);
    if (known === undefined) this.put([view, ...this.list]);
    else if (known.updated_at <= view.updated_at) this.put(this.list.map((one) => (one === known ? view : one)));
  }

  private drop(viewId: string): void {
    this.fresh.note();
    this.put(this.list.filter((one) => one.view_id !== viewId));
  }

  private put(list: readonly View[]): void {
    this.list = list;
    this.changed();
  }
}

/** Return parameters as controls show them: in their order, others behind, with their own groups and labels; hidden ones are left out. */
export function arranged(parameters: readonly Parameter[], controls: readonly ViewControl[]): readonly Parameter[] {
  if (controls.length === 0) return parameters;
  const known = new Map(parameters.map((one) => [one.name, one]));
  const first = controls.flatMap(({ parameter, group, label, hidden }): Parameter[] => {
    const one = known.get(parameter);
    known.delete(parameter);
    if (one === undefined || hidden) return [];
    return [group || label ? { ...one, group: group || one.group, label: label || one.label } : one];
  });
  return [...first, ...known.values()];
}

/** Tell whether a control shows the number of a parameter without a slider. */
export function isPlain(name: string, controls: readonly ViewControl[]): boolean {
  const widget = controls.find((one) => one.parameter === name)?.widget;
  return widget === "number" || widget === "text";
}

/** Return the metrics of the names, in their order; all of them where no name is given. */
export function selected(all: [string, Measured][], names: readonly string[]): [string, Measured][] {
  return names.length === 0 ? all : names.flatMap((name) => all.filter(([one]) => one === name));
}
