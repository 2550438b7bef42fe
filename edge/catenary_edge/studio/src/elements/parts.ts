// <catenary-parts>: the list of the model's parts, over the 3D view; loaded when it is first opened.
import { html, nothing } from "lit";
import { live } from "lit/directives/live.js";
import { title } from "../state/format.ts";
import type { PartRow, Parts } from "../state/parts.ts";
import { common } from "../texts/common.ts";
import { parts as texts } from "../texts/parts.ts";
import { icon } from "./icons.ts";
import { LightElement } from "./light.ts";

export class CatenaryParts extends LightElement {
  static override properties = { parts: { attribute: false }, filter: { state: true } };
  /** Changes in place. */
  declare parts: Parts;
  declare filter: string;

  constructor() {
    super();
    this.filter = "";
  }

  protected override firstUpdated(): void {
    this.querySelector<HTMLInputElement>("input[type=search]")?.focus();
  }

  private group(geometry: string, rows: readonly PartRow[]) {
    const { parts } = this;
    const keys = parts.rows.filter((one) => one.geometry === geometry).map((one) => one.key);
    const hidden = keys.filter((key) => parts.isHidden(key)).length;
    return html`<li>
      <label class="geometry"
        ><input
          type="checkbox"
          .checked=${live(hidden < keys.length)}
          .indeterminate=${live(hidden > 0 && hidden < keys.length)}
          @change=${() => parts.setHidden(keys, hidden === 0)}
        />${title(geometry)}</label
      >
      <ul>
        ${rows.map((row) => this.row(row))}
      </ul>
    </li>`;
  }

  private row(row: PartRow) {
    const { parts } = this;
    const { key, geometry, count } = row;
    const name = title(row.name || geometry);
    return html`<li class=${parts.marked === key ? "marked" : ""}>
      <input type="checkbox" aria-label=${texts.show(name)} .checked=${live(!parts.isHidden(key))} @change=${() => parts.setHidden([key], !parts.isHidden(key))} />
      <input type="color" aria-label=${texts.colour(name)} .value=${parts.colorOf(row)} @input=${(event: Event) => parts.recolor(key, (event.target as HTMLInputElement).value)} />
      <button class="name" aria-pressed=${parts.marked === key} title=${name} @click=${() => parts.mark(key)} @dblclick=${() => this.tell("part-wanted", key)}>
        ${name}${count > 1 ? html` <span class="soft">×${count}</span>` : nothing}
      </button>
      ${parts.isRecolored(key) ? this.action("reset", texts.resetColour(name), () => parts.recolor(key, null)) : nothing}
      ${this.action("closer", texts.zoom(name), () => this.tell("part-wanted", key))}
      ${this.action("alone", parts.isolated === key ? texts.beside(name) : common.only(name), () => parts.isolate(key), parts.isolated === key)}
    </li>`;
  }

  private action(sign: Parameters<typeof icon>[0], label: string, act: () => void, isOn?: boolean) {
    return html`<button class="action" aria-label=${label} title=${label} aria-pressed=${isOn ?? nothing} @click=${act}>${icon(sign)}</button>`;
  }

  override render() {
    const { parts } = this;
    const { groups, more } = parts.find(this.filter);
    return html`<section class="panel" aria-label=${texts.title}>
      <div class="head">
        <h2>${texts.title}</h2>
        <button class="quiet small" ?disabled=${parts.hiddenCount === 0} @click=${() => parts.showAll()}>${texts.showAll}</button>
        ${this.action("close", texts.close, () => this.tell("tool-toggled", "parts"))}
      </div>
      <input type="search" aria-label=${texts.filterParts} placeholder=${texts.filter} .value=${this.filter} @input=${(event: Event) => (this.filter = (event.target as HTMLInputElement).value)} />
      <ul class="geometries">
        ${groups.map(({ geometry, rows }) => this.group(geometry, rows))}
      </ul>
      ${groups.length === 0 ? html`<p class="soft" role="status">${texts.none}</p>` : nothing}
      ${more > 0 ? html`<p class="soft" role="status">${texts.more(more)}</p>` : nothing}
    </section>`;
  }
}
customElements.define("catenary-parts", CatenaryParts);
