// <catenary-once>: a secret address that is shown once, to be copied.
import { html, nothing } from "lit";
import { LightElement } from "./light.ts";
import { common, once as texts } from "../texts/common.ts";

export class CatenaryOnce extends LightElement {
  static override properties = { label: { attribute: false }, value: { attribute: false }, about: { attribute: false }, told: { state: true } };
  declare label: string;
  declare value: string;
  declare about: string;
  declare told: string;

  constructor() {
    super();
    this.about = "";
    this.told = "";
  }

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    if (changed.has("value")) this.told = "";
  }

  protected override firstUpdated(): void {
    this.querySelector("button")?.focus();
  }

  private async copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(this.value);
      this.told = common.copied;
    } catch {
      this.querySelector("input")?.select();
      this.told = texts.copyByKeys;
    }
  }

  override render() {
    return html`<div class="notice once">
      <label class="field">${this.label}<input type="text" readonly .value=${this.value} @focus=${(event: FocusEvent) => (event.target as HTMLInputElement).select()} /></label>
      <div class="bar"><button type="button" @click=${() => this.copy()}>${common.copy}</button>${this.told ? html`<span class="soft" role="status">${this.told}</span>` : nothing}</div>
      <p class="soft">${this.about}</p>
    </div>`;
  }
}
customElements.define("catenary-once", CatenaryOnce);
