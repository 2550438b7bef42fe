// <catenary-viewer>: the 3D view of GLB files, without knowledge of the platform.
import { LitElement, html, nothing, type PropertyValues } from "lit";
import { title } from "../state/format.ts";
import type { Shown, Stage } from "../three/stage.ts";

/** A geometry to show. */
export interface Model {
  name: string;
  file: ArrayBuffer;
}

const MEASURE = "slider to picture";

export class CatenaryViewer extends LitElement {
  static override properties = { models: { attribute: false }, askedAt: { attribute: false }, busy: { type: Boolean }, hiddenNames: { state: true }, failure: { state: true } };
  declare models: readonly Model[];
  /** When somebody changed the values of these models; null where nobody waits for the picture. */
  declare askedAt: number | null;
  declare busy: boolean;
  declare hiddenNames: ReadonlySet<string>;
  declare failure: string;
  private stage: Stage | null = null;
  private shown: readonly Shown[] = [];
  private readonly sizes = new ResizeObserver(() => this.resize());

  constructor() {
    super();
    this.models = [];
    this.askedAt = null;
    this.busy = false;
    this.hiddenNames = new Set();
    this.failure = "";
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.open();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.sizes.disconnect();
    this.stage?.dispose();
    this.stage = null;
  }

  private async open(): Promise<void> {
    await this.updateComplete;
    const [{ Stage }] = await Promise.all([import("../three/stage.ts")]);
    const canvas = this.querySelector("canvas");
    if (!this.isConnected || canvas === null) return;
    try {
      this.stage = new Stage(canvas);
    } catch {
      this.failure = "The 3D view needs WebGL, which this browser does not offer.";
      return;
    }
    this.resize();
    this.sizes.observe(this);
    await this.load();
  }

  private resize(): void {
    this.stage?.resize(this.clientWidth, this.clientHeight);
  }

  protected override updated(changed: PropertyValues): void {
    if (changed.has("models")) void this.load();
    if (changed.has("hiddenNames")) this.stage?.setHidden(this.hiddenNames);
  }

  private async load(): Promise<void> {
    if (this.stage === null || this.models.length === 0) return;
    const { readGlb } = await import("../three/glb.ts");
    try {
      this.shown = this.models.map(({ name, file }) => ({ name, parts: readGlb(file) }));
      this.failure = "";
    } catch (error) {
      this.failure = error instanceof Error ? error.message : String(error);
      return;
    }
    const { askedAt } = this;
    this.stage?.show(this.shown, this.hiddenNames, () => this.measure(askedAt));
    const triangles = this.shown.flatMap((one) => one.parts).reduce((sum, part) => sum + (part.isLines ? 0 : part.indices.length / 3), 0);
    this.dataset["triangles"] = String(triangles);
  }

  /** Measure the time from a change to its picture, for the tools of the browser. */
  private measure(askedAt: number | null): void {
    if (askedAt !== null) performance.measure(MEASURE, { start: askedAt, end: performance.now() });
  }

  private toggle(name: string): void {
    const hidden = new Set(this.hiddenNames);
    if (!hidden.delete(name)) hidden.add(name);
    this.hiddenNames = hidden;
  }

  override render() {
    return html`<canvas role="img" aria-label="3D view. Drag to turn, right drag to move, wheel to zoom."></canvas>
      <div class="tools">
        ${this.models.length > 1
          ? this.models.map(
              ({ name }) => html`<label class="chip"><input type="checkbox" .checked=${!this.hiddenNames.has(name)} @change=${() => this.toggle(name)} />${title(name)}</label>`,
            )
          : nothing}
        <button class="quiet" ?disabled=${this.models.length === 0} @click=${() => this.stage?.fit(true)}>Fit</button>
      </div>
      ${this.failure ? html`<p class="notice bad" role="alert">${this.failure}</p>` : nothing}
      ${this.models.length === 0 && !this.failure ? html`<p class="empty">${this.busy ? "Computing the design…" : "This design has no geometry."}</p>` : nothing}`;
  }
}
customElements.define("catenary-viewer", CatenaryViewer);
