// <catenary-workspace>: the inputs, the 3D view, the numbers and the comments of a design, side by side.
import { html, type PropertyValues } from "lit";
import type { Client } from "../api/client.ts";
import { fileCalls } from "../api/files.ts";
import type { Camera, Evaluation, Project, Variant, View } from "../api/types.ts";
import { variantCalls } from "../api/variants.ts";
import { viewCalls } from "../api/views.ts";
import type { Address } from "../state/address.ts";
import { BEGINNING, isFiltered, type Beside } from "../state/beside.ts";
import type { Design } from "../state/design.ts";
import type { StudyProgress } from "../state/explore.ts";
import type { Happening } from "../state/feed.ts";
import type { FileCalls } from "../state/input_files.ts";
import type { GeometryFile } from "../state/geometry_files.ts";
import { Views } from "../state/views.ts";
import { common } from "../texts/common.ts";
import { workspace as texts } from "../texts/page.ts";
import { designsOf, loadDesigns } from "./designs_tab.ts";
import "./discussion.ts";
import type { Marked } from "./discussion.ts";
import { inputsOf } from "./inputs.ts";
import { lazily } from "./lazily.ts";
import { LightElement, messageOf } from "./light.ts";
import { loadModels, modelsOf } from "./models_tab.ts";
import { outputsOf } from "./outputs.ts";
import { tabsOf } from "./tabs.ts";
import "./variants.ts";
import type { Picked } from "./viewer.ts";
import "./viewer.ts";

const loadHistory = lazily(() => import("./evaluations.ts"));

type Left = "inputs" | "variants" | "history" | "designs" | "models";
type Right = "results" | "comments";
type Opened = Pick<Evaluation, "evaluation_id" | "parameters">;

export class CatenaryWorkspace extends LightElement {
  static override properties = {
    client: { attribute: false },
    project: { attribute: false },
    design: { attribute: false },
    callerId: { attribute: false },
    onlyVariant: { attribute: false },
    models: { attribute: false },
    askedAt: { attribute: false },
    isFetching: { attribute: false },
    notice: { attribute: false },
    empty: { attribute: false },
    runId: { attribute: false },
    wanted: { attribute: false },
    left: { state: true },
    right: { state: true },
    variant: { state: true },
    variants: { state: true },
    marked: { state: true },
    picked: { state: true },
    picking: { state: true },
  };
  declare client: Client;
  declare project: Project;
  declare design: Design;
  /** Id of the caller; null where it is not known. */
  declare callerId: string | null;
  /** The variant that is shown alone, as by a link to it; null for a whole project. */
  declare onlyVariant: Variant | null;
  declare models: readonly GeometryFile[];
  /** When somebody changed the values of these models; null where nobody waits for the picture. */
  declare askedAt: number | null;
  /** Whether the geometry of a stored design is under way. */
  declare isFetching: boolean;
  /** What happened to the design beside its own results. */
  declare notice: string;
  /** Why there is no result; empty where one is to come. */
  declare empty: string;
  /** Id of the version that runs as a draft; null for the deployed one. */
  declare runId: string | null;
  /** What the address names. */
  declare wanted: Address;
  declare left: Left;
  declare right: Right;
  /** The variant that was opened. */
  declare variant: Variant | null;
  declare variants: readonly Variant[];
  declare marked: Marked;
  /** The place of a comment that is being written. */
  declare picked: Picked | null;
  declare picking: boolean;
  private files: FileCalls | null = null;
  /** The saved views; null where a variant is shown alone. */
  private views: Views | null = null;
  /** Id of the evaluation that was opened last. */
  private opened = "";

  constructor() {
    super();
    this.callerId = null;
    this.onlyVariant = null;
    this.models = [];
    this.askedAt = null;
    this.isFetching = false;
    this.notice = "";
    this.empty = "";
    this.runId = null;
    this.left = "inputs";
    this.right = "results";
    this.forget();
  }

  private forget(): void {
    this.variant = null;
    this.variants = [];
    this.marked = { markers: [], open: 0 };
    this.pick(null);
  }

  protected override willUpdate(changed: PropertyValues): void {
    const before = changed.get("project") as Project | undefined;
    if (before !== undefined && before.project_id !== this.project.project_id) this.forget();
    if (before?.project_id !== this.project.project_id || changed.has("client")) this.files = fileCalls(this.client, this.project.project_id);
    if (changed.has("client") || (changed.has("project") && before?.project_id !== this.project.project_id)) void this.beginViews();
    if (this.views !== null) this.views.role = this.project.role;
    if (changed.has("wanted") && this.onlyVariant === null) this.goTo(this.wanted.beside);
    if (changed.has("onlyVariant") && this.onlyVariant !== null) this.variant = this.onlyVariant;
  }

  protected override updated(changed: PropertyValues): void {
    const { view } = this.wanted.beside;
    if (changed.has("wanted") && view !== null) this.querySelector("catenary-viewer")?.showAs(view);
    if (["left", "right", "variant"].some((name) => changed.has(name))) this.tell("beside-changed");
  }

  /** Show what an address names, but for the 3D view. */
  private goTo({ tab, isCommenting, variant, designs }: Beside): void {
    void this.chooseLeft(designs !== null ? "designs" : tab === "models" && this.client.isLink ? "inputs" : (tab ?? "inputs"));
    this.right = isCommenting ? "comments" : "results";
    if (variant === null) this.variant = null;
    else if (variant !== this.variant?.variant_id) void this.reopen(variant);
  }

  /** What is shown beside the design's values, for the address. */
  get beside(): Partial<Beside> {
    const { left, right, variant, views } = this;
    const charts = this.querySelector("catenary-designs")?.beside ?? this.wanted.beside; // its code may not be loaded yet
    return {
      ...charts,
      designs: left === "designs" ? charts.designs : null,
      tab: left === "inputs" || left === "designs" ? null : left,
      isCommenting: right === "comments",
      variant: this.onlyVariant === null ? (variant?.variant_id ?? null) : null,
      saved: views?.opened ?? null,
      view: this.querySelector("catenary-viewer")?.appearance ?? null,
    };
  }

  /** Take an event of the project. */
  hear(happening: Happening): void {
    if (happening.type.startsWith("comment.")) this.querySelector("catenary-discussion")?.follow(happening);
    else if (happening.type.startsWith("project.view.")) void this.views?.follow(happening).catch(() => undefined);
    else if (happening.type === "model.batch.completed" || happening.type === "model.study.completed") this.querySelector("catenary-designs")?.hear?.();
    else if (happening.type === "model.study.progressed") this.querySelector("catenary-designs")?.follow?.(happening.data["study"] as StudyProgress);
    else if (happening.type.startsWith("project.variant.") || this.isOfVariant(happening)) void this.querySelector("catenary-variants")?.refresh();
  }

  /** Tell whether an event tells of the evaluation of a listed variant. */
  private isOfVariant({ data }: Happening): boolean {
    const { evaluation_id } = (data["evaluation"] ?? {}) as Partial<Opened>;
    return this.variants.some((one) => one.evaluation.evaluation_id === evaluation_id);
  }

  /** Read comments, variants and saved views again, as after events that were missed. */
  readAgain(): void {
    void this.querySelector("catenary-discussion")?.reload();
    void this.querySelector("catenary-variants")?.refresh();
    this.querySelector("catenary-designs")?.hear?.(); // its code may not be loaded yet
    void this.views?.load().catch(() => undefined);
  }

  private openVariant(variant: Variant): Promise<void> {
    this.variant = variant;
    return this.openEvaluation(variant.evaluation);
  }

  /** Open a stored evaluation; those who may evaluate go on from its values. */
  private async openEvaluation({ evaluation_id, parameters }: Opened): Promise<void> {
    this.opened = evaluation_id;
    if (this.project.role !== "viewer") return this.design.replace(parameters);
    try {
      const evaluation = await this.client.stored(evaluation_id); // lists have no tables and no logs
      if (this.opened === evaluation_id) this.design.adopt(evaluation);
    } catch (error) {
      this.tell("failed", messageOf(error));
    }
  }

  /** Open the variant of a comment. */
  private async wantVariant(variantId: string): Promise<void> {
    try {
      const known = this.variants.find((one) => one.variant_id === variantId);
      await this.openVariant(known ?? (await variantCalls(this.client, this.project.project_id).read(variantId)));
    } catch (error) {
      this.tell("failed", messageOf(error));
    }
  }

  /** Open the variant of an address; its values are those of the address for who may evaluate. */
  private async reopen(variantId: string): Promise<void> {
    const { wanted, project } = this;
    try {
      const found = await variantCalls(this.client, project.project_id).read(variantId);
      if (wanted !== this.wanted || found.project_id !== project.project_id) return;
      if (project.role === "viewer") await this.openVariant(found);
      else this.variant = found;
    } catch (error) {
      this.tell("failed", messageOf(error));
    }
  }

  private takeVariants(variants: readonly Variant[]): void {
    this.variants = variants;
    const open = this.variant?.variant_id;
    this.variant = variants.find((one) => one.variant_id === open) ?? this.variant;
  }

  /** Read the saved views, and open the default one. A list that can't be read is tried again when it is opened. */
  private async beginViews(): Promise<void> {
    this.views = null;
    if (this.onlyVariant !== null) return;
    const views = (this.views = new Views(viewCalls(this.client, this.project.project_id), () => {
      this.requestUpdate();
      this.querySelector("catenary-views")?.requestUpdate();
    }));
    await views.load().catch(() => undefined);
    if (views !== this.views) return;
    const { values, beside } = this.wanted;
    const isDressed = beside.view !== null || isFiltered(beside);
    const named = views.list.find(({ view_id }) => view_id === beside.saved);
    const found = named ?? (values.size === 0 && !isDressed ? views.initial : null);
    if (found !== null) this.openView(found, beside);
  }

  /** Open a saved view; what an address says of the 3D view and of filters goes before it. */
  private openView(view: View, address: Beside = BEGINNING): void {
    this.views?.open(view);
    this.querySelector("catenary-designs")?.show?.(view, address); // its code may not be loaded yet
    if (view.viewer !== null && address.view === null) this.querySelector("catenary-viewer")?.showAs(view.viewer);
  }

  private savedViews(views: Views) {
    const shown = () => this.querySelector("catenary-viewer")?.settings() ?? null;
    const charts = () => this.querySelector("catenary-designs")?.saved?.() ?? null;
    return html`<catenary-views .views=${views} .shown=${shown} .charts=${charts} @view-opened=${(event: CustomEvent<View>) => this.openView(event.detail)}></catenary-views>`;
  }

  private pick(picked: Picked | null): void {
    this.picking = false;
    this.picked = picked;
  }

  private openThread(id: string): void {
    this.right = "comments";
    void this.querySelector("catenary-discussion")?.open(id);
  }

  private async chooseLeft(name: Left): Promise<void> {
    this.left = name;
    const load = { models: loadModels, designs: loadDesigns, inputs: null, variants: null, history: loadHistory }[name];
    await load?.().catch((error: unknown) => this.tell("failed", messageOf(error)));
  }

  private inputs() {
    const inputs = html`${inputsOf(this.design, this.client.isLink ? "link" : this.onlyVariant !== null ? "shared" : this.project.role, this.files!, this.views?.shaping?.controls)}`;
    if (this.onlyVariant !== null) return html`<div class="inputs">${inputs}</div>`;
    const variants = html`<catenary-variants
      .client=${this.client}
      .project=${this.project}
      .parameters=${this.design.parameters}
      .callerId=${this.callerId}
      .keep=${() => this.design.keep()}
      @variant-opened=${(event: CustomEvent<Variant>) => void this.openVariant(event.detail)}
      @variants-listed=${(event: CustomEvent<readonly Variant[]>) => this.takeVariants(event.detail)}
    ></catenary-variants>`;
    const history = html`<catenary-evaluations
      .client=${this.client}
      .project=${this.project}
      .parameters=${this.design.parameters}
      .active=${this.left === "history"}
      .kept=${this.design.kept?.evaluation_id ?? null}
    ></catenary-evaluations>`;
    const designs = designsOf(this.client, this.project, this.design, { id: this.callerId, isDraft: this.runId !== null }, this.views?.shaping ?? null, this.wanted.beside, this.left === "designs");
    const tabs = [
      { name: "inputs", label: common.inputs, content: inputs },
      { name: "variants", label: common.variants, content: variants },
      { name: "history", label: texts.history, content: history },
      { name: "designs", label: texts.designs, content: designs },
      ...(this.client.isLink ? [] : [{ name: "models", label: common.models, content: html`${modelsOf(this.client, this.project, this.callerId, this.left === "models", this.runId)}` } as const]),
    ] as const;
    const opened = (event: CustomEvent<Opened>) => {
      this.variant = null;
      void this.openEvaluation(event.detail);
    };
    return html`<div class="inputs" @evaluation-opened=${opened}>${tabsOf<Left>(texts.design, this.left, tabs, (name) => void this.chooseLeft(name))}</div>`;
  }

  private outputs() {
    const comments = html`<catenary-discussion
      .client=${this.client}
      .project=${this.project}
      .role=${this.onlyVariant?.role ?? this.project.role}
      .callerId=${this.callerId}
      .variant=${this.variant}
      .isOfVariant=${this.onlyVariant !== null}
      .variants=${this.variants}
      .picked=${this.picked}
      @marked=${(event: CustomEvent<Marked>) => (this.marked = event.detail)}
      @camera-wanted=${(event: CustomEvent<Camera>) => this.querySelector("catenary-viewer")?.lookFrom(event.detail)}
      @variant-wanted=${(event: CustomEvent<string>) => this.wantVariant(event.detail)}
      @place-wanted=${() => (this.picking = true)}
      @place-dropped=${() => this.pick(null)}
    ></catenary-discussion>`;
    const { open } = this.marked;
    const tabs = [
      { name: "results", label: texts.results, content: html`${outputsOf(this.design, this.client, this.models, this.notice, this.empty, this.views?.shaping?.metrics)}` },
      { name: "comments", label: open > 0 ? texts.commentsOpen(open) : common.comments, content: comments },
    ] as const;
    return html`<section class="outputs" aria-label=${texts.resultsAndComments}>${tabsOf<Right>(texts.resultsAndComments, this.right, tabs, (name) => (this.right = name))}</section>`;
  }

  private view() {
    return html`<catenary-viewer
      .models=${this.models}
      .askedAt=${this.askedAt}
      .busy=${this.design.busy || this.isFetching || (this.design.outcome === null && !this.empty && !this.design.failure)}
      .markers=${this.marked.markers}
      .picking=${this.picking}
      .saved=${this.views && this.savedViews(this.views)}
      @place-picked=${(event: CustomEvent<Picked>) => this.pick(event.detail)}
      @pick-cancelled=${() => (this.picking = false)}
      @marker-clicked=${(event: CustomEvent<string>) => this.openThread(event.detail)}
    ></catenary-viewer>`;
  }

  override render() {
    this.classList.toggle("wide", this.left === "models");
    this.classList.toggle("charting", this.left === "designs");
    return html`${this.inputs()} ${this.view()} ${this.outputs()}`;
  }
}
customElements.define("catenary-workspace", CatenaryWorkspace);

declare global {
  interface HTMLElementTagNameMap {
    "catenary-viewer": import("./viewer.ts").CatenaryViewer;
    "catenary-variants": import("./variants.ts").CatenaryVariants;
    "catenary-workspace": CatenaryWorkspace;
  }
}
