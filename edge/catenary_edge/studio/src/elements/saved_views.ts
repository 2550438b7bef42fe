// <catenary-views>: the saved views of a project, over the 3D view; loaded when they are first opened.
import { html, nothing } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { ApiError } from "../api/client.ts";
import type { View, ViewChart, ViewerSettings } from "../api/types.ts";
import type { Views } from "../state/views.ts";
import { common } from "../texts/common.ts";
import { savedViews as texts } from "../texts/saved_views.ts";
import { AskingElement, textOfField } from "./asking.ts";
import { icon } from "./icons.ts";

/** What is asked of the person at the moment. */
type Asking = { kind: "save" } | { kind: "rename" | "replace" | "delete"; view: View };


export class CatenaryViews extends AskingElement<Asking> {
  static override properties = { views: { attribute: false }, shown: { attribute: false }, charts: { attribute: false }, chosen: { state: true } };
  /** Changes in place. */
  declare views: Views;
  /** Returns what the 3D view shows; null without geometry. */
  declare shown: () => ViewerSettings | null;
  /** Returns the charts of many designs; null where nobody has chosen any. */
  declare charts: () => ViewChart[] | null;
  /** Id of the view whose changes are offered. */
  declare chosen: string | null;
  /** The view that is asked about, as the person has seen it: events may have brought a newer state into the list since. */
  private seen: View | null = null;

  constructor() {
    super();
    this.chosen = null;
  }

  protected override firstUpdated(): void {
    this.querySelector<HTMLElement>(".panel button")?.focus();
    void this.attempt(() => this.views.load()); // events may come late, or by no socket at all
  }

  protected override ask(asking: Asking | null): void {
    super.ask(asking);
    this.seen = asking === null || asking.kind === "save" ? null : asking.view;
  }

  protected override noteFailure(error: unknown): void {
    if (!(error instanceof ApiError)) this.seen &&= this.asNow(this.seen); // a conflict, which is told: now it has been seen
  }

  /** Close what is asked, before the list itself. */
  private escape(event: KeyboardEvent): void {
    if (event.key !== "Escape" || this.asking === null) return;
    event.stopPropagation();
    this.ask(null);
    this.querySelector<HTMLElement>(".panel button")?.focus();
  }

  private async replace(view: View): Promise<void> {
    const [shown, charts] = [this.shown(), this.charts()];
    if (shown === null && charts === null) throw new Error(texts.nothingShown);
    await this.views.replace(this.seen ?? view, shown, charts);
  }

  /** Return a view as the list has it now. */
  private asNow(view: View): View {
    return this.views.list.find((one) => one.view_id === view.view_id) ?? view;
  }

  private nameForm(asking: Asking) {
    return this.form(this.nameField(asking.kind === "save" ? "" : asking.view.name), (form) => {
      const name = textOfField(form, "name");
      return asking.kind === "save" ? this.views.save(name, this.shown(), this.charts()) : this.views.rename(this.seen ?? asking.view, name);
    });
  }

  private asked(asking: Asking, view: View) {
    if (asking.kind === "rename") return this.nameForm(asking);
    if (asking.kind === "replace") return this.question(texts.replacing(view.name), texts.replace, () => this.replace(view), false);
    return this.question(common.deletesForAll(view.name), common.delete, () => this.views.remove(this.seen ?? view));
  }

  private changes(view: View) {
    const { asking } = this;
    if (asking !== null && asking.kind !== "save" && asking.view.view_id === view.view_id) return this.asked(asking, view);
    const button = (label: string, act: () => void) => html`<button class="quiet small" aria-label=${texts.button(label, view.name)} ?disabled=${this.busy} @click=${act}>${label}</button>`;
    return html`${view.omitted.length > 0 ? html`<p class="soft">${texts.lacks(view.omitted.join(", "))}</p>` : nothing}
      <div class="bar small">
        ${button(texts.replace, () => this.ask({ kind: "replace", view }))} ${button(common.rename, () => this.ask({ kind: "rename", view }))}
        ${button(view.is_default ? texts.notDefault : texts.makeDefault, () => void this.attempt(() => this.views.setDefault(view, !view.is_default)))}
        ${button(common.delete, () => this.ask({ kind: "delete", view }))}
      </div>`;
  }

  private choose(view: View): void {
    this.ask(null);
    this.chosen = this.chosen === view.view_id ? null : view.view_id;
  }

  private row(view: View) {
    const { views } = this;
    const isChosen = views.mayChange && this.chosen === view.view_id;
    return html`<li data-view=${view.name}>
      <div class="line">
        <button class="name" title=${view.name} aria-current=${views.opened === view.view_id || nothing} @click=${() => this.tell<View>("view-opened", view)}>${view.name}</button>
        ${view.charts.length > 0 ? html`<span class="tag" title=${texts.chartsHint}>${texts.charts(view.charts.length)}</span>` : nothing}
        ${view.is_default ? html`<span class="tag" title=${texts.defaultHint}>${texts.default}</span>` : nothing}
        ${views.mayChange
          ? html`<button class="action" aria-label=${texts.change(view.name)} title=${texts.changeHint} aria-expanded=${isChosen} @click=${() => this.choose(view)}>${icon("more")}</button>`
          : nothing}
      </div>
      ${isChosen ? this.changes(view) : nothing}
    </li>`;
  }

  override render() {
    const { asking, views } = this;
    return html`<section class="panel" aria-label=${texts.title} @keydown=${(event: KeyboardEvent) => this.escape(event)}>
      <div class="head">
        <h2>${texts.title}</h2>
        ${views.mayChange ? html`<button class="small" ?disabled=${this.busy} @click=${() => this.ask({ kind: "save" })}>${texts.save}</button>` : nothing}
        <button class="action" aria-label=${texts.close} title=${texts.close} @click=${() => this.tell("tool-toggled", "views")}>${icon("close")}</button>
      </div>
      ${asking?.kind === "save" ? this.nameForm(asking) : nothing}
      ${this.failure ? html`<p class="notice bad" role="alert">${this.failure}</p>` : nothing}
      ${views.list.length === 0 && asking === null && !this.busy && !this.failure ? html`<p class="soft">${views.mayChange ? texts.about : texts.none}</p>` : nothing}
      <ul class="saved">
        ${repeat(views.list, (one) => one.view_id, (one) => this.row(one))}
      </ul>
    </section>`;
  }
}
customElements.define("catenary-views", CatenaryViews);
