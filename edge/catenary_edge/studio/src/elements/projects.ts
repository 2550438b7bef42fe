// <catenary-projects>: the list of the caller's projects, a way to make one, and the first steps where there are none.
import { html, nothing } from "lit";
import type { Client } from "../api/client.ts";
import type { Project } from "../api/types.ts";
import { common } from "../texts/common.ts";
import { projects as texts } from "../texts/page.ts";
import { LightElement, messageOf } from "./light.ts";

export class CatenaryProjects extends LightElement {
  static override properties = { client: { attribute: false }, projects: { state: true }, failure: { state: true }, isAsking: { state: true }, busy: { state: true }, refusal: { state: true } };
  declare client: Client;
  declare projects: readonly Project[] | null;
  declare failure: string;
  /** Whether the name of a new project is asked for. */
  declare isAsking: boolean;
  declare busy: boolean;
  /** Why a project could not be made; empty otherwise. */
  declare refusal: string;

  constructor() {
    super();
    this.projects = null;
    this.failure = "";
    this.isAsking = this.busy = false;
    this.refusal = "";
  }

  override connectedCallback(): void {
    super.connectedCallback();
    document.title = texts.pageTitle;
    void this.load();
  }

  private async load(): Promise<void> {
    this.failure = "";
    try {
      this.projects = await this.client.projects();
    } catch (error) {
      this.failure = messageOf(error);
    }
  }

  protected override updated(changed: Map<PropertyKey, unknown>): void {
    if (changed.has("isAsking") && this.isAsking) this.querySelector<HTMLElement>(".asking input")?.focus();
  }

  private async create(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const name = String(new FormData(event.target as HTMLFormElement).get("name") ?? "").trim();
    [this.busy, this.refusal] = [true, ""];
    try {
      location.hash = `project=${(await this.client.createProject(name)).project_id}`;
    } catch (error) {
      this.refusal = messageOf(error);
    } finally {
      this.busy = false;
    }
  }

  private newProject(isFirst: boolean) {
    if (!isFirst && !this.isAsking) return html`<div class="bar"><button class="quiet" @click=${() => (this.isAsking = true)}>${texts.newProject}</button></div>`;
    return html`<form class="asking" @submit=${(event: SubmitEvent) => this.create(event)}>
      <label class="field">${texts.nameOf}<input type="text" name="name" required maxlength="200" autocomplete="off" /></label>
      ${this.refusal ? html`<p class="notice bad" role="alert">${this.refusal}</p>` : nothing}
      <div class="bar">
        <button type="submit" ?disabled=${this.busy}>${this.busy ? texts.creating : texts.create}</button>
        ${isFirst ? nothing : html`<button type="button" class="quiet" @click=${() => (this.isAsking = false)}>${common.cancel}</button>`}
      </div>
    </form>`;
  }

  private content() {
    if (this.failure) {
      return html`<p class="notice bad" role="alert">${this.failure}</p><button @click=${() => this.load()}>${common.tryAgain}</button>`;
    }
    if (this.projects === null) return html`<p class="soft" role="status">${texts.loading}</p>`;
    if (this.projects.length === 0) return html`<p>${texts.none}</p>${this.newProject(true)} ${FIRST_STEPS}`;
    return html`${this.newProject(false)}<ul class="cards">
      ${this.projects.map(
        (one) => html`<li>
          <a href="#project=${one.project_id}"><strong>${one.name}</strong><span class="soft">${one.description || texts.noDescription}</span></a>
          <span class="tags"><span class="tag">${one.role}</span>${one.deployed_model_version_id === null ? html`<span class="tag">${texts.noModel}</span>` : ""}</span>
        </li>`,
      )}
    </ul>`;
  }

  override render() {
    return html`<section class="page"><h1>${common.projects}</h1>${this.content()}</section>`;
  }
}

const FIRST_STEPS = html`<p class="soft">${texts.fromTerminal} <code>${texts.command}</code></p>
  <p><a href="/docs/guide/quickstart">${texts.quickStart}</a> · <a href="/docs/guide/models">${common.guideOfModels}</a></p>`;
customElements.define("catenary-projects", CatenaryProjects);
