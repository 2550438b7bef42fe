// <catenary-downloads>: the files of a design. One that nobody has stored is evaluated at the first download.
import { html, nothing } from "lit";
import type { Client } from "../api/client.ts";
import type { Evaluation, OutputFile } from "../api/types.ts";
import { size, title } from "../state/format.ts";
import { urlIn, type Format } from "../state/geometry_urls.ts";
import { common } from "../texts/common.ts";
import { downloads as texts } from "../texts/design.ts";
import { LightElement, messageOf } from "./light.ts";
import { saveAs } from "./saving.ts";

/** A geometry that can be downloaded, with the unit of its STL, and as STEP where it is exact. */
export interface Downloadable {
  name: string;
  unit: string | null;
  isExact: boolean;
}

export class CatenaryDownloads extends LightElement {
  static override properties = {
    client: { attribute: false },
    items: { attribute: false },
    files: { attribute: false },
    keep: { attribute: false },
    failure: { state: true },
    busy: { state: true },
  };
  declare client: Client;
  declare items: readonly Downloadable[];
  declare files: readonly OutputFile[];
  /** Returns the stored evaluation of the design, made if there is none. */
  declare keep: () => Promise<Evaluation>;
  declare failure: string;
  declare busy: string;

  constructor() {
    super();
    this.items = [];
    this.files = [];
    this.failure = "";
    this.busy = "";
  }

  private async save(file: string, url: (evaluation: Evaluation) => string | undefined): Promise<void> {
    this.failure = "";
    this.busy = file;
    try {
      const found = url(await this.keep());
      if (found === undefined) throw new Error(texts.none(file));
      saveAs(file, await this.client.bytes(found));
    } catch (error) {
      this.failure = messageOf(error);
    } finally {
      this.busy = "";
    }
  }

  private button(file: string, label: string, url: (evaluation: Evaluation) => string | undefined) {
    return html`<button class="quiet" aria-label=${texts.download(label, file)} ?disabled=${this.busy !== ""} @click=${() => this.save(file, url)}>
      ${this.busy === file ? "…" : label}
    </button>`;
  }

  private geometry(name: string, format: Format, label: string) {
    return this.button(`${name}.${format}`, label, ({ geometry }) => {
      const found = geometry.find((one) => one.name === name && one.format === "glb");
      return found && urlIn(found, format);
    });
  }

  override render() {
    if (this.items.length === 0 && this.files.length === 0) return nothing;
    return html`<h2>${texts.title}</h2>
      <ul class="downloads">
        ${this.items.map(
          ({ name, unit, isExact }) => html`<li><span>${title(name)}</span>
            ${this.geometry(name, "glb", "GLB")}${this.geometry(name, "stl", texts.stl(unit ?? "m"))}${this.geometry(name, "3mf", "3MF")}${isExact ? this.geometry(name, "step", "STEP") : nothing}</li>`,
        )}
        ${this.files.map(
          (file) => html`<li><span>${file.name} <small class="soft">${size(file.size)}</small></span>
            ${this.button(file.name, common.save, ({ files }) => files.find((one) => one.name === file.name)?.url)}</li>`,
        )}
      </ul>
      ${this.failure ? html`<p class="notice bad" role="alert">${this.failure}</p>` : nothing}`;
  }
}
customElements.define("catenary-downloads", CatenaryDownloads);
