// <catenary-model-version>: a version of a model, what its check found, and what can be done with it.
import { html, nothing, type PropertyValues } from "lit";
import { ApiError } from "../api/client.ts";
import type { Deployment, ModelVersion } from "../api/types.ts";
import { whyNotHere } from "../state/editing.ts";
import { size, when } from "../state/format.ts";
import type { Models } from "../state/models.ts";
import { common } from "../texts/common.ts";
import { modelVersion as texts } from "../texts/models.ts";
import { LightElement, messageOf } from "./light.ts";
import { saveAs } from "./saving.ts";

const ENDINGS: Readonly<Record<ModelVersion["kind"], string>> = { python: "py", openscad: "scad", zip: "zip" };
const FORBIDDEN = 403;

/** What is asked before it is done; empty for nothing. */
type Question = "delete" | "undeploy" | "";

export class CatenaryModelVersion extends LightElement {
  static override properties = {
    version: { attribute: false },
    models: { attribute: false },
    mayEdit: { attribute: false },
    isMine: { attribute: false },
    isDeployed: { attribute: false },
    isRun: { attribute: false },
    isRollBack: { attribute: false },
    troubled: { attribute: false },
    isOpen: { attribute: false },
    asked: { state: true },
    lines: { state: true },
    log: { state: true },
    busy: { state: true },
    failure: { state: true },
  };
  declare version: ModelVersion;
  declare models: Models;
  declare mayEdit: boolean;
  /** Whether the caller uploaded the version, and may read its log. */
  declare isMine: boolean;
  declare isDeployed: boolean;
  /** Whether the page runs this version as a draft. */
  declare isRun: boolean;
  /** Whether a deployment goes back to it from a newer one. */
  declare isRollBack: boolean;
  /** Its newest deployment, where that waits or failed. */
  declare troubled: Deployment | null;
  /** Whether its details are shown at first. */
  declare isOpen: boolean;
  /** Whether the person is asked about a deletion. */
  declare asked: Question;
  /** Lines of the file, where a finding names one; null as long as they are not read. */
  declare lines: readonly string[] | null;
  /** What the check printed; null while nobody looks at it. */
  declare log: string | null;
  declare busy: boolean;
  declare failure: string;

  constructor() {
    super();
    this.asked = "";
    this.lines = null;
    this.log = null;
    this.busy = false;
    this.failure = "";
  }

  protected override updated(changed: PropertyValues): void {
    if (changed.has("asked") && this.asked) this.querySelector<HTMLElement>(".asking button")?.focus();
    if (changed.has("version") && this.isOpen) void this.readLines();
  }

  /** Read the file where a finding names a line of it. */
  private async readLines(): Promise<void> {
    const { version } = this;
    if (!this.mayEdit || this.lines !== null || version.error?.line == null) return;
    this.lines = (await this.models.lines(version).catch(() => null)) ?? null; // the finding stands without it too
  }

  private async attempt(work: () => Promise<unknown>): Promise<void> {
    this.failure = "";
    this.busy = true;
    try {
      await work();
      this.asked = "";
    } catch (error) {
      this.failure = messageOf(error);
      if (error instanceof ApiError && error.status === FORBIDDEN) this.tell("role-doubted");
    } finally {
      this.busy = false;
      this.tell("models-changed");
    }
  }

  private deploy(): Promise<void> {
    return this.attempt(() => this.models.deploy(this.version));
  }

  private removeVersion(): Promise<void> {
    return this.attempt(async () => {
      await this.models.removeVersion(this.version);
      if (this.isRun) this.tell<ModelVersion | null>("version-run", null);
    });
  }

  private save(): Promise<void> {
    const name = `${this.models.modelOf(this.version)?.name ?? "model"}-v${this.version.number}.${ENDINGS[this.version.kind]}`;
    return this.attempt(async () => saveAs(name, await this.models.source(this.version)));
  }

  private readLog(): Promise<void> {
    if (this.log !== null) return Promise.resolve(void (this.log = null));
    return this.attempt(async () => (this.log = await this.models.log(this.version)));
  }

  private finding() {
    const { error } = this.version;
    if (error === null) return nothing;
    const text = error.line === null ? undefined : this.lines?.[error.line - 1];
    return html`<div class="notice bad finding">
      <p>${error.message}</p>
      <p class="soft">${error.code}${error.line === null ? nothing : `, ${common.line(error.line)}`}</p>
      ${text === undefined ? nothing : html`<pre tabindex="0"><span class="number">${error.line}</span>${text}</pre>`}
    </div>`;
  }

  private deployment() {
    const { troubled } = this;
    if (troubled === null) return nothing;
    if (troubled.status === "pending") return html`<p class="notice" role="status">${texts.waits}</p>`;
    if (this.version.status === "failed") return nothing; // its finding says why
    return html`<p class="notice bad">${texts.notDeployed(troubled.error?.message ?? texts.noReason)}</p>`;
  }

  private remarks() {
    const { status, warnings } = this.version;
    if (warnings.length === 0) return nothing;
    return html`<div class="notice"><p>${status === "failed" ? texts.faults : texts.remarks}</p><ul>${warnings.map((one) => html`<li>${one}</li>`)}</ul></div>`;
  }

  private question() {
    const { number } = this.version;
    const [label, asked, verb, work] =
      this.asked === "delete"
        ? [texts.deletes(number), texts.deleting(number), common.delete, () => this.removeVersion()]
        : [texts.undeploys(number), texts.undeploying(number), texts.undeploy, () => this.attempt(() => this.models.undeploy())];
    return html`<div class="asking notice" role="alertdialog" aria-label=${label}>
      <p>${asked}</p>
      <div class="bar">
        <button class="danger" ?disabled=${this.busy} @click=${work}>${verb}</button>
        <button class="quiet" @click=${() => (this.asked = "")}>${common.keepIt}</button>
      </div>
    </div>`;
  }

  private mainButtons() {
    const { version, isDeployed, isRun } = this;
    if (!this.mayEdit || version.status === "failed") return nothing;
    const number = version.number;
    const run = () => this.tell<ModelVersion | null>("version-run", version);
    return html`${isDeployed || this.troubled?.status === "pending"
        ? nothing
        : html`<button aria-label=${this.isRollBack ? texts.rollsBack(number) : texts.deploys(number)} ?disabled=${this.busy} @click=${() => this.deploy()}>${this.isRollBack ? texts.rollBack : common.deploy}</button>`}
      ${isDeployed || isRun || version.status !== "ready" ? nothing : html`<button class="quiet" aria-label=${texts.runs(number)} title=${texts.runHint} @click=${run}>${common.run}</button>`}`;
  }

  private buttons() {
    const { version, busy } = this;
    const { number } = version;
    const mayRead = this.mayEdit || this.isMine;
    return html`<div class="bar small">
      ${this.mainButtons()}
      ${this.mayEdit
        ? html`${whyNotHere(version) ? nothing : html`<button class="quiet" aria-label=${texts.edits(number)} @click=${() => this.tell<ModelVersion>("version-edit", version)}>${common.edit}</button>`}
            <button class="quiet" aria-label=${texts.downloads(number)} ?disabled=${busy} @click=${() => this.save()}>${texts.download}</button>`
        : nothing}
      ${mayRead ? html`<button class="quiet" aria-label=${texts.logs(number)} aria-expanded=${this.log !== null} ?disabled=${busy} @click=${() => this.readLog()}>${texts.log}</button>` : nothing}
      ${this.mayEdit && this.isDeployed ? html`<button class="quiet" aria-label=${texts.undeploys(number)} @click=${() => (this.asked = "undeploy")}>${texts.undeploy}</button>` : nothing}
      ${this.mayEdit ? html`<button class="quiet" aria-label=${texts.deletes(number)} @click=${() => (this.asked = "delete")}>${common.delete}</button>` : nothing}
    </div>`;
  }

  private facts() {
    const { version } = this;
    const inputs = version.parameters.length;
    return html`<p class="soft">${when(version.created_at)}${version.created_by ? `, ${version.created_by.staff_name}` : nothing}, ${size(version.size)}${version.status === "ready" ? `, ${texts.inputs(inputs)}` : nothing}</p>
      ${this.mayEdit && whyNotHere(version) ? html`<p class="soft">${whyNotHere(version)}</p>` : nothing}
      ${version.deterministic === null ? nothing : html`<p class="soft">${version.deterministic ? texts.agreed : texts.differed}</p>`}`;
  }

  override render() {
    const { version } = this;
    return html`<details ?open=${this.isOpen} @toggle=${(event: Event) => (event.target as HTMLDetailsElement).open && void this.readLines()}>
      <summary>
        ${texts.version(version.number)}
        <span class="soft ${version.status === "failed" ? "bad" : ""}" role="status" data-status=${version.status}>${texts.states[version.status]}</span>
        ${this.isDeployed ? html`<span class="tag deployed">${common.deployed}</span>` : nothing}${this.isRun ? html`<span class="tag">${texts.runsHere}</span>` : nothing}
      </summary>
      ${this.facts()} ${this.finding()} ${this.deployment()} ${this.remarks()}
      ${this.failure ? html`<p class="notice bad" role="alert">${this.failure}</p>` : nothing}
      ${this.asked ? this.question() : this.buttons()}
      ${this.log === null ? nothing : html`<pre class="printed" tabindex="0">${this.log || texts.printedNothing}</pre>`}
    </details>`;
  }
}
customElements.define("catenary-model-version", CatenaryModelVersion);
