// <catenary-studio>: the whole page, which shows what the address names to who has signed in.
import { html, nothing } from "lit";
import { ApiError, Client, studioConfig, type Credential, type Send } from "../api/client.ts";
import { type Arrival, providerCalls } from "../api/provider.ts";
import { sessionCalls } from "../api/session.ts";
import { linked } from "../api/shares.ts";
import type { Linked } from "../api/types.ts";
import { variantCalls } from "../api/variants.ts";
import { addressWith, readAddress, variantIn, type Address } from "../state/address.ts";
import { BEGINNING } from "../state/beside.ts";
import { answerOf, codeOf, departure, farewell, returnOf, toldOf, type Answer, type Leaving, type Pending, type Pocket, type Provider } from "../state/provider.ts";
import { secretOf, type Secret } from "../state/secret.ts";
import { Session, type Note } from "../state/session.ts";
import { common } from "../texts/common.ts";
import { studio as texts } from "../texts/page.ts";
import "./device.ts";
import { LightElement, messageOf } from "./light.ts";
import type { CatenaryNotifications } from "./notifications.ts";
import "./notifications.ts";
import type { CatenaryProject } from "./project.ts";
import "./project.ts";
import "./projects.ts";
import "./sign_in.ts";
import "./welcome.ts";

const UNAUTHORIZED = 401;

const SESSION_NOTE = "catenary-session";
/** A word in the browser's storage that there was a session: its cookie is hidden from scripts. */
const note: Note = {
  isThere: () => localStorage.getItem(SESSION_NOTE) !== null,
  set: (isThere) => (isThere ? localStorage.setItem(SESSION_NOTE, "1") : localStorage.removeItem(SESSION_NOTE)),
};

/** Return a pocket of this tab alone, from the click that leads to an identity provider until people come back. */
function pocketOf<Kept>(name: string): Pocket<Kept> {
  return {
    put: (pending) => sessionStorage.setItem(name, JSON.stringify(pending)),
    take: () => {
      const found = sessionStorage.getItem(name);
      sessionStorage.removeItem(name);
      return found === null ? null : (JSON.parse(found) as Kept);
    },
  };
}
const arriving = pocketOf<Pending>("catenary-sign-in");
const leaving = pocketOf<Leaving>("catenary-sign-out");
/** A provider keeps no session of the page on this device. */
const noNote: Note = { isThere: () => false, set: () => undefined };

const send: Send = (path, init) => fetch(path, { ...init, credentials: "omit", cache: "no-store" });
const sendWithCookie: Send = (path, init) => fetch(path, { ...init, credentials: "same-origin", cache: "no-store" });

export class CatenaryStudio extends LightElement {
  static override properties = { client: { state: true }, address: { state: true }, notice: { state: true }, isOpening: { state: true }, link: { state: true }, linkFailure: { state: true }, refusal: { state: true }, welcome: { state: true }, isResuming: { state: true }, isLinking: { state: true } };
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
  /** Why an identity provider signed nobody in; empty otherwise. */
  declare refusal: string;
  /** A link for a person that waits for a click. */
  declare welcome: Secret | null;
  /** Whether the session of before may still go on. */
  declare isResuming: boolean;
  /** Whether the window with an address for another device is open. */
  declare isLinking: boolean;
  /** The identity provider by which the person signed in; null without one. */
  private provider: Provider | null = null;
  private readonly session = new Session(
    sessionCalls(sendWithCookie, () => this.client?.token ?? null),
    note,
    (token) => this.signIn({ kind: "token", value: token }),
  );
  private readonly provided = new Session<Arrival>(providerCalls(send, location.origin + location.pathname), noNote, (token) =>
    this.signIn({ kind: "token", value: token }),
  );
  private readonly follow = () => {
    const secret = this.takeSecret();
    if (secret?.kind === "share") void this.openLink(secret);
    else if (secret !== null) this.welcome = secret;
    else if (!this.client?.isLink) this.go(); // a link shows one project alone
  };

  constructor() {
    super();
    this.client = null;
    this.address = readAddress(location.hash);
    this.notice = "";
    this.isOpening = true;
    this.link = null;
    this.linkFailure = "";
    this.refusal = "";
    this.welcome = null;
    this.isResuming = this.isLinking = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("hashchange", this.follow);
    const answer = answerOf(location.search);
    this.comeBack();
    if (answer !== null) void this.arrive(answer);
    else this.follow();
    if (this.client === null && answer === null) void this.resume();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("hashchange", this.follow);
  }

  /** Show what the address names. */
  private go(): void {
    const variantId = variantIn(location.hash);
    if (variantId !== null) return void (this.client === null ? null : this.openVariant(this.client, variantId));
    this.link = null;
    this.linkFailure = "";
    this.address = readAddress(location.hash);
  }

  /** Open a variant: its values in the project, or it alone for those who see no more of the project. */
  private async openVariant(client: Client, variantId: string): Promise<void> {
    this.isOpening = true;
    this.linkFailure = "";
    try {
      const variant = await variantCalls(client, "").read(variantId);
      const { project_id } = variant;
      const isSeen = await client.project(project_id).then(() => true, () => false);
      if (this.client !== client || variantIn(location.hash) !== variantId) return;
      if (isSeen) return location.replace(`${addressWith(project_id, variant.evaluation.parameters)}&open=${variantId}`);
      this.link = { share_id: "", project_id, variant_id: variantId, expires_at: null };
      this.address = { projectId: project_id, values: new Map(), beside: BEGINNING };
    } catch (error) {
      this.address = null;
      this.linkFailure = messageOf(error);
    } finally {
      this.isOpening = false;
    }
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
    const client = new Client({ kind: "share", value: token }, send, () => this.endLink(texts.endedLink));
    this.client = client;
    try {
      const link = await linked(client);
      if (this.client !== client) return;
      this.address = { projectId: link.project_id, values: new Map(), beside: BEGINNING };
      this.link = link;
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== UNAUTHORIZED) this.endLink(messageOf(error));
    }
  }

  private endLink(reason: string): void {
    this.signOut();
    this.linkFailure = reason;
  }

  /** Go on with the session of before, once, where this device remembers one. */
  private async resume(): Promise<void> {
    this.isResuming = true;
    await this.session.resume();
    this.isResuming = false;
  }

  /** Lead to an identity provider; people come back to the address of now. */
  private async leaveTo(provider: Provider): Promise<void> {
    const { url, pending } = await departure(provider, location.origin + location.pathname, location.hash);
    arriving.put(pending);
    location.assign(url);
  }

  /** Take the answer of a provider out of the address at once, and exchange its code for a token. */
  private async arrive(answer: Answer): Promise<void> {
    const pending = arriving.take();
    history.replaceState(null, "", location.pathname + (pending?.fragment ?? ""));
    this.address = readAddress(location.hash);
    this.isResuming = true;
    try {
      const code = codeOf(answer, pending);
      const provider = (await studioConfig(send)).issuers.find((one) => one.issuer === pending?.issuer);
      if (provider === undefined || pending === null) throw new Error(texts.unknownProvider);
      await this.provided.begin({ provider, code, verifier: pending.verifier });
      this.provider = provider;
    } catch (error) {
      this.refusal = messageOf(error);
    } finally {
      this.isResuming = false;
    }
  }

  /** Take what a provider sends people back with after a sign-out out of the address, and say that they have signed out. */
  private comeBack(): void {
    const state = returnOf(location.search);
    if (state === null) return;
    history.replaceState(null, "", location.pathname + location.hash);
    this.notice = toldOf(state, leaving.take());
  }

  /** Use a link for a person, after the click that asks for it. */
  private async take({ kind, token }: Secret): Promise<void> {
    const isSignedIn = kind === "invite" && this.hasToken;
    if (!isSignedIn) this.signOut();
    this.address = null;
    await this.session.begin(kind === "invite" ? { invitation: token } : { sign_in: token }, isSignedIn);
    this.welcome = null;
    if (this.client !== null && isSignedIn) void this.openOnly(this.client);
  }

  private get hasToken(): boolean {
    return this.client !== null && this.client.token !== null && this.notice === "";
  }

  /** Ask for a sign-in where a session can't go on by itself. */
  private async askAgain(): Promise<void> {
    const active = [this.session, this.provided].find((one) => one.isActive);
    if (active === undefined || !(await active.renew())) this.notice = texts.endedSession;
  }

  /** Begin with a credential, or go on with it where the one before has ended: what is on the page stays. */
  private signIn(credential: Credential): void {
    this.notice = this.refusal = "";
    if (this.client !== null) {
      this.client.renew(credential);
      this.querySelector<CatenaryProject>("catenary-project")?.resume();
      this.querySelector<CatenaryNotifications>("catenary-notifications")?.resume();
      return;
    }
    this.client = new Client(credential, send, () => void this.askAgain());
    this.isOpening = this.address === null;
    const variantId = variantIn(location.hash);
    if (variantId !== null) void this.openVariant(this.client, variantId);
    else if (this.isOpening) void this.openOnly(this.client);
  }

  /** Sign in by the form, as somebody whom no identity provider knows. */
  private signInByForm(credential: Credential): void {
    this.provider = null;
    this.signIn(credential);
  }

  /** Open the project of a caller who has only one; the list shows what is wrong. */
  private async openOnly(client: Client): Promise<void> {
    const found = await client.projects().catch(() => []);
    if (found.length === 1 && this.address === null && this.client === client) location.hash = `project=${found[0]!.project_id}`;
    this.isOpening = false;
  }

  private signOut(): void {
    this.provider = null;
    if (this.client?.isLink) this.address = null;
    this.client = null;
    this.isLinking = false;
    this.link = null;
    this.linkFailure = "";
    this.notice = "";
  }

  /** Sign out, here first: then at the identity provider by which the person signed in, where it has a place for that. */
  private leaveFor(): void {
    const { provider } = this;
    if (!this.client?.isLink) for (const one of [this.session, this.provided]) void one.end().catch(() => undefined);
    this.signOut();
    const way = provider === null ? null : farewell(provider, location.origin + location.pathname);
    if (way === null) return;
    leaving.put(way.leaving);
    location.assign(way.url);
  }

  private get isSignedOut(): boolean {
    return this.client === null || this.notice !== "";
  }

  private greeting(welcome: Secret) {
    if (this.isResuming) return this.front();
    return html`<catenary-welcome
      .kind=${welcome.kind}
      .isSignedIn=${this.hasToken}
      .take=${() => this.take(welcome)}
      @left=${() => (this.welcome = null)}
    ></catenary-welcome>`;
  }

  private signInForm() {
    return html`<catenary-sign-in
      .send=${send}
      .notice=${this.notice}
      .refusal=${this.refusal}
      .leave=${(provider: Provider) => this.leaveTo(provider)}
      @signed-in=${(event: CustomEvent<Credential>) => this.signInByForm(event.detail)}
    ></catenary-sign-in>`;
  }

  private content() {
    if (this.client === null) return nothing;
    if (this.client.isLink && this.link === null) return html`<section class="page"><p class="soft" role="status">${texts.openingLink}</p></section>`;
    if (this.address === null && this.isOpening) return html`<section class="page"><p class="soft" role="status">${common.loading}</p></section>`;
    if (this.linkFailure) return html`<section class="page"><p class="notice bad" role="alert">${this.linkFailure}</p><a href="#">${common.allProjects}</a></section>`;
    if (this.address === null) return html`<catenary-projects .client=${this.client}></catenary-projects>`;
    return html`<catenary-project .client=${this.client} .address=${this.address} .link=${this.link}></catenary-project>`;
  }

  private device(client: Client) {
    if (!this.session.isActive || client.isLink || this.isSignedOut) return nothing;
    return html`<button class="quiet" @click=${() => (this.isLinking = true)}>${common.anotherDevice}</button>
      ${this.isLinking ? html`<catenary-device .client=${client} @closed=${() => (this.isLinking = false)}></catenary-device>` : nothing}`;
  }

  private leave() {
    if (this.client === null) return nothing;
    return html`${this.client.isLink || this.isSignedOut ? nothing : html`<catenary-notifications .client=${this.client}></catenary-notifications>`}${this.device(this.client)}<button class="quiet" @click=${() => this.leaveFor()}>${this.client.isLink ? common.signIn : texts.signOut}</button>`;
  }

  private front() {
    if (this.isResuming) return html`<section class="page"><p class="soft" role="status">${common.signingIn}</p></section>`;
    if (this.linkFailure === "") return this.signInForm();
    return html`<section class="narrow"><h1>${texts.sharedDesign}</h1><p class="notice" role="alert">${this.linkFailure}</p><button class="quiet" @click=${() => this.signOut()}>${texts.signInInstead}</button></section>`;
  }

  override render() {
    return html`<header class="top">
        <a class="name" href="#">${texts.name}</a>
        <nav aria-label=${texts.documentation}><a href="/docs/guide/studio">${texts.guide}</a><a href="/docs">${texts.api}</a></nav>
        ${this.leave()}
      </header>
      ${this.welcome !== null ? html`<main>${this.greeting(this.welcome)}</main>` : this.isSignedOut ? html`<main>${this.front()}</main>` : nothing}
      <main ?hidden=${this.isSignedOut || this.welcome !== null}>${this.content()}</main>`;
  }
}
customElements.define("catenary-studio", CatenaryStudio);
