// <catenary-project>: the inputs, the 3D view and the numbers of one project.
import { html, nothing, type PropertyValues } from "lit";
import type { Client } from "../api/client.ts";
import { modelCalls } from "../api/models.ts";
import { deployedOrder, orderOf } from "../api/order.ts";
import { eventSocket, exploreSocket } from "../api/socket.ts";
import type { Evaluation, Linked, ModelVersion, Outcome, Project, Variant } from "../api/types.ts";
import { callerId, variantCalls } from "../api/variants.ts";
import { rewritten, valuesOf, type Address } from "../state/address.ts";
import { withConditions } from "../state/conditions.ts";
import { Design } from "../state/design.ts";
import { Feed, type Happening } from "../state/feed.ts";
import { GeometryFiles, shownOf, type GeometryFile } from "../state/geometry_files.ts";
import { LiveSession, type LiveFile, type LiveState } from "../state/live.ts";
import { ENDED_SHARE, followed, projectOf } from "../state/shared_variant.ts";
import { fitting, type Values } from "../state/values.ts";
import { common } from "../texts/common.ts";
import { project as texts } from "../texts/page.ts";
import { AddressBar } from "./address_bar.ts";
import { LightElement, messageOf } from "./light.ts";
import { draftKey, draftNamed, draftOf, loadModels, startOf } from "./models_tab.ts";
import { statusOf } from "./status.ts";
import { takeUndo } from "./undo_keys.ts";
import { loadWindows } from "./windows.ts";
import "./workspace.ts";

const CREDENTIAL_ENDED = new Set(["INVALID_TOKEN", "TOKEN_EXPIRED", "AUTHENTICATION_REQUIRED"]);
const NEW_VERSION = "CONFLICT";

export class CatenaryProject extends LightElement {
  static override properties = {
    client: { attribute: false },
    address: { attribute: false },
    link: { attribute: false },
    project: { state: true },
    models: { state: true },
    failure: { state: true },
    caller: { state: true },
    variant: { state: true },
    keeping: { state: true },
    window: { state: true },
    notice: { state: true },
    draft: { state: true },
  };
  declare client: Client;
  declare address: Address;
  /** What the link shows by which the page was opened; null for who has signed in. */
  declare link: Linked | null;
  declare project: Project | null;
  declare models: readonly GeometryFile[];
  declare failure: string;
  /** Id of the caller; null as long as it is not known. */
  declare caller: string | null;
  /** The variant that a link shows alone. */
  declare variant: Variant | null;
  declare keeping: boolean;
  /** The window that is open over the page. */
  declare window: "shares" | "members" | null;
  /** What happened to the design beside its own results. */
  declare notice: string;
  /** The version that the page runs in place of the deployed one. */
  declare draft: ModelVersion | null;
  /** Id of the deployed version. */
  private deployedId: string | null = null;
  /** Counts readings of the project, of which the newest one is shown. */
  private readings = 0;
  private design: Design | null = null;
  private session: LiveSession | null = null;
  private feed: Feed | null = null;
  private empty = "";
  private shown: Outcome | null = null;
  private askedAt: number | null = null;
  private readonly addressBar = new AddressBar((fragment) => this.fragmentOver(fragment));
  private readonly files = new GeometryFiles((url) => this.client.bytes(url));
  private readonly keys = (event: KeyboardEvent) => this.design && takeUndo(event, this.design);

  constructor() {
    super();
    this.project = null;
    this.models = [];
    this.failure = "";
    this.caller = null;
    this.link = null;
    this.variant = null;
    this.window = null;
    this.keeping = false;
    this.notice = "";
    this.draft = null;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("keydown", this.keys);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("keydown", this.keys);
    this.addressBar.close();
    this.end();
  }

  protected override willUpdate(changed: PropertyValues): void {
    const before = changed.get("address") as Address | undefined;
    if (!changed.has("address")) return;
    if (before?.projectId !== this.address.projectId || this.address.beside.draft !== draftKey(this.draft)) void this.load();
    else if (this.mayEvaluate) this.design?.replace(valuesOf(this.address, this.design.parameters));
  }

  protected override updated(): void {
    this.querySelector("catenary-workspace")?.requestUpdate(); // a design changes in place
  }

  /** Go on after a sign-in. */
  resume(): void {
    const { design, session } = this;
    if (design === null) return void this.load();
    this.feed?.resume();
    session?.resume();
  }

  private get mayEvaluate(): boolean {
    return this.project !== null && this.project.role !== "viewer";
  }

  private end(): void {
    this.design?.close();
    this.session?.close();
    this.feed?.close();
    this.design = this.session = this.feed = null;
  }

  private async load(): Promise<void> {
    this.end();
    [this.project, this.models, this.failure, this.empty, this.notice, this.draft] = [null, [], "", "", "", null];
    const { projectId, beside } = this.address;
    if (beside.draft !== null && !this.client.isLink) {
      const draft = await draftNamed(this.client, projectId, beside.draft);
      if (projectId !== this.address.projectId || beside.draft !== this.address.beside.draft) return;
      [this.draft, this.notice] = [draft, draft === null ? texts.draftGone : ""];
    }
    await this.read((parameters) => valuesOf(this.address, parameters));
  }

  /** Read the project and begin a design with values for its parameters. */
  private async read(given: (parameters: Design["parameters"]) => Values): Promise<void> {
    const { client, draft } = this;
    const { projectId } = this.address;
    const reading = ++this.readings;
    try {
      const [found, parameters, order, caller] = await Promise.all([
        this.readProject(),
        (draft === null ? client.parameters(projectId) : Promise.resolve(draft.parameters)).then(withConditions),
        draft === null ? deployedOrder(client, projectId) : orderOf(draft),
        client.isLink ? null : callerId(client).catch(() => null),
      ]);
      if (projectId !== this.address.projectId || !this.isConnected || reading !== this.readings) return;
      if (draft !== null && found.role !== "owner" && found.role !== "editor") {
        [this.draft, this.notice] = [null, texts.draftGone]; // others run the deployed version alone
        return this.read(given);
      }
      this.end();
      this.deployedId = found.deployed_model_version_id;
      if (draft?.model_version_id === this.deployedId) this.draft = null;
      const project = draft === null ? found : { ...found, deployed_model_version_id: draft.model_version_id };
      this.project = project;
      this.caller = caller;
      document.title = texts.title(project.name);
      this.listen(projectId);
      if (project.deployed_model_version_id === null) return void loadModels().catch((error: unknown) => (this.failure = messageOf(error)));
      const design = new Design(parameters, given(parameters), {
        evaluate: (values, watch) => client.evaluate(projectId, values, watch, draft?.model_version_id),
        cancel: (evaluationId) => client.cancel(evaluationId),
        changed: () => this.follow(),
      });
      design.order = order;
      this.design = design;
      if (this.mayEvaluate) {
        design.live = this.session = this.open(projectId, design);
        return design.compute();
      }
      const stored = this.variant?.evaluation ?? await client.latest(projectId, project.deployed_model_version_id);
      if (stored === null) this.empty = texts.none;
      else design.adopt(stored);
    } catch (error) {
      if (reading === this.readings) this.failure = messageOf(error);
    }
  }

  /** Read the project, or the variant that a link shows of it alone. */
  private async readProject(): Promise<Project> {
    const { client, link } = this;
    const { projectId } = this.address;
    if (link?.variant_id == null) return client.project(projectId);
    this.variant = await variantCalls(client, projectId).read(link.variant_id);
    return projectOf(this.variant);
  }

  private open(projectId: string, design: Design): LiveSession {
    return new LiveSession(() => exploreSocket(projectId, this.client.protocol, this.draft?.model_version_id), {
      outcome: (outcome, asked, milliseconds) => design.showLive(outcome, asked, milliseconds),
      geometry: (files, askedAt) => this.showFiles(files, askedAt),
      refused: (error) => design.fail(error),
      state: (state) => this.connection(state, design),
      unavailable: (waiting) => waiting !== null && design.evaluate(),
      ended: (reason) => void this.lose(reason),
    });
  }

  /** Follow the events of the project: comments and variants of others come without a reload. */
  private listen(projectId: string): void {
    this.feed = new Feed((after) => eventSocket(projectId, this.client.protocol, after), {
      event: (happening) => this.hear(happening),
      missed: () => {
        this.querySelector("catenary-workspace")?.readAgain();
        this.querySelector("catenary-models")?.readAgain?.();
        void this.followDeployment();
      },
      ended: (reason) => {
        if (this.client.isLink || CREDENTIAL_ENDED.has(reason)) this.client.end();
        else this.notice = texts.roleEnded;
      },
    });
    this.feed.open();
  }

  private hear(happening: Happening): void {
    if (["model.deployment.changed", "project.permission.changed"].includes(happening.type)) void this.followDeployment();
    if (happening.type.startsWith("model.version.") || happening.type === "model.deployment.changed") {
      this.querySelector("catenary-models")?.hear?.(happening); // its code may not be loaded yet
    } else this.querySelector("catenary-workspace")?.hear(happening);
  }

  /** Go over to the deployed version if it has changed; tell a changed role too. */
  private async followDeployment(): Promise<void> {
    const { project } = this;
    if (project === null) return;
    if (this.link !== null) return this.followShare();
    const found = await this.client.project(project.project_id).catch(() => null);
    if (found === null || this.project?.project_id !== found.project_id) return;
    if (found.role !== this.project.role) return this.readAgain();
    if (found.deployed_model_version_id === this.deployedId) return;
    if (this.draft !== null && this.draft.model_version_id !== found.deployed_model_version_id) return void (this.deployedId = found.deployed_model_version_id);
    this.notice = this.deployedId === null || this.draft !== null ? "" : found.deployed_model_version_id === null ? texts.deployedNoMore : texts.otherVersion;
    this.draft = null;
    this.deployedId = found.deployed_model_version_id; // whoever tells the same once more finds it known
    return this.readAgain();
  }

  /** Read a variant that is shared alone again: its share may give another role now, or have ended. */
  private async followShare(): Promise<void> {
    const { client, variant } = this;
    if (variant === null || client.isLink) return;
    const found = await followed(variant, (id) => variantCalls(client, variant.project_id).read(id));
    if (this.variant !== variant) return;
    this.variant = found ?? { ...variant, role: "viewer" };
    if (found === null) this.notice = ENDED_SHARE;
    else if (this.notice === ENDED_SHARE) this.notice = "";
  }

  /** Run a version that may not be deployed, or the deployed one again, with the values that it has too. */
  private run(draft: ModelVersion | null): void {
    this.draft = draft;
    this.notice = "";
    void this.readAgain();
  }

  private async deploy(draft: ModelVersion): Promise<void> {
    try {
      await modelCalls(this.client, this.address.projectId).deploy(draft.model_version_id);
      await this.followDeployment();
    } catch (error) {
      this.notice = messageOf(error);
    }
  }

  /** Read the project again, and keep the values that fit. */
  private readAgain(): Promise<void> {
    const values = this.design?.values;
    if (values === undefined) return this.read((parameters) => valuesOf(this.address, parameters));
    return this.read((parameters) => fitting(parameters, values));
  }

  private connection(state: LiveState, design: Design): void {
    if (state === "open" && design.failure && design.refused.size === 0) design.compute();
    this.requestUpdate();
  }

  private async lose(reason: string): Promise<void> {
    if (CREDENTIAL_ENDED.has(reason)) return this.client.end();
    const { session, readings } = this;
    if (reason === NEW_VERSION) await this.followDeployment();
    if (session === this.session && readings === this.readings) await this.readAgain();
  }

  /** Show a changed design, with its values in the page's address. */
  private follow(): void {
    const { design } = this;
    if (design === null || !this.isConnected) return;
    this.addressBar.note();
    if (design.outcome !== null && design.outcome !== this.shown) {
      this.shown = design.outcome;
      if ("geometry" in this.shown) void this.fetchGeometry(this.shown as Evaluation);
    }
    this.requestUpdate();
  }

  private fragmentOver(fragment: string): string | null {
    const { design, project } = this;
    if (design === null || project === null) return null;
    const values = this.mayEvaluate ? design.values : valuesOf(this.address, design.parameters); // others see a stored design
    const beside = this.querySelector("catenary-workspace")?.beside ?? this.address.beside;
    return rewritten(fragment, project.project_id, design.parameters, values, { ...beside, draft: draftKey(this.draft) });
  }

  private showFiles(files: readonly LiveFile[], askedAt: number): void {
    this.askedAt = askedAt;
    this.models = shownOf(files);
  }

  private async fetchGeometry(evaluation: Evaluation): Promise<void> {
    try {
      const models = await this.files.of(evaluation);
      if (evaluation !== this.shown) return;
      this.askedAt = null;
      this.models = models;
    } catch (error) {
      if (evaluation === this.shown) this.notice = messageOf(error);
    }
  }

  private async keep(design: Design): Promise<void> {
    this.keeping = true;
    this.notice = "";
    try {
      await design.keep();
    } catch (error) {
      this.notice = messageOf(error);
    } finally {
      this.keeping = false;
    }
  }

  private keepButton(design: Design) {
    if (!this.mayEvaluate || design.outcome === null) return nothing;
    const isKept = design.kept !== null;
    return html`<button class="quiet" ?disabled=${isKept || this.keeping} @click=${() => this.keep(design)} title=${texts.keepHint}>
      ${isKept ? texts.kept : this.keeping ? texts.keeping : texts.keep}
    </button>`;
  }

  private ownersButtons(project: Project) {
    if (project.role !== "owner" || this.link !== null) return nothing;
    const { variant = null, variants = [] } = this.querySelector("catenary-workspace") ?? {};
    const closed = () => (this.window = null);
    const open = (name: typeof this.window) => loadWindows().then(() => (this.window = name), (error: unknown) => (this.notice = messageOf(error)));
    return html`<button class="quiet" @click=${() => open("members")}>${common.members}</button>
      <button class="quiet" @click=${() => open("shares")}>${common.share}</button>
      ${this.window === "shares" ? html`<catenary-shares .client=${this.client} .project=${project} .variant=${variant} .variants=${variants} @closed=${closed}></catenary-shares>` : nothing}
      ${this.window === "members" ? html`<catenary-members .client=${this.client} .project=${project} @closed=${closed}></catenary-members>` : nothing}`;
  }

  override render() {
    const { design, project } = this;
    if (this.failure) {
      return html`<section class="page"><p class="notice bad" role="alert">${this.failure}</p><button @click=${() => this.load()}>${common.tryAgain}</button> <a href="#">${common.allProjects}</a></section>`;
    }
    if (project === null) return html`<section class="page"><p class="soft" role="status">${texts.loading}</p></section>`;
    const doubted = () => void this.followDeployment();
    if (design === null) return html`<div @deployment-changed=${doubted} @role-doubted=${doubted} @version-run=${(event: CustomEvent<ModelVersion | null>) => this.run(event.detail)}>${startOf(this.client, project, this.caller, this.notice)}</div>`;
    return html`<div class="title">
        ${this.client.isLink ? nothing : html`<a href="#">${common.projects}</a><span aria-hidden="true">/</span>`}
        <h1>${project.name}</h1>
        ${this.link === null ? statusOf(design, this.session?.state ?? null) : html`<span class="state">${this.client.isLink ? texts.sharedByLink : texts.sharedWithYou}</span>`}<span class="actions">${this.keepButton(design)}${this.ownersButtons(project)}</span>
      </div>
      ${draftOf(this.draft, this.deployedId !== null, () => this.run(null), () => void this.deploy(this.draft!))}
      <catenary-workspace
        class="workspace"
        .client=${this.client}
        .project=${project}
        .design=${design}
        .callerId=${this.caller}
        .onlyVariant=${this.variant}
        .models=${this.models}
        .askedAt=${this.askedAt}
        .isFetching=${this.files.isFetching}
        .notice=${this.notice}
        .empty=${this.empty}
        .runId=${this.draft?.model_version_id ?? null}
        .wanted=${this.address}
        @view-changed=${() => this.addressBar.note()}
        @beside-changed=${() => this.addressBar.note()}
        @deployment-changed=${doubted}
        @role-doubted=${doubted}
        @version-run=${(event: CustomEvent<ModelVersion | null>) => this.run(event.detail)}
        @failed=${(event: CustomEvent<string>) => (this.notice = event.detail)}
      ></catenary-workspace>`;
  }
}
customElements.define("catenary-project", CatenaryProject);
