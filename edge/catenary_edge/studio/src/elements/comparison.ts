// <catenary-comparison>: designs side by side in a window over the page.
import { html, nothing } from "lit";
import type { Compared, Parameter } from "../api/types.ts";
import * as format from "../state/format.ts";
import type { SideBySide } from "../state/pins.ts";
import { textOf } from "../state/variants.ts";
import { common } from "../texts/common.ts";
import { comparison as texts } from "../texts/variants.ts";
import { LightElement } from "./light.ts";

export class CatenaryComparison extends LightElement {
  static override properties = { comparison: { attribute: false }, parameters: { attribute: false } };
  declare comparison: SideBySide;
  /** Those of the project, whose labels the inputs have too. */
  declare parameters: readonly Parameter[];

  protected override firstUpdated(): void {
    this.querySelector("dialog")?.showModal();
  }

  private cell(item: Compared["items"][number], isFirst: boolean) {
    const { difference } = item;
    const sign = difference !== null && difference > 0 ? "+" : "";
    return html`<td class="value">
      ${textOf(item.value)} <span class="unit">${format.unit(item.unit)}</span>
      ${isFirst || !difference ? nothing : html`<span class="soft rule">${sign}${format.number(difference)}</span>`}
    </td>`;
  }

  private rows(title: string, found: readonly Compared[], labels: ReadonlyMap<string, string>) {
    if (found.length === 0) return nothing;
    return html`<tbody>
      <tr><th scope="rowgroup" colspan=${this.comparison.variants.length + 1} class="group">${title}</th></tr>
      ${found.map((one) => html`<tr class=${one.differs ? "differs" : ""} data-compared=${one.name}><th scope="row">${format.title(labels.get(one.name) || one.name)}</th>${one.items.map((item, place) => this.cell(item, place === 0))}</tr>`)}
    </tbody>`;
  }

  override render() {
    const { comparison } = this;
    return html`<dialog aria-label=${texts.title} @close=${() => this.tell("closed")}>
      <div class="head"><h2>${texts.title}</h2><button class="quiet" @click=${() => this.querySelector("dialog")?.close()}>${common.close}</button></div>
      <div class="scroll" tabindex="0" role="region" aria-label=${texts.title}>
        <table class="results compared">
          <thead><tr><td></td>${comparison.variants.map((one) => html`<th scope="col">${one.name}</th>`)}</tr></thead>
          ${this.rows(common.inputs, comparison.parameters, new Map(this.parameters.map(({ name, label }) => [name, label])))}
          ${this.rows(common.metrics, comparison.metrics, new Map())}
        </table>
      </div>
      <p class="soft">${texts.against(comparison.variants[0]?.name ?? "")}</p>
    </dialog>`;
  }
}
customElements.define("catenary-comparison", CatenaryComparison);
