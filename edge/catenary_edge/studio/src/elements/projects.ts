// <catenary-projects>: the list of the caller's projects, or the first steps where there are none.
import { html } from "lit";
import type { Client } from "../api/client.ts";
import type { Project } from "../api/types.ts";
import { LightElement, messageOf } from "./light.ts";

export class CatenaryProjects extends LightElement {
  static override properties = { client: { attribute: false }, projects: { state: true }, failure: { state: true } };
  declare client: Client;
  declare projects: readonly Project[] | null;
  declare failure: string;

  constructor() {
    super();
    this.projects = null;
    this.failure = "";
  }

  override connectedCallback(): void {
    super.connectedCallback();
    document.title = "Projects · Catenary Studio";
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

  private content() {
    if (this.failure) {
      return html`<p class="notice bad" role="alert">${this.failure}</p><button @click=${() => this.load()}>Try again</button>`;
    }
    if (this.projects === null) return html`<p class="soft" role="status">Loading projects…</p>`;
    if (this.projects.length === 0) return FIRST_STEPS;
    return html`<ul class="cards">
      ${this.projects.map(
        (one) => html`<li>
          <a href="#project=${one.project_id}"><strong>${one.name}</strong><span class="soft">${one.description || "No description"}</span></a>
          <span class="tags"><span class="tag">${one.role}</span>${one.deployed_model_version_id === null ? html`<span class="tag">no model deployed</span>` : ""}</span>
        </li>`,
      )}
    </ul>`;
  }

  override render() {
    return html`<section class="page"><h1>Projects</h1>${this.content()}</section>`;
  }
}

const FIRST_STEPS = html`<p>There is no project yet that you may see. Make one by <code>POST /v1/projects</code>, and deploy a model to it:</p>
  <pre><code>catenary model push my_model.py --project PROJECT_ID --deploy</code></pre>
  <p><a href="/docs/guide/quickstart">Quick start</a> · <a href="/docs/guide/models">How to write a model</a></p>`;
customElements.define("catenary-projects", CatenaryProjects);
