// <catenary-models>: the models of a project: upload, check, deployment, names, deletion.
import { html, nothing, type PropertyValues } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { ApiError, type Client } from "../api/client.ts";
import { modelCalls } from "../api/models.ts";
import type { Model, ModelVersion, Project } from "../api/types.ts";
import type { Happening } from "../state/feed.ts";
import { Models } from "../state/models.ts";
import { common } from "../texts/common.ts";
import { models as texts } from "../texts/models.ts";
import { deploymentsOf } from "./deployments.ts";
import { LightElement, messageOf } from "./light.ts";
import "./model_version.ts";
import "./upload.ts";
import type { Chosen } from "./upload.ts";

type Asking = { kind: "create" } | { kind: "rename" | "delete"; model: Model } | null;

/** Versions of a model that are shown without being asked for. */
const SHOWN = 3;
const FORBIDDEN = 403;

export class CatenaryModels extends LightElement {
  static override properties = {
    client: { attribute: false },
    project: { attribute: false },
    callerId: { attribute: false },
    active: { attribute: false },
    runId: { attribute: false },
    models: { state: true },
    isLoaded: { state: true },
    asking: { state: true },
    busy: { state: true },
    failure: { state: true },
    edited: { state: true },
  };
  declare client: Client;
  declare project: Project;
  /** Id of the caller; null where it is not known. */
  declare callerId: string | null;
  /** Whether the list is in view: it is read when it first comes into view. */
  declare active: boolean;
  /** Id of the version that the page runs as a draft; null without one. */
  declare runId: string | null;
  declare models: Models | null;
  declare isLoaded: boolean;
  declare asking: Asking;
  declare busy: boolean;
  declare failure: string;
  /** The version whose source is in the editor; null while the list is shown. */
  declare edited: ModelVersion | null;
  /** Id of the deployed version as far as the elements around this one were told. */
  private deployedId: string | null = null;

  constructor() {
    super();
    this.callerId = null;
    this.active = false;
    this.runId = null;
    this.models = null;
    this.isLoaded = false;
    this.asking = null;
    this.busy = false;
    this.failure = "";
    this.edited = null;
  }

  private get mayEdit(): boolean {
    return this.project.role === "editor" || this.project.role === "owner";
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.models?.close();
    this.models = null;
  }

  protected override willUpdate(changed: PropertyValues): void {
    const before = changed.get("project") as Project | undefined;
    if (before !== undefined && before.project_id !== this.project.project_id) {
      this.models?.close();
      this.models = this.edited = null;
    }
    if (this.active && this.models === null) void this.load();
  }

  protected override updated(changed: PropertyValues): void {
    this.querySelector("catenary-editor")?.requestUpdate(); // models change in place
    this.tellDeployed();
    if (changed.has("asking") && this.asking !== null) this.querySelector<HTMLElement>(".asking input, .asking button")?.focus();
  }

  /** Tell that another version is deployed, or none. */
  private tellDeployed(): void {
    const id = this.models?.active?.model_version_id ?? null;
    if (!this.isLoaded || id === this.deployedId) return;
    this.deployedId = id;
    this.tell("deployment-changed");
  }

  private load(): Promise<boolean> {
    const models = (this.models = new Models(modelCalls(this.client, this.project.project_id), () => this.requestUpdate()));
    this.isLoaded = false;
    return this.attempt(async () => {
      await models.load();
      this.isLoaded = true;
    });
  }

  /** Take an event of the project. */
  hear({ type, data }: Happening): void {
    const of = data["model_version"] as { model_id?: string } | undefined;
    void this.models?.hear(type, of?.model_id).catch(() => undefined);
  }

  /** Read all again, as after events that were missed. */
  readAgain(): void {
    if (this.isLoaded) void this.models?.load().then(() => this.requestUpdate(), () => undefined);
  }

  private edit(version: ModelVersion): Promise<boolean> {
    return this.attempt(async () => {
      await import("./editor.ts");
      this.edited = version;
    });
  }

  private editor(models: Models, edited: ModelVersion) {
    return html`<catenary-editor
      .models=${models}
      .version=${edited}
      .mayEdit=${this.mayEdit}
      .deployedId=${models.active?.model_version_id ?? null}
      .runId=${this.runId}
      @editor-left=${() => (this.edited = null)}
    ></catenary-editor>`;
  }

  /** Do some work; tell whether it went well. A failure is told and leaves what is asked open. */
  private async attempt(work: () => Promise<unknown>): Promise<boolean> {
    this.failure = "";
    this.busy = true;
    try {
      await work();
      this.asking = null;
      return true;
    } catch (error) {
      this.failure = messageOf(error);
      if (error instanceof ApiError && error.status === FORBIDDEN) this.tell("role-doubted");
      return false;
    } finally {
      this.busy = false;
    }
  }

  private submit(event: SubmitEvent, asking: NonNullable<Asking>, models: Models): void {
    event.preventDefault();
    const name = String(new FormData(event.target as HTMLFormElement).get("name") ?? "");
    void this.attempt(() => (asking.kind === "create" ? models.create(name) : models.rename((asking as { model: Model }).model, name)));
  }

  private form(asking: NonNullable<Asking>, models: Models) {
    return html`<form class="asking" @submit=${(event: SubmitEvent) => this.submit(event, asking, models)}>
      <label class="field">${texts.nameOf}<input type="text" name="name" required maxlength="200" autocomplete="off" .value=${asking.kind === "create" ? "" : asking.model.name} /></label>
      <div class="bar">
        <button type="submit" ?disabled=${this.busy}>${asking.kind === "create" ? texts.create : common.save}</button>
        <button type="button" class="quiet" @click=${() => (this.asking = null)}>${common.cancel}</button>
      </div>
    </form>`;
  }

  private question(model: Model, models: Models) {
    return html`<div class="asking notice" role="alertdialog" aria-label=${common.deletes(model.name)}>
      <p>${texts.deleting(model.name)}</p>
      <div class="bar">
        <button class="danger" ?disabled=${this.busy} @click=${() => this.attempt(() => models.removeModel(model))}>${common.delete}</button>
        <button class="quiet" @click=${() => (this.asking = null)}>${common.keepIt}</button>
      </div>
    </div>`;
  }

  private version(version: ModelVersion, models: Models, isOpen: boolean) {
    const id = version.model_version_id;
    return html`<li data-version=${version.number}>
      <catenary-model-version
        .version=${version}
        .models=${models}
        .mayEdit=${this.mayEdit}
        .isMine=${this.callerId !== null && version.created_by?.user_id === this.callerId}
        .isDeployed=${models.active?.model_version_id === id}
        .isRun=${this.runId === id}
        .isRollBack=${models.isRollBack(version)}
        .troubled=${models.troubled(version)}
        .isOpen=${isOpen}
      ></catenary-model-version>
    </li>`;
  }

  private versions(model: Model, models: Models) {
    const all = models.versionsOf(model.model_id);
    if (all.length === 0) return html`<p class="soft">${this.mayEdit ? texts.dropHere : texts.noVersion}</p>`;
    const list = (some: readonly ModelVersion[]) =>
      html`<ul class="variants">${repeat(some, (one) => one.model_version_id, (one) => this.version(one, models, one === all[0]))}</ul>`;
    const older = all.slice(SHOWN);
    return html`${list(all.slice(0, SHOWN))}
      ${older.length === 0 ? nothing : html`<details class="older"><summary>${texts.older(older.length)}</summary>${list(older)}</details>`}`;
  }

  private model(model: Model, models: Models) {
    const { asking } = this;
    const isAsked = asking !== null && asking.kind !== "create" && asking.model.model_id === model.model_id;
    return html`<section class="model" data-model=${model.model_id} aria-label=${model.name}>
      <div class="line">
        <h2 class="label">${model.name}</h2>
        ${this.mayEdit
          ? html`<div class="bar small">
              <button class="quiet" aria-label=${texts.newVersionOf(model.name)} @click=${() => this.querySelector("catenary-upload")?.choose(model.model_id)}>${texts.newVersion}</button>
              <button class="quiet" aria-label=${common.renames(model.name)} @click=${() => this.ask({ kind: "rename", model })}>${common.rename}</button>
              <button class="quiet" aria-label=${common.deletes(model.name)} @click=${() => this.ask({ kind: "delete", model })}>${common.delete}</button>
            </div>`
          : nothing}
      </div>
      ${isAsked ? html`${this.told()}${asking.kind === "rename" ? this.form(asking, models) : this.question(model, models)}` : nothing} ${this.versions(model, models)}
    </section>`;
  }

  private ask(asking: Asking): void {
    this.failure = "";
    this.models?.forget();
    this.asking = asking;
  }

  private told() {
    const { failure, models } = this;
    if (failure === "") return nothing;
    const again = () => this.attempt(() => models!.sendAgain());
    return html`<div class="notice bad" role="alert">
      <p>${failure}</p>
      ${models?.sending ? html`<div class="bar small"><button class="quiet" ?disabled=${this.busy} @click=${again}>${texts.sendAgain(models.sending.file.name)}</button></div>` : nothing}
    </div>`;
  }

  private upload(models: Models) {
    if (!this.mayEdit) return this.models?.list.length === 0 ? html`<p class="soft">${texts.none}</p>` : nothing;
    const sending = this.busy ? models.sending : null;
    const take = ({ detail }: CustomEvent<Chosen>) => this.attempt(() => models.send(detail.file, detail.modelId, detail.deploys));
    return html`<catenary-upload .isFirst=${models.active === null} .hasModels=${models.list.length > 0} .busy=${this.busy} .sending=${sending?.file.name ?? ""} @file-chosen=${take}></catenary-upload>
      ${this.asking?.kind === "create"
        ? this.form(this.asking, models)
        : html`<div class="bar"><button class="quiet" @click=${() => this.ask({ kind: "create" })}>${texts.newByName}</button></div>`}`;
  }

  override render() {
    const { asking, models } = this;
    if (models === null || !this.isLoaded) {
      return this.failure ? html`${this.told()}<button class="quiet" @click=${() => this.load()}>${common.tryAgain}</button>` : html`<p class="soft" role="status">${texts.loading}</p>`;
    }
    const isToldThere = asking !== null && asking.kind !== "create";
    const { edited } = this;
    return html`<section aria-label=${common.models} @models-changed=${() => this.requestUpdate()} @version-edit=${(event: CustomEvent<ModelVersion>) => void this.edit(event.detail)}>
      ${edited === null ? nothing : this.editor(models, edited)}
      <div ?hidden=${edited !== null}>
        ${this.upload(models)} ${isToldThere ? nothing : this.told()} ${repeat(models.list, (one) => one.model_id, (one) => this.model(one, models))}
        ${deploymentsOf(models, () => void this.attempt(() => models.loadOlderDeployments()))}
      </div>
    </section>`;
  }
}
customElements.define("catenary-models", CatenaryModels);

declare global {
  interface HTMLElementTagNameMap {
    "catenary-editor": import("./editor.ts").CatenaryEditor;
    "catenary-models": CatenaryModels;
    "catenary-upload": import("./upload.ts").CatenaryUpload;
  }
}
