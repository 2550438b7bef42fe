// <catenary-project>: the inputs, the 3D view and the numbers of one project.
import { html, nothing, type PropertyValues } from "lit";
import type { Client } from "../api/client.ts";
import type { Evaluation, Geometry, Project } from "../api/types.ts";
import { valuesOf, writeAddress, type Address } from "../state/address.ts";
import { Design } from "../state/design.ts";
import { title } from "../state/format.ts";
import { grouped } from "../state/values.ts";
import type { Change } from "./input.ts";
import "./input.ts";
import { LightElement, messageOf } from "./light.ts";
import "./results.ts";
import type { Model } from "./viewer.ts";
import "./viewer.ts";

const KEPT_FILES = 40;

export class CatenaryProject extends LightElement {
  static override properties = { client: { attribute: false }, address: { attribute: false }, project: { state: true }, models: { state: true }, failure: { state: true }, download: { state: true } };
  declare client: Client;
  declare address: Address;
  declare project: Project | null;
  declare models: readonly Model[];
  declare failure: string;
  declare download: string;
  private design: Design | null = null;
  private empty = "";
  private shown: Evaluation | null = null;
  private readonly files = new Map<string, ArrayBuffer>();
  private readonly keys = (event: KeyboardEvent) => this.press(event);

  constructor() {
    super();
    this.project = null;
    this.models = [];
    this.failure = "";
    this.download = "";
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("keydown", this.keys);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("keydown", this.keys);
    this.design?.close();
  }

  protected override willUpdate(changed: PropertyValues): void {
    const before = changed.get("address") as Address | undefined;
    if (!changed.has("address")) return;
    if (before?.projectId !== this.address.projectId) void this.load();
    else if (this.mayEvaluate) this.design?.replace(valuesOf(this.address, this.design.parameters));
  }

  private get mayEvaluate(): boolean {
    return this.project !== null && this.project.role !== "viewer";
  }

  private async load(): Promise<void> {
    const { address, client } = this;
    this.design?.close();
    [this.design, this.project, this.models, this.failure, this.empty] = [null, null, [], "", ""];
    try {
      const [project, parameters] = await Promise.all([client.project(address.projectId), client.parameters(address.projectId)]);
      if (address.projectId !== this.address.projectId) return;
      this.project = project;
      document.title = `${project.name} · Catenary Studio`;
      if (project.deployed_model_version_id === null) return;
      const evaluate = (values: object) => client.evaluate(project.project_id, values);
      this.design = new Design(parameters, valuesOf(address, parameters), evaluate, () => this.follow());
      if (this.mayEvaluate) return this.design.evaluate();
      const stored = await client.latest(project.project_id, project.deployed_model_version_id);
      if (stored === null) this.empty = "Nobody has evaluated a design of this model yet.";
      else this.design.adopt(stored);
    } catch (error) {
      this.failure = messageOf(error);
    }
  }

  /** Show a changed design, with its values in the page's address. */
  private follow(): void {
    const { design, project } = this;
    if (design === null || project === null || !this.isConnected) return;
    if (this.mayEvaluate) history.replaceState(null, "", writeAddress(project.project_id, design.parameters, design.values));
    if (design.evaluation !== null && design.evaluation !== this.shown) {
      this.shown = design.evaluation;
      void this.fetchGeometry(design.evaluation);
    }
    this.requestUpdate();
  }

  private async fetchGeometry(evaluation: Evaluation): Promise<void> {
    try {
      const wanted = evaluation.geometry.filter((one) => one.format === "glb");
      const models = await Promise.all(wanted.map(async (one) => ({ name: one.name, file: await this.file(one) })));
      if (evaluation === this.shown) this.models = models;
    } catch (error) {
      if (evaluation === this.shown) this.download = messageOf(error);
    }
  }

  private async file(one: Geometry): Promise<ArrayBuffer> {
    const known = this.files.get(one.sha256);
    if (known) return known;
    const found = await this.client.bytes(one.url);
    this.files.set(one.sha256, found);
    for (const oldest of this.files.keys()) {
      if (this.files.size <= KEPT_FILES) break;
      this.files.delete(oldest);
    }
    return found;
  }

  private async save(url: string, name: string): Promise<void> {
    this.download = "";
    try {
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([await this.client.bytes(url)]));
      link.download = name;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    } catch (error) {
      this.download = messageOf(error);
    }
  }

  private press(event: KeyboardEvent): void {
    const isEntry = event.target instanceof HTMLInputElement && event.target.type !== "range";
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z" || isEntry || this.design === null) return;
    event.preventDefault();
    if (event.shiftKey) this.design.redo();
    else this.design.undo();
  }

  private change(event: CustomEvent<Change>): void {
    const { name, value, isFinal } = event.detail;
    this.design?.set(name, value);
    if (isFinal) this.design?.commit();
  }

  private inputs(design: Design) {
    const { mayEvaluate } = this;
    return html`<section class="inputs" aria-label="Inputs" @value-changed=${(event: CustomEvent<Change>) => this.change(event)}>
      <div class="bar">
        <button class="quiet" ?disabled=${!design.canUndo} @click=${() => design.undo()} title="Ctrl+Z">Undo</button>
        <button class="quiet" ?disabled=${!design.canRedo} @click=${() => design.redo()} title="Ctrl+Shift+Z">Redo</button>
        <button class="quiet" ?disabled=${design.isDefault || !mayEvaluate} @click=${() => design.reset()}>Reset</button>
      </div>
      ${mayEvaluate ? nothing : html`<p class="notice">You may look at this project: here is its newest design. To change it you need the role evaluator, which an owner gives.</p>`}
      ${design.parameters.length === 0 ? html`<p class="soft">The model has no parameters.</p>` : nothing}
      ${[...grouped(design.parameters)].map(
        ([group, parameters]) => html`<fieldset>
          <legend>${group ? title(group) : "Parameters"}</legend>
          ${parameters.map(
            (one) => html`<catenary-input
              .parameter=${one}
              .value=${design.values[one.name] ?? null}
              .refusal=${design.refused.get(one.name) ?? ""}
              .disabled=${!mayEvaluate}
            ></catenary-input>`,
          )}
        </fieldset>`,
      )}
    </section>`;
  }

  private downloads(evaluation: Evaluation) {
    const found = evaluation.geometry.filter((one) => one.format === "glb");
    if (found.length === 0) return nothing;
    return html`<h2>Downloads</h2>
      <ul class="downloads">
        ${found.map(
          (one) => html`<li>
            <span>${title(one.name)}</span>
            <button class="quiet" aria-label="Download ${one.name}.glb" @click=${() => this.save(one.url, `${one.name}.glb`)}>GLB</button>
            <button class="quiet" aria-label="Download ${one.name}.stl" @click=${() => this.save(stlOf(one.url), `${one.name}.stl`)}>STL</button>
          </li>`,
        )}
      </ul>
      ${this.download ? html`<p class="notice bad" role="alert">${this.download}</p>` : nothing}`;
  }

  override render() {
    const { design, project } = this;
    if (this.failure) {
      return html`<section class="page"><p class="notice bad" role="alert">${this.failure}</p><button @click=${() => this.load()}>Try again</button> <a href="#">All projects</a></section>`;
    }
    if (project === null) return html`<section class="page"><p class="soft" role="status">Loading the project…</p></section>`;
    if (design === null) {
      return html`<section class="page"><h1>${project.name}</h1><p>No model is deployed to this project yet. Deploy one:</p>
        <pre><code>catenary model push my_model.py --project ${project.project_id} --deploy</code></pre><p><a href="#">All projects</a></p></section>`;
    }
    return html`<div class="title"><a href="#">Projects</a><span aria-hidden="true">/</span><h1>${project.name}</h1>
        <span class="state" role="status">${design.busy ? "Computing…" : ""}</span></div>
      <div class="workspace">
        ${this.inputs(design)}
        <catenary-viewer .models=${this.models} .busy=${design.busy || (design.evaluation === null && !this.empty && !design.failure)}></catenary-viewer>
        <section class="outputs" aria-label="Results">
          ${design.failure ? html`<p class="notice bad" role="alert">${design.failure}${design.evaluation ? html`<span class="soft"> Shown is the last design that worked.</span>` : nothing}</p>` : nothing}
          ${design.evaluation === null
            ? html`<p class="soft">${design.failure ? "" : this.empty || "The first result comes in a moment."}</p>`
            : html`<catenary-results .evaluation=${design.evaluation}></catenary-results>${this.downloads(design.evaluation)}`}
        </section>
      </div>`;
  }
}
customElements.define("catenary-project", CatenaryProject);

/** The URL of a geometry as STL: `.stl` after its path, before a query. */
function stlOf(url: string): string {
  const [path, query] = url.split("?");
  return `${path}.stl${query ? `?${query}` : ""}`;
}
