// <catenary-picture>: the picture of a variant, fetched when it comes into view.
import { html, type PropertyValues } from "lit";
import type { Client } from "../api/client.ts";
import { pictureOf } from "../state/picture.ts";
import { picture as texts } from "../texts/variants.ts";
import { LightElement } from "./light.ts";

/** Pixels below and above the visible part in which pictures are fetched already. */
const MARGIN = "100px";

export class CatenaryPicture extends LightElement {
  static override properties = { client: { attribute: false }, url: { attribute: false }, state: { state: true } };
  declare client: Client;
  /** Where the picture is; null for a design without one. */
  declare url: string | null;
  declare state: "waiting" | "shown" | "none";
  private source = "";
  private isSeen = false;
  private seen: IntersectionObserver | null = null;

  constructor() {
    super();
    this.url = null;
    this.state = "waiting";
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.seen = new IntersectionObserver((entries) => this.look(entries.some((one) => one.isIntersecting)), { rootMargin: MARGIN });
    this.seen.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.seen?.disconnect();
    this.isSeen = false;
    this.forget();
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (!changed.has("url") || changed.get("url") === this.url) return;
    this.forget();
    if (this.isSeen) void this.load();
  }

  private look(isSeen: boolean): void {
    if (!isSeen || this.isSeen) return;
    this.isSeen = true;
    void this.load();
  }

  private forget(): void {
    if (this.source) URL.revokeObjectURL(this.source);
    this.source = "";
    this.state = "waiting";
  }

  private async load(): Promise<void> {
    const { url } = this;
    const isWanted = () => this.isConnected && this.url === url && this.source === "";
    if (url === null) return void (this.state = "none");
    const found = await pictureOf(() => this.client.picture(url), isWanted).catch(() => null);
    if (!isWanted()) return;
    if (found !== null) this.source = URL.createObjectURL(found);
    this.state = found === null ? "none" : "shown";
  }

  override render() {
    // The name of the variant stands beside it: the picture says nothing more.
    if (this.state === "shown") return html`<img src=${this.source} alt="" width="96" height="72" decoding="async" />`;
    return html`<span class="blank" data-state=${this.state} aria-hidden="true">${texts[this.state]}</span>`;
  }
}
customElements.define("catenary-picture", CatenaryPicture);
