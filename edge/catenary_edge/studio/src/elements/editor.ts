// <catenary-editor>: the source of a version to be changed, checked, run and deployed.
import { html, nothing, type PropertyValues } from "lit";
import { ApiError } from "../api/client.ts";
import type { ModelVersion } from "../api/types.ts";
import { Editing, hasUnsaved, withoutLine, type Finding } from "../state/editing.ts";
import type { Models } from "../state/models.ts";
import { common } from "../texts/common.ts";
import { editor as texts } from "../texts/editor.ts";
import type { CatenaryCode } from "./code.ts";
import "./code.ts";
import { LightElement, messageOf } from "./light.ts";

const FORBIDDEN = 403;
addEventListener("beforeunload", (event) => hasUnsaved() && event.preventDefault());

export class CatenaryEditor extends LightElement {
  static override properties = {
    models: { attribute: false },
    version: { attribute: false },
    mayEdit: { attribute: false },
    deployedId: { attribute: false },
    runId: { attribute: false },
    editing: { state: true },
    doing: { state: true },
    failure: { state: true },
    isLeaving: { state: true },
  };
  declare models: Models;
  /** The version with whose source the editor begins. */
  declare version: ModelVersion;
  declare mayEdit: boolean;
  declare deployedId: string | null;
  declare runId: string | null;
  declare editing: Editing | null;
  /** What is under way; empty for nothing. */
  declare doing: "" | "checking" | "deploying";
  declare failure: string;
  /** Whether the person is asked about a text that would be lost. */
  declare isLeaving: boolean;
  private marked: readonly Finding[] = [];

  constructor() {
    super();
    this.deployedId = this.runId = null;
    this.editing = null;
    this.doing = "";
    this.failure = "";
    this.isLeaving = false;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("version")) void this.open(this.version);
  }

  protected override updated(changed: PropertyValues): void {
    if (changed.has("editing") && this.editing !== null) this.code?.open(this.editing.text, this.editing.version.kind === "python");
    if (changed.has("isLeaving") && this.isLeaving) this.querySelector<HTMLElement>(".asking button")?.focus();
    if (changed.has("editing")) this.code?.shadowRoot?.querySelector<HTMLElement>(".cm-content")?.focus();
    this.mark();
  }

  private get code(): CatenaryCode | null {
    return this.querySelector<CatenaryCode>("catenary-code");
  }

  /** Mark what the newest check found; marks go along with lines that move. */
  private mark(): void {
    const { editing } = this;
    if (editing === null) return;
    const { findings } = editing;
    if (JSON.stringify(findings) === JSON.stringify(this.marked)) return;
    this.marked = findings;
    this.code?.mark(findings);
  }

  private async open(version: ModelVersion): Promise<void> {
    this.marked = [];
    this.editing = null;
    await this.attempt("", async () => (this.editing = await Editing.open(this.models, version)));
  }

  private async attempt(doing: "" | "checking" | "deploying", work: () => Promise<unknown>): Promise<void> {
    this.failure = "";
    this.doing = doing;
    try {
      await work();
    } catch (error) {
      this.failure = messageOf(error);
      if (error instanceof ApiError && error.status === FORBIDDEN) this.tell("role-doubted");
    } finally {
      this.doing = "";
      this.tell("models-changed");
    }
  }

  private check(editing: Editing): void {
    if (this.mayEdit && this.doing === "") void this.attempt("checking", () => editing.check());
  }

  private run(editing: Editing): Promise<void> {
    return this.attempt("checking", async () => {
      const found = await editing.check();
      if (found.status === "ready") this.tell<ModelVersion | null>("version-run", found);
    });
  }

  private deploy(editing: Editing): Promise<void> {
    return this.attempt("deploying", () => this.models.deploy(editing.version));
  }

  private leave(editing: Editing): void {
    if (editing.isUnsaved) this.isLeaving = true;
    else this.tell("editor-left");
  }

  private question(editing: Editing) {
    const drop = () => {
      editing.drop();
      this.tell("editor-left");
    };
    return html`<div class="asking notice" role="alertdialog" aria-label=${texts.closing}>
      <p>${texts.unsaved}</p>
      <div class="bar"><button class="danger" @click=${drop}>${texts.throwAway}</button><button class="quiet" @click=${() => (this.isLeaving = false)}>${texts.keepWriting}</button></div>
    </div>`;
  }

  private newer(editing: Editing) {
    const { newer } = editing;
    if (newer === null) return nothing;
    const goOn = () => {
      editing.goOn();
      this.requestUpdate();
    };
    return html`<div class="notice" role="alert">
      <p>${texts.newer(newer.number, newer.created_by?.staff_name ?? "")}</p>
      <div class="bar small">
        <button class="quiet" @click=${() => this.tell<ModelVersion>("version-edit", newer)}>${editing.isUnsaved ? texts.keepAside : texts.openIt}</button>
        <button class="quiet" @click=${goOn}>${texts.goOn}</button>
      </div>
    </div>`;
  }

  private findings(editing: Editing) {
    const { error, status } = editing.version;
    if (status !== "failed" || error === null) return nothing;
    const goTo = (line: number) => html`<button class="link" @click=${() => this.code?.goTo(line)}>${common.line(line)}</button>`;
    const further = editing.findings.slice(error.line === null ? 0 : 1);
    return html`<div class="notice bad" role="alert">
      <p>${error.message}</p>
      <p class="soft">${error.code}${error.line === null ? nothing : html`, ${goTo(error.line)}`}</p>
      ${further.length === 0 ? nothing : html`<ul class="further">${further.map((one) => html`<li>${goTo(one.line)} ${withoutLine(one.message)}</li>`)}</ul>`}
    </div>`;
  }

  private state(editing: Editing): string {
    const { number, status } = editing.version;
    if (this.doing === "checking" || editing.isChecking) return texts.checking;
    if (editing.isUnsaved) return texts.changed(number);
    const place = this.deployedId === editing.version.model_version_id ? common.deployed : this.runId === editing.version.model_version_id ? texts.draftHere : texts.draft;
    return status === "failed" ? texts.failed(number) : texts.ready(number, place);
  }

  private buttons(editing: Editing) {
    const id = editing.version.model_version_id;
    const isBusy = this.doing !== "";
    if (!this.mayEdit) return html`<p class="notice">${texts.roleEnded}</p>`;
    return html`<button ?disabled=${isBusy || !editing.isUnsaved} title=${texts.checkKeys} @click=${() => this.check(editing)}>${texts.check}</button>
      <button class="quiet" ?disabled=${isBusy || (!editing.isUnsaved && !editing.isReady) || (this.runId === id && !editing.isUnsaved)} title=${texts.runHint} @click=${() => this.run(editing)}>${common.run}</button>
      <button class="quiet" ?disabled=${isBusy || !editing.isReady || this.deployedId === id} @click=${() => this.deploy(editing)}>${common.deploy}</button>`;
  }

  private content(editing: Editing) {
    const change = ({ detail }: CustomEvent<string>) => {
      editing.change(detail);
      this.requestUpdate();
    };
    return html`<div class="bar">
        ${this.buttons(editing)}
        <button class="quiet" @click=${() => this.leave(editing)}>${common.close}</button>
        <span class="soft told" role="status">${this.state(editing)}</span>
      </div>
      ${this.isLeaving ? this.question(editing) : nothing} ${this.newer(editing)} ${this.findings(editing)}
      ${this.failure ? html`<p class="notice bad" role="alert">${this.failure}</p>` : nothing}
      <catenary-code @text-changed=${change} @check-wanted=${() => this.check(editing)}></catenary-code>
      <p class="soft">${texts.keys}</p>`;
  }

  override render() {
    const { editing } = this;
    const name = this.models.modelOf(this.version)?.name ?? common.unnamedModel;
    return html`<section class="editor" aria-label=${texts.source(name)}>
      <h2>${name}</h2>
      ${editing !== null
        ? this.content(editing)
        : this.failure
          ? html`<p class="notice bad" role="alert">${this.failure}</p><div class="bar"><button class="quiet" @click=${() => this.open(this.version)}>${common.tryAgain}</button><button class="quiet" @click=${() => this.tell("editor-left")}>${common.close}</button></div>`
          : html`<p class="soft" role="status">${texts.opening}</p>`}
    </section>`;
  }
}
customElements.define("catenary-editor", CatenaryEditor);
