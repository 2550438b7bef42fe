// <catenary-downloads>: the files of a design. One that nobody has stored is evaluated at the first download.
import { html, nothing } from "lit";
import type { Client } from "../api/client.ts";
import type { Evaluation } from "../api/types.ts";
import { title } from "../state/format.ts";
import { stlOf } from "../state/stl.ts";
import { LightElement, messageOf } from "./light.ts";

/** A geometry that can be downloaded, with the unit of its STL. */
export interface Downloadable {
  name: string;
  unit: string | null;
}

export class CatenaryDownloads extends LightElement {
  static override properties = { client: { attribute: false }, items: { attribute: false }, keep: { attribute: false }, failure: { state: true }, busy: { state: true } };
  declare client: Client;
  declare items: readonly Downloadable[];
  /** Returns the stored evaluation of the design, made if there is none. */
  declare keep: () => Promise<Evaluation>;
  declare failure: string;
  declare busy: string;

  constructor() {
    super();
    this.items = [];
    this.failure = "";
    this.busy = "";
  }

  private async save(name: string, format: "glb" | "stl"): Promise<void> {
    this.failure = "";
    this.busy = `${name}.${format}`;
    try {
      const found = (await this.keep()).geometry.find((one) => one.name === name && one.format === "glb");
      if (found === undefined) throw new Error(`This design has no geometry ${name}.`);
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([await this.client.bytes(format === "glb" ? found.url : stlOf(found))]));
      link.download = `${name}.${format}`;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    } catch (error) {
      this.failure = messageOf(error);
    } finally {
      this.busy = "";
    }
  }

  private button(name: string, format: "glb" | "stl", label: string) {
    const file = `${name}.${format}`;
    return html`<button class="quiet" aria-label="Download ${file}" ?disabled=${this.busy !== ""} @click=${() => this.save(name, format)}>
      ${this.busy === file ? "…" : label}
    </button>`;
  }

  override render() {
    if (this.items.length === 0) return nothing;
    return html`<h2>Downloads</h2>
      <ul class="downloads">
        ${this.items.map(({ name, unit }) => html`<li><span>${title(name)}</span>${this.button(name, "glb", "GLB")}${this.button(name, "stl", `STL in ${unit ?? "m"}`)}</li>`)}
      </ul>
      ${this.failure ? html`<p class="notice bad" role="alert">${this.failure}</p>` : nothing}`;
  }
}
customElements.define("catenary-downloads", CatenaryDownloads);
