// <catenary-designs>: charts and a table of many designs of a project, loaded when it is first opened.
import { html, nothing, type PropertyValues } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { Client } from "../api/client.ts";
import { designCalls, designRequestCalls } from "../api/designs.ts";
import type { Evaluation, Parameter, Project, View, ViewChart } from "../api/types.ts";
import { headingOf, shownValue, type Candidate } from "../state/candidates.ts";
import { BEGINNING, isFiltered, type Beside } from "../state/beside.ts";
import { Explore, MOST_CHARTS, type ChartKind, type StudyProgress } from "../state/explore.ts";
import { told } from "../state/filters.ts";
import * as format from "../state/format.ts";
import { askerOf, endingOf, isGrowing, keyOfSource, MOST_CANDIDATES, nameOfSource, progressOf, versionOf, type Source } from "../state/sources.ts";
import { fitting, type Values } from "../state/values.ts";
import { common } from "../texts/common.ts";
import { designChart, designs as texts } from "../texts/designs.ts";
import "./design_chart.ts";
import "./design_request.ts";
import "./design_table.ts";
import type { Caller } from "./designs_tab.ts";
import { indicesOf } from "./indices.ts";
import { LightElement } from "./light.ts";
import "./matrix.ts";

export class CatenaryDesigns extends LightElement {
  static override properties = {
    client: { attribute: false },
    project: { attribute: false },
    parameters: { attribute: false },
    metrics: { attribute: false },
    values: { attribute: false },
    caller: { attribute: false },
    view: { attribute: false },
    wanted: { attribute: false },
    active: { attribute: false },
  };
  declare client: Client;
  declare project: Project;
  declare parameters: readonly Parameter[];
  /** Names of the metrics in the order of their declaration. */
  declare metrics: readonly string[];
  /** The values of the present design. */
  declare values: Values;
  declare caller: Caller;
  /** The saved view with whose charts the page begins; null without one. */
  declare view: View | null;
  /** What the address names: the source that is read first, else the newest one, and the filters. */
  declare wanted: Beside;
  /** Whether the charts are in view: designs are read when they first are. */
  declare active: boolean;
  private explore: Explore | null = null;

  constructor() {
    super();
    this.parameters = this.metrics = [];
    this.values = {};
    this.caller = { id: null, isDraft: false };
    this.view = null;
    this.wanted = BEGINNING;
    this.active = false;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.end();
  }

  private end(): void {
    this.explore?.stop();
    this.explore?.watch(false);
    this.explore = null;
  }

  protected override willUpdate(changed: PropertyValues): void {
    const before = changed.get("project") as Project | undefined;
    const isOther = before !== undefined && (before.project_id !== this.project.project_id || before.deployed_model_version_id !== this.project.deployed_model_version_id);
    if (isOther || changed.has("client")) this.end();
    else if ((changed.has("parameters") || changed.has("metrics")) && this.explore !== null) this.explore.declare(this.declared);
    this.explore?.watch(this.active);
    if (this.active && this.explore === null) this.begin();
    else if (changed.has("wanted")) this.goTo(this.wanted);
  }

  protected override updated(): void {
    // What they show changes in place.
    for (const one of this.querySelectorAll<LightElement>("catenary-design-chart, catenary-design-table")) one.requestUpdate();
  }

  private get declared() {
    return { modelVersionId: this.project.deployed_model_version_id ?? "", parameters: this.parameters, metrics: this.metrics };
  }

  private begin(): void {
    const explore = (this.explore = new Explore(designCalls(this.client, this.project.project_id), this.declared, () => {
      this.requestUpdate();
      this.tell("beside-changed");
    }));
    const { filters, isFeasibleOnly, designs } = this.wanted;
    explore.show(this.view?.charts ?? []);
    if (isFiltered(this.wanted)) explore.narrow(filters, isFeasibleOnly);
    explore.watch(true);
    void explore.begin(designs);
  }

  /** Show what another address names. */
  private goTo({ designs, filters, isFeasibleOnly }: Beside): void {
    if (this.explore === null || designs === null) return;
    this.explore.narrow(filters, isFeasibleOnly);
    if (designs !== this.beside.designs) void this.explore.begin(designs);
  }

  /** The source whose designs are shown and which of them, for the address; of the address before that was read. */
  get beside(): Pick<Beside, "designs" | "filters" | "isFeasibleOnly"> {
    const { explore, wanted } = this;
    if (explore === null) return wanted;
    return { designs: explore.source === null ? wanted.designs : keyOfSource(explore.source), filters: explore.filters, isFeasibleOnly: explore.isFeasibleOnly };
  }

  /** Take the end of a batch or a study. */
  hear(): void {
    void this.explore?.hear();
  }

  /** Take how far a study has come. */
  follow(progress: StudyProgress): void {
    this.explore?.follow(progress);
  }

  /** Show the charts of a saved view; filters of an address go before its own. */
  show(view: View, address: Beside): void {
    this.explore?.show(view.charts);
    if (isFiltered(address)) this.explore?.narrow(address.filters, address.isFeasibleOnly);
  }

  /** Return the charts as a view is saved with them; null where nobody has chosen any. */
  saved(): ViewChart[] | null {
    return this.explore?.saved() ?? null;
  }

  private choose(explore: Explore, candidate: Candidate): void {
    explore.choose(candidate.id);
    const version = explore.source && versionOf(explore.source);
    const isOther = version !== null && version !== this.project.deployed_model_version_id;
    const parameters = isOther ? fitting(this.parameters, candidate.parameters) : candidate.parameters;
    this.tell<Pick<Evaluation, "evaluation_id" | "parameters">>("evaluation-opened", { evaluation_id: candidate.id, parameters });
  }

  private sources(explore: Explore) {
    const { sources, source } = explore;
    const key = source && keyOfSource(source);
    const choose = (event: Event) => {
      const chosen = sources?.find((one) => keyOfSource(one) === (event.target as HTMLSelectElement).value);
      if (chosen === undefined) return;
      void explore.read(chosen);
    };
    return html`<div class="bar sources">
      <label>${texts.of}
        <select ?disabled=${sources === null} @change=${choose}>
          ${(sources ?? []).map((one) => html`<option value=${keyOfSource(one)} .selected=${keyOfSource(one) === key}>${nameOfSource(one)}</option>`)}
        </select></label>
      ${explore.hasOlderSources ? html`<button class="quiet" ?disabled=${explore.isListing} @click=${() => explore.older()}>${explore.isListing ? common.loading : common.olderOnes}</button>` : nothing}
      ${explore.isReading ? html`<button class="quiet" ?disabled=${sources === null} @click=${() => explore.stop()}>${texts.stop}</button>` : html`<button class="quiet" @click=${() => explore.begin()}>${texts.readAgain}</button>`}
    </div>`;
  }

  /** Say how many designs pass, and what is left out. */
  private counts(explore: Explore) {
    const { candidates, hitCount, reading, isFeasibleOnly } = explore;
    const infeasible = candidates.filter((one, place) => explore.hits[place] && !one.isFeasible).length;
    const left = [reading.failed > 0 ? texts.withoutResult(format.number(reading.failed)) : "", reading.unfinished > 0 ? texts.unfinished(format.number(reading.unfinished)) : ""].filter(Boolean).join(", ");
    return html`<div class="bar counts">
      <p role="status"><strong class="hits">${texts.hits(format.number(hitCount), candidates.length, format.number(candidates.length))}</strong>${explore.isReading || isGrowing(explore.source!) ? texts.soFar : ""}</p>
      <label class="choice"><input type="checkbox" .checked=${isFeasibleOnly} @change=${(event: Event) => explore.showFeasible((event.target as HTMLInputElement).checked)} />${texts.feasibleOnly}</label>
      <button class="quiet small" ?disabled=${!isFiltered(explore)} @click=${() => explore.clearFilters()}>${texts.clearFilters}</button>
      ${infeasible > 0 ? html`<p class="soft">${texts.breaking(infeasible, format.number(infeasible))}</p>` : nothing}
      ${left ? html`<p class="soft">${texts.leftOut(left)}</p>` : nothing}
      ${this.filtered(explore)}
      ${hitCount === 0 && candidates.length > 0 ? html`<p class="notice">${texts.noHits}</p>` : nothing}
    </div>`;
  }

  /** The filters, of which some may have no axis in any chart. */
  private filtered(explore: Explore) {
    const names = Object.keys(explore.filters);
    return html`<div class="bar small filters" role="group" aria-label=${texts.filters} tabindex=${names.length > 0 ? 0 : nothing}>
      ${names.length === 0 ? html`<span class="soft">${texts.noFilters}</span>` : nothing}
      ${names.map((name) => {
        const column = explore.columns.find((one) => one.name === name);
        const text = `${column?.label ?? format.title(name)} ${format.measure(told(explore.filters[name]!), column?.unit)}`;
        return html`<button class="quiet" title=${texts.removeFilter} @click=${() => explore.filter(name, null)}><span class="cut">${text}</span><span aria-hidden="true"> ✕</span><span class="sr">${texts.removeFilterHeard}</span></button>`;
      })}
    </div>`;
  }

  private get mayEvaluate(): boolean {
    return this.project.role !== "viewer";
  }

  /** The form by which designs are computed, for who may do so. */
  private request(explore: Explore) {
    if (!this.mayEvaluate) return nothing;
    if (this.caller.isDraft) return html`<p class="soft">${texts.draft}</p>`;
    return html`<catenary-design-request
      .calls=${designRequestCalls(this.client, this.project.project_id)}
      .parameters=${this.parameters}
      .metrics=${this.metrics}
      .values=${this.values}
      @designs-requested=${(event: CustomEvent<string>) => void explore.begin(event.detail)}
    ></catenary-design-request>`;
  }

  /** How far the designs of a source are computed, with a button to cancel for who may. */
  private progress(explore: Explore, source: Source) {
    const progress = progressOf(source);
    if (progress === null) return nothing;
    const { ended, total, expectedEnd } = progress;
    const mayCancel = this.project.role === "owner" || this.project.role === "editor" || (this.mayEvaluate && askerOf(source) === this.caller.id);
    const text = `${texts.progress(format.number(ended), format.number(total))}${expectedEnd === null ? "" : texts.expected(format.when(expectedEnd))}`;
    return html`<div class="computing notice">
      <span role="status">${text}</span><progress max=${total} value=${ended} aria-label=${text}></progress>
      ${mayCancel ? html`<button class="quiet" ?disabled=${explore.isCancelling} @click=${() => explore.cancel(source)}>${explore.isCancelling ? texts.cancelling : common.cancel}</button>` : nothing}
    </div>`;
  }

  /** A way from a study to its front. */
  private front(explore: Explore, source: Source) {
    if (source.kind !== "study" || source.study.front_size === 0) return nothing;
    const { study } = source;
    return html`<p><button class="quiet small" @click=${() => explore.read({ kind: "front", study })}>${texts.showFront(study.front_size, format.number(study.front_size))}</button></p>`;
  }

  private notices(explore: Explore) {
    const { failure, source, reading, isReading, isOther } = explore;
    const version = source && versionOf(source);
    return html`${failure ? html`<p class="notice bad" role="alert">${failure}</p><button class="quiet" @click=${() => explore.begin()}>${common.tryAgain}</button>` : nothing}
      ${source !== null && endingOf(source) ? html`<p class="notice">${endingOf(source)}</p>` : nothing}
      ${source === null ? nothing : html`${this.progress(explore, source)} ${this.front(explore, source)}`}
      ${explore.indices.length > 0 ? indicesOf(explore.indices, (name) => this.labelOf(name)) : nothing}
      ${isOther && !failure ? html`<p class="notice">${texts.gone}</p>` : nothing}
      ${version !== null && version !== this.project.deployed_model_version_id ? html`<p class="notice">${texts.otherVersion}</p>` : nothing}
      ${!isReading && !failure && !reading.isWhole && reading.candidates.length > 0
        ? html`<p class="notice">${reading.candidates.length >= MOST_CANDIDATES ? texts.most(format.number(MOST_CANDIDATES)) : texts.notAll}</p>`
        : nothing}`;
  }

  private labelOf(name: string): string {
    return format.title(this.parameters.find((one) => one.name === name)?.label || name);
  }

  private empty(explore: Explore) {
    const { isReading, failure, reading, source } = explore;
    if (isReading) return html`<p class="soft" role="status">${texts.reading}</p>`;
    if (failure) return nothing;
    const isGoingOn = reading.unfinished > 0 || (source !== null && isGrowing(source));
    if (isGoingOn || reading.failed > 0) return html`<p class="soft">${isGoingOn ? texts.noResultYet : texts.failedAll}</p>`;
    if (source?.kind !== "stored") return html`<p class="soft">${texts.none}</p>`;
    return html`<p class="soft">${this.mayEvaluate ? texts.evaluator : texts.viewer}</p>`;
  }

  /** The values of the chosen design. */
  private chosen(explore: Explore) {
    const { present } = explore;
    if (present === null) return html`<p class="soft chosen-design">${texts.withoutChoice}</p>`;
    const place = explore.candidates.indexOf(present);
    return html`<section class="chosen-design" aria-label=${texts.chosen}>
      <div class="line"><h2>${texts.design(format.number(place + 1))}</h2>
        <button class="quiet small" @click=${() => this.choose(explore, present)}>${texts.openAgain}</button>
        <button class="quiet small" @click=${() => explore.choose(null)}>${common.close}</button></div>
      <dl>
        ${explore.columns.map((column) => html`<div><dt title=${headingOf(column)}>${column.label}</dt><dd>${shownValue(column, column.numbers[place]!)} <span class="soft">${format.unit(column.unit)}</span></dd></div>`)}
      </dl>
    </section>`;
  }

  private adding(explore: Explore) {
    if (explore.charts.length >= MOST_CHARTS) return nothing;
    const add = (event: Event) => {
      const select = event.target as HTMLSelectElement;
      if (select.value) explore.add(select.value as ChartKind);
      select.value = "";
    };
    return html`<div class="bar small"><label><span class="sr">${texts.addChart}</span>
      <select @change=${add}><option value="">${texts.addChartHint}</option>${Object.entries(designChart.kinds).map(([kind, label]) => html`<option value=${kind}>${label}</option>`)}</select></label></div>`;
  }

  override render() {
    const { explore } = this;
    if (explore === null) return nothing;
    const { candidates } = explore;
    return html`<section aria-label=${texts.title} @design-chosen=${(event: CustomEvent<Candidate>) => this.choose(explore, event.detail)}>
      ${this.sources(explore)} ${this.request(explore)} ${this.notices(explore)}
      ${candidates.length === 0
        ? this.empty(explore)
        : html`${this.counts(explore)}
            ${repeat(explore.charts, ({ id }) => id, (setup) => html`<catenary-design-chart .explore=${explore} .setup=${setup}></catenary-design-chart>`)}
            ${this.adding(explore)} ${this.chosen(explore)}
            <catenary-design-table .explore=${explore}></catenary-design-table>`}
    </section>`;
  }
}
customElements.define("catenary-designs", CatenaryDesigns);
