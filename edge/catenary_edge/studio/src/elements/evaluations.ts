// <catenary-evaluations>: the stored evaluations of the deployed version, to be opened again.
import { html, nothing, type PropertyValues } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { Client } from "../api/client.ts";
import type { Evaluation, Parameter, Project } from "../api/types.ts";
import { describe, verdictOf } from "../state/evaluations.ts";
import { when } from "../state/format.ts";
import { Paged } from "../state/paged.ts";
import { common } from "../texts/common.ts";
import { evaluations as texts } from "../texts/history.ts";
import { LightElement, messageOf } from "./light.ts";

export class CatenaryEvaluations extends LightElement {
  static override properties = {
    client: { attribute: false },
    project: { attribute: false },
    parameters: { attribute: false },
    active: { attribute: false },
    kept: { attribute: false },
    evaluations: { state: true },
    busy: { state: true },
    failure: { state: true },
  };
  declare client: Client;
  declare project: Project;
  declare parameters: readonly Parameter[];
  /** Whether the list is in view: it is read when it comes into view. */
  declare active: boolean;
  /** Id of the stored evaluation of the present design; null as long as there is none. */
  declare kept: string | null;
  declare evaluations: Paged<Evaluation> | null;
  declare busy: boolean;
  declare failure: string;

  constructor() {
    super();
    this.parameters = [];
    this.active = false;
    this.kept = null;
    this.evaluations = null;
    this.busy = false;
    this.failure = "";
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("project")) this.evaluations = null;
    const isNew = this.kept !== null && !this.evaluations?.list.some((one) => one.evaluation_id === this.kept);
    if (this.active && (changed.has("active") || changed.has("project") || (changed.has("kept") && isNew))) void this.load();
  }

  private load(): Promise<void> {
    const { client, project } = this;
    const read = (cursor: string | null) => client.evaluations(project.project_id, project.deployed_model_version_id ?? "", cursor);
    const found = this.evaluations ?? new Paged(read, (one) => one.evaluation_id);
    return this.attempt(async () => {
      await found.load();
      if (project === this.project) this.evaluations = found;
    });
  }

  private async attempt(work: () => Promise<void>): Promise<void> {
    this.failure = "";
    this.busy = true;
    try {
      await work();
    } catch (error) {
      this.failure = messageOf(error);
    } finally {
      this.busy = false;
    }
  }

  private row(one: Evaluation) {
    const verdict = verdictOf(one);
    const isPresent = one.evaluation_id === this.kept;
    const hasResult = one.status === "completed" || this.project.role !== "viewer"; // others see what becomes of its values
    return html`<li data-evaluation=${one.evaluation_id}>
      <div class="line">
        <button class="link label" ?disabled=${!hasResult} aria-current=${isPresent ? "true" : nothing} @click=${() => this.tell<Evaluation>("evaluation-opened", one)}>${when(one.created_at)}</button>
        ${verdict.text ? html`<span class="soft ${verdict.isGood ? "good" : "bad"}">${verdict.text}</span>` : nothing}
      </div>
      <p class="note">${describe(one, this.parameters)}</p>
      <p class="soft">${one.created_by ? one.created_by.staff_name : nothing}${isPresent ? html` <span class="tag">${texts.shown}</span>` : nothing}</p>
    </li>`;
  }

  override render() {
    const { evaluations, failure } = this;
    const told = failure
      ? html`<p class="notice bad" role="alert">${failure}</p><button class="quiet" @click=${() => this.load()}>${common.tryAgain}</button>`
      : nothing;
    if (evaluations === null) return html`${told}${failure ? nothing : html`<p class="soft" role="status">${texts.loading}</p>`}`;
    if (evaluations.list.length === 0) return html`${told}<p class="soft">${texts.none}</p>`;
    return html`<p class="soft">${texts.about}</p>
      ${told}
      <ul class="variants">${repeat(evaluations.list, (one) => one.evaluation_id, (one) => this.row(one))}</ul>
      ${evaluations.hasMore ? html`<button class="quiet" ?disabled=${this.busy} @click=${() => this.attempt(() => evaluations.more())}>${this.busy ? common.loading : common.olderOnes}</button>` : nothing}`;
  }
}
customElements.define("catenary-evaluations", CatenaryEvaluations);
