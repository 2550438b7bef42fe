// <catenary-upload>: takes files of models, dropped anywhere on the page or chosen, and offers an example to start with.
import { html, nothing } from "lit";
import { ENDINGS } from "../state/upload.ts";
import { common } from "../texts/common.ts";
import { upload as texts } from "../texts/models.ts";
import { LightElement } from "./light.ts";

/** A file that somebody gave, for a model or for the one of its name. */
export interface Chosen {
  file: File;
  modelId: string | null;
  /** Whether it is deployed when its check succeeds. */
  deploys: boolean;
}

const EXAMPLE = "beam.py";

export class CatenaryUpload extends LightElement {
  static override properties = {
    isFirst: { attribute: false },
    hasModels: { attribute: false },
    busy: { attribute: false },
    sending: { attribute: false },
    isOver: { state: true },
    told: { state: true },
  };
  /** Whether nothing is deployed yet. */
  declare isFirst: boolean;
  declare hasModels: boolean;
  declare busy: boolean;
  /** Name of the file that is being sent; empty without one. */
  declare sending: string;
  /** Whether a file is held over the page. */
  declare isOver: boolean;
  declare told: string;
  private modelId: string | null = null;
  private readonly over = (event: DragEvent) => this.hold(event);
  private readonly drop = (event: DragEvent) => this.take(event);
  private readonly leave = (event: DragEvent) => event.relatedTarget === null && (this.isOver = false);

  constructor() {
    super();
    this.isFirst = false;
    this.hasModels = false;
    this.busy = false;
    this.sending = "";
    this.isOver = false;
    this.told = "";
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("dragover", this.over);
    addEventListener("dragleave", this.leave);
    addEventListener("drop", this.drop);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("dragover", this.over);
    removeEventListener("dragleave", this.leave);
    removeEventListener("drop", this.drop);
  }

  /** Let a person choose a file: of a model, or of the one of the file's name. */
  choose(modelId: string | null): void {
    this.modelId = modelId;
    this.querySelector<HTMLInputElement>("input[type=file]")?.click();
  }

  private get isInView(): boolean {
    return this.offsetParent !== null;
  }

  /** Take files over the whole page: beside it a browser would open them in the page's place. */
  private hold(event: DragEvent): void {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = this.isInView && !this.busy ? "copy" : "none";
    this.isOver = this.isInView;
  }

  private take(event: DragEvent): void {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    this.isOver = false;
    if (!this.isInView || this.busy) return;
    const at = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-model]") : null;
    this.give([...event.dataTransfer.files], at?.dataset["model"] ?? null);
  }

  private chosen(event: Event): void {
    const input = event.target as HTMLInputElement;
    this.give([...(input.files ?? [])], this.modelId);
    input.value = ""; // the same file can be chosen again
  }

  private give(files: readonly File[], modelId: string | null): void {
    this.told = files.length > 1 ? texts.one : "";
    if (files.length !== 1) return;
    const deploys = this.querySelector<HTMLInputElement>("input[type=checkbox]")?.checked ?? false;
    this.tell<Chosen>("file-chosen", { file: files[0]!, modelId, deploys });
  }

  private async startWithExample(): Promise<void> {
    try {
      const { default: text } = await import("../examples/beam.txt");
      this.tell<Chosen>("file-chosen", { file: new File([text], EXAMPLE), modelId: null, deploys: true });
    } catch {
      this.told = texts.exampleLost;
    }
  }

  private example() {
    if (this.hasModels) return nothing;
    return html`<p class="beginning">${texts.noModel} <button class="quiet" ?disabled=${this.busy} @click=${() => this.startWithExample()}>${texts.example}</button> <a href="/docs/guide/models">${common.guideOfModels}</a></p>`;
  }

  override render() {
    return html`<div class="drop ${this.isOver ? "over" : ""}">
        <p><strong>${this.sending ? texts.sending(this.sending) : texts.drop}</strong></p>
        <p class="soft">${texts.kinds}</p>
        <div class="bar">
          <button ?disabled=${this.busy} @click=${() => this.choose(null)}>${texts.choose}</button>
          <label class="soft choice"><input type="checkbox" .checked=${this.isFirst} />${texts.deploy}</label>
        </div>
        <input type="file" accept=${ENDINGS} hidden aria-label=${texts.file} @change=${(event: Event) => this.chosen(event)} />
      </div>
      ${this.told ? html`<p class="notice" role="alert">${this.told}</p>` : nothing} ${this.example()}`;
  }
}
customElements.define("catenary-upload", CatenaryUpload);
