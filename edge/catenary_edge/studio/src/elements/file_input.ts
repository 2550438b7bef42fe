// <catenary-file-input>: a parameter that is a file: one of the project's, or one that is uploaded to it.
import { html, nothing } from "lit";
import { live } from "lit/directives/live.js";
import type { Json, Parameter, ProjectFile } from "../api/types.ts";
import { title } from "../state/format.ts";
import { fileOf, fitting, refusalOf, type FileCalls } from "../state/input_files.ts";
import { fileInput as texts } from "../texts/file_input.ts";
import { LightElement, messageOf } from "./light.ts";

export class CatenaryFileInput extends LightElement {
  static override properties = { parameter: { attribute: false }, value: { attribute: false }, disabled: { type: Boolean }, calls: { attribute: false }, files: { state: true }, busy: { state: true }, failure: { state: true } };
  declare parameter: Parameter;
  declare value: Json;
  declare disabled: boolean;
  declare calls: FileCalls | null;
  declare files: readonly ProjectFile[];
  declare busy: boolean;
  declare failure: string;

  constructor() {
    super();
    this.value = null;
    this.disabled = false;
    this.calls = null;
    this.files = [];
    this.busy = false;
    this.failure = "";
  }

  protected override firstUpdated(): void {
    void this.list();
  }

  private async list(): Promise<void> {
    try {
      this.files = (await this.calls?.list()) ?? [];
    } catch (error) {
      this.failure = messageOf(error);
    }
  }

  private async upload(field: HTMLInputElement): Promise<void> {
    const [file] = field.files ?? [];
    field.value = ""; // the same file can be chosen again
    if (file === undefined || this.calls === null) return;
    this.failure = refusalOf(file, this.parameter);
    if (this.failure) return;
    this.busy = true;
    try {
      const made = await this.calls.upload(file.name, file);
      this.files = [made, ...this.files.filter((one) => one.file_id !== made.file_id)];
      this.tell<Json>("file-chosen", made.file_id);
    } catch (error) {
      this.failure = messageOf(error);
    } finally {
      this.busy = false;
    }
  }

  private options(present: ProjectFile | null) {
    const { parameter, value } = this;
    const isUnknown = present === null && value !== null && value !== parameter.default;
    return html`<option value="" ?selected=${value === null || value === parameter.default}>${parameter.default === null ? texts.noneChosen : texts.modelsOwn}</option>
      ${isUnknown ? html`<option value=${String(value)} selected>${texts.ofBefore}</option>` : nothing}
      ${fitting(this.files, parameter).map((one) => html`<option value=${one.file_id} ?selected=${one === present}>${one.name}</option>`)}`;
  }

  override render() {
    const { parameter, busy } = this;
    const label = title(parameter.label);
    const present = fileOf(this.files, this.value);
    return html`<span class="filed"
        ><select
          aria-label=${label}
          ?disabled=${this.disabled || busy}
          .value=${live(present?.file_id ?? (this.value === null || this.value === parameter.default ? "" : String(this.value)))}
          @change=${(event: Event) => this.tell<Json>("file-chosen", (event.target as HTMLSelectElement).value || parameter.default)}
        >
          ${this.options(present)}</select
        ><label class="quiet button ${this.disabled || busy ? "off" : ""}"
          >${busy ? texts.uploading : texts.upload}<input
            type="file"
            class="unseen"
            aria-label=${texts.uploadFor(label)}
            accept=${parameter.accept.join(",") || nothing}
            ?disabled=${this.disabled || busy}
            @change=${(event: Event) => void this.upload(event.target as HTMLInputElement)} /></label></span
      >${this.failure ? html`<p class="bad" role="alert">${this.failure}</p>` : nothing}`;
  }
}
customElements.define("catenary-file-input", CatenaryFileInput);
