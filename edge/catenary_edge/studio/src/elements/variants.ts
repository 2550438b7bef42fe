// <catenary-variants>: the saved designs of a project: save, open, rename, delete, compare.
import { html, nothing, type PropertyValues } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { Client } from "../api/client.ts";
import type { Comparison, Evaluation, Parameter, Project, Variant } from "../api/types.ts";
import { variantCalls } from "../api/variants.ts";
import { when } from "../state/format.ts";
import { Variants } from "../state/variants.ts";
import { common } from "../texts/common.ts";
import { variants as texts } from "../texts/variants.ts";
import { AskingElement, textOfField } from "./asking.ts";
import { lazily } from "./lazily.ts";
import "./picture.ts";

const loadComparison = lazily(() => import("./comparison.ts"));

/** What is asked of the person at the moment. */
type Asking = { kind: "save" } | { kind: "rename" | "delete"; variant: Variant };

export class CatenaryVariants extends AskingElement<Asking> {
  static override properties = {
    client: { attribute: false },
    project: { attribute: false },
    parameters: { attribute: false },
    callerId: { attribute: false },
    keep: { attribute: false },
    comparison: { state: true },
    isLoaded: { state: true },
  };
  declare client: Client;
  declare project: Project;
  declare parameters: readonly Parameter[];
  /** Id of the caller; null where it is not known. */
  declare callerId: string | null;
  /** Returns the stored evaluation of the present design, made if there is none. */
  declare keep: () => Promise<Evaluation>;
  declare comparison: Comparison | null;
  declare isLoaded: boolean;
  private variants: Variants | null = null;
  private listed: readonly Variant[] = [];

  constructor() {
    super();
    this.callerId = null;
    this.comparison = null;
    this.isLoaded = false;
  }

  protected override willUpdate(changed: PropertyValues): void {
    const before = changed.get("project") as Project | undefined;
    if (changed.has("project") && before?.project_id !== this.project.project_id) void this.load();
  }

  protected override updated(changed: PropertyValues): void {
    const list = this.variants?.list ?? this.listed;
    if (list !== this.listed) this.tell<readonly Variant[]>("variants-listed", (this.listed = list));
    super.updated(changed);
  }

  private async load(): Promise<void> {
    this.isLoaded = false;
    await this.attempt(async () => {
      const { client, project } = this;
      const found = new Variants(variantCalls(client, project.project_id), project.role, this.callerId);
      await found.load();
      this.variants = found;
      this.isLoaded = true;
    });
  }

  /** Read the list again, as after a change by somebody else. */
  async refresh(): Promise<void> {
    const { variants } = this;
    if (variants === null) return;
    await variants.load().catch(() => undefined);
    this.requestUpdate();
  }

  private fieldsOf(asking: Asking, variants: Variants) {
    const { name = "", note = "" } = asking.kind === "save" ? {} : asking.variant;
    const fields = html`${this.nameField(name)}
      <label class="field">${texts.note}<textarea name="note" maxlength="10000" rows="2" .value=${note}></textarea></label>`;
    return this.form(fields, async (form) => {
      const [newName, newNote] = [textOfField(form, "name"), textOfField(form, "note")];
      if (asking.kind === "save") await variants.save(newName, newNote, (await this.keep()).evaluation_id);
      else await variants.change(asking.variant.variant_id, newName, newNote);
    });
  }

  private row(variant: Variant, variants: Variants) {
    const { asking } = this;
    const isAsked = asking !== null && asking.kind !== "save" && asking.variant.variant_id === variant.variant_id;
    const isChosen = variants.chosen.includes(variant.variant_id);
    const choose = () => {
      variants.choose(variant.variant_id);
      this.requestUpdate();
    };
    const open = () => this.tell<Variant>("variant-opened", variant);
    return html`<li data-variant=${variant.name}>
      <div class="pictured">
        <catenary-picture .client=${this.client} .url=${variant.thumbnail?.url ?? null} @click=${open}></catenary-picture>
        <div>
          <button class="link" title=${texts.openDesign} @click=${open}>${variant.name}</button>
          ${variant.status === "ready" ? nothing : html`<p class="soft">${variant.status === "failed" ? texts.failed : texts.computing}</p>`}
          <p class="soft">${when(variant.created_at)}${variant.created_by ? html`<br />${variant.created_by.staff_name}` : nothing}</p>
          <label class="soft choice"><input type="checkbox" aria-label=${texts.toCompare(variant.name)} .checked=${isChosen} ?disabled=${!variants.mayChoose(variant)} @change=${choose} />${common.compare}</label>
          ${variant.note ? html`<p class="note">${variant.note}</p>` : nothing}
        </div>
      </div>
      ${isAsked
        ? asking.kind === "rename" ? this.fieldsOf(asking, variants) : this.question(common.deletesForAll(variant.name), common.delete, () => variants.remove(variant.variant_id))
        : variants.mayChange(variant)
          ? html`<div class="bar small">
              <button class="quiet" aria-label=${common.renames(variant.name)} @click=${() => this.ask({ kind: "rename", variant })}>${common.rename}</button>
              <button class="quiet" aria-label=${common.deletes(variant.name)} @click=${() => this.ask({ kind: "delete", variant })}>${common.delete}</button>
            </div>`
          : nothing}
    </li>`;
  }

  private compare(variants: Variants): void {
    void this.attempt(async () => {
      await loadComparison();
      this.comparison = await variants.compare();
    });
  }

  private list(variants: Variants) {
    if (variants.list.length === 0) {
      return html`<p class="soft">${variants.maySave ? texts.noneYours : texts.none}</p>`;
    }
    const chosen = variants.chosen.length;
    return html`<ul class="variants">${repeat(variants.list, (one) => one.variant_id, (one) => this.row(one, variants))}</ul>
      <button class="quiet" ?disabled=${!variants.canCompare || this.busy} @click=${() => this.compare(variants)}>${chosen < 2 ? texts.compareFew : texts.compareThese(chosen)}</button>`;
  }

  override render() {
    const { asking, variants } = this;
    const told = this.failure ? html`<p class="notice bad" role="alert">${this.failure}</p>` : nothing;
    if (variants === null || !this.isLoaded) {
      return this.failure ? html`${told}<button class="quiet" @click=${() => this.load()}>${common.tryAgain}</button>` : html`<p class="soft" role="status">${texts.loading}</p>`;
    }
    return html`<section aria-label=${common.variants}>
      ${variants.maySave ? (asking?.kind === "save" ? this.fieldsOf(asking, variants) : html`<div class="bar"><button @click=${() => this.ask({ kind: "save" })}>${texts.save}</button></div>`) : nothing}
      ${told}${this.list(variants)}
      ${this.comparison === null ? nothing : html`<catenary-comparison .comparison=${this.comparison} .parameters=${this.parameters} @closed=${() => (this.comparison = null)}></catenary-comparison>`}
    </section>`;
  }
}
customElements.define("catenary-variants", CatenaryVariants);
