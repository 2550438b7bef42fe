// <catenary-studio>: the whole page, which shows what the address names to who has signed in.
import { html, nothing } from "lit";
import { ApiError, Client, type Credential, type Send } from "../api/client.ts";
import { linked } from "../api/shares.ts";
import type { Linked } from "../api/types.ts";
import { readAddress, type Address } from "../state/address.ts";
import { secretOf, type Secret } from "../state/secret.ts";
import { LightElement, messageOf } from "./light.ts";
import type { CatenaryProject } from "./project.ts";
import "./project.ts";
import "./projects.ts";
import "./sign_in.ts";

const ENDED_LINK = "This link shows nothing any more: it was ended, or its time is over. Ask whoever gave it to you for another one.";
const UNAUTHORIZED = 401;

const send: Send = (path, init) => fetch(path, { ...init, credentials: "omit", cache: "no-store" });

export class CatenaryStudio extends LightElement {
  static override properties = { client: { state: true }, address: { state: true }, notice: { state: true }, isOpening: { state: true }, link: { state: true }, linkFailure: { state: true } };
  declare client: Client | null;
  declare address: Address | null;
  /** Why the caller must sign in again; empty otherwise. */
  declare notice: string;
  /** Whether the caller's only project may still open. */
  declare isOpening: boolean;
  /** What the link shows by which the page was opened; null without one. */
  declare link: Linked | null;
  /** Why that link shows nothing; empty otherwise. */
  declare linkFailure: string;
  private readonly follow = () => {
    const secret = this.takeSecret();
    if (secret !== null) void this.openLink(secret);
    else this.address = readAddress(location.hash);
  };

  constructor() {
    super();
    this.client = null;
    this.address = readAddress(location.hash);
    this.notice = "";
    this.isOpening = true;
    this.link = null;
    this.linkFailure = "";
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("hashchange", this.follow);
    this.follow();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("hashchange", this.follow);
  }

  /** Take a secret out of the address at once, so that neither the history nor a copy of the address has it. */
  private takeSecret(): Secret | null {
    const secret = secretOf(location.hash);
    if (secret !== null) history.replaceState(null, "", location.pathname);
    return secret;
  }

  /** Show what a share link shows. Its token stays in the memory of the page. */
  private async openLink({ token }: Secret): Promise<void> {
    this.signOut();
    const client = new Client({ kind: "share", value: token }, send, () => this.endLink(ENDED_LINK));
    this.client = client;
    try {
      const link = await linked(client);
      if (this.client !== client) return;
      this.address = { projectId: link.project_id, values: new Map() };
      this.link = link;
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== UNAUTHORIZED) this.endLink(messageOf(error));
    }
  }

  private endLink(reason: string): void {
    this.signOut();
    this.linkFailure = reason;
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
    if (this.client?.isLink) this.address = null;
    this.client = null;
    this.link = null;
    this.linkFailure = "";
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
    if (this.client.isLink && this.link === null) return html`<section class="page"><p class="soft" role="status">Opening the link…</p></section>`;
    if (this.address === null && this.isOpening) return html`<section class="page"><p class="soft" role="status">Loading projects…</p></section>`;
    if (this.address === null) return html`<catenary-projects .client=${this.client}></catenary-projects>`;
    return html`<catenary-project .client=${this.client} .address=${this.address} .link=${this.link}></catenary-project>`;
  }

  private leave() {
    if (this.client === null) return nothing;
    return html`<button class="quiet" @click=${() => this.signOut()}>${this.client.isLink ? "Sign in" : "Sign out"}</button>`;
  }

  private front() {
    if (this.linkFailure === "") return this.signInForm();
    return html`<section class="narrow"><h1>A shared design</h1><p class="notice" role="alert">${this.linkFailure}</p><button class="quiet" @click=${() => this.signOut()}>Sign in instead</button></section>`;
  }

  override render() {
    return html`<header class="top">
        <a class="name" href="#">Catenary</a>
        <nav aria-label="Documentation"><a href="/docs/guide/studio">Guide</a><a href="/docs">API</a></nav>
        ${this.leave()}
      </header>
      ${this.isSignedOut ? html`<main>${this.front()}</main>` : nothing}
      <main ?hidden=${this.isSignedOut}>${this.content()}</main>`;
  }
}
customElements.define("catenary-studio", CatenaryStudio);
