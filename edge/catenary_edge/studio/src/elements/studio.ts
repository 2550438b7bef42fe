// <catenary-studio>: the whole page, which shows what the address names to who has signed in.
import { html, nothing } from "lit";
import { Client, type Credential, type Send } from "../api/client.ts";
import { readAddress, type Address } from "../state/address.ts";
import { LightElement } from "./light.ts";
import type { CatenaryProject } from "./project.ts";
import "./project.ts";
import "./projects.ts";
import "./sign_in.ts";

const send: Send = (path, init) => fetch(path, { ...init, credentials: "omit", cache: "no-store" });

export class CatenaryStudio extends LightElement {
  static override properties = { client: { state: true }, address: { state: true }, notice: { state: true }, isOpening: { state: true } };
  declare client: Client | null;
  declare address: Address | null;
  /** Why the caller must sign in again; empty otherwise. */
  declare notice: string;
  /** Whether the caller's only project may still open. */
  declare isOpening: boolean;
  private readonly follow = () => {
    this.address = readAddress(location.hash);
  };

  constructor() {
    super();
    this.client = null;
    this.address = readAddress(location.hash);
    this.notice = "";
    this.isOpening = true;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("hashchange", this.follow);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("hashchange", this.follow);
  }

  /** Begin with a credential, or go on with it where the one before has ended: what is on the page stays. */
  private signIn(credential: Credential): void {
    this.notice = "";
    if (this.client !== null) {
      this.client.renew(credential);
      this.querySelector<CatenaryProject>("catenary-project")?.resume();
      return;
    }
    this.client = new Client(credential, send, () => (this.notice = "Your sign-in has ended. Sign in again to go on; your design is kept."));
    this.isOpening = this.address === null;
    if (this.isOpening) void this.openOnly(this.client);
  }

  /** Open the project of a caller who has only one; the list shows what is wrong. */
  private async openOnly(client: Client): Promise<void> {
    const found = await client.projects().catch(() => []);
    if (found.length === 1 && this.address === null && this.client === client) location.hash = `project=${found[0]!.project_id}`;
    this.isOpening = false;
  }

  private signOut(): void {
    this.client = null;
    this.notice = "";
  }

  private get isSignedOut(): boolean {
    return this.client === null || this.notice !== "";
  }

  private signInForm() {
    return html`<catenary-sign-in
      .send=${send}
      .notice=${this.notice}
      @signed-in=${(event: CustomEvent<Credential>) => this.signIn(event.detail)}
    ></catenary-sign-in>`;
  }

  private content() {
    if (this.client === null) return nothing;
    if (this.address === null && this.isOpening) return html`<section class="page"><p class="soft" role="status">Loading projects…</p></section>`;
    if (this.address === null) return html`<catenary-projects .client=${this.client}></catenary-projects>`;
    return html`<catenary-project .client=${this.client} .address=${this.address}></catenary-project>`;
  }

  override render() {
    return html`<header class="top">
        <a class="name" href="#">Catenary</a>
        <nav aria-label="Documentation"><a href="/docs/guide/studio">Guide</a><a href="/docs">API</a></nav>
        ${this.client === null ? nothing : html`<button class="quiet" @click=${() => this.signOut()}>Sign out</button>`}
      </header>
      ${this.isSignedOut ? html`<main>${this.signInForm()}</main>` : nothing}
      <main ?hidden=${this.isSignedOut}>${this.content()}</main>`;
  }
}
customElements.define("catenary-studio", CatenaryStudio);
