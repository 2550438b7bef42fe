// <catenary-studio>: the whole page, which shows what the address names to who has signed in.
import { html, nothing } from "lit";
import { Client, type Credential, type Send } from "../api/client.ts";
import { readAddress, type Address } from "../state/address.ts";
import { LightElement } from "./light.ts";
import "./project.ts";
import "./projects.ts";
import "./sign_in.ts";

const send: Send = (path, init) => fetch(path, { ...init, credentials: "omit", cache: "no-store" });

export class CatenaryStudio extends LightElement {
  static override properties = { client: { state: true }, address: { state: true }, notice: { state: true } };
  declare client: Client | null;
  declare address: Address | null;
  declare notice: string;
  private readonly follow = () => {
    this.address = readAddress(location.hash);
  };

  constructor() {
    super();
    this.client = null;
    this.address = readAddress(location.hash);
    this.notice = "";
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("hashchange", this.follow);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("hashchange", this.follow);
  }

  private signIn(credential: Credential): void {
    this.notice = "";
    this.client = new Client(credential, send, () => this.signOut("Your sign-in has ended. Sign in again to go on."));
  }

  private signOut(notice: string): void {
    this.client = null;
    this.notice = notice;
  }

  private content() {
    if (this.client === null) {
      return html`<catenary-sign-in
        .send=${send}
        .notice=${this.notice}
        @signed-in=${(event: CustomEvent<Credential>) => this.signIn(event.detail)}
      ></catenary-sign-in>`;
    }
    if (this.address === null) return html`<catenary-projects .client=${this.client}></catenary-projects>`;
    return html`<catenary-project .client=${this.client} .address=${this.address}></catenary-project>`;
  }

  override render() {
    return html`<header class="top">
        <a class="name" href="#">Catenary</a>
        <nav aria-label="Documentation"><a href="/docs/guide/studio">Guide</a><a href="/docs">API</a></nav>
        ${this.client === null ? nothing : html`<button class="quiet" @click=${() => this.signOut("")}>Sign out</button>`}
      </header>
      <main>${this.content()}</main>`;
  }
}
customElements.define("catenary-studio", CatenaryStudio);
