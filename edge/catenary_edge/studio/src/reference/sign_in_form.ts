// <catenary-reference-sign-in>: a client, a token, an API key, a share link, or the demo's guest by one click.
import { html, nothing } from "lit";
import { ApiError, Client, type Credential, issueDemoToken, issueToken, type Send, studioConfig } from "../api/client.ts";
import type { Project } from "../api/types.ts";
import { LightElement, messageOf } from "../elements/light.ts";
import { common } from "../texts/common.ts";
import { reference as texts } from "../texts/reference.ts";
import { signIn } from "../texts/sign_in.ts";
import { studio } from "../texts/page.ts";

/** Who calls, and the first project that the caller sees; both empty for nobody. */
export interface SignedIn {
  credential: Credential | null;
  projectId: string;
}
type Kind = "client" | Credential["kind"];

const KINDS: readonly (readonly [Kind, string])[] = [
  ["client", signIn.client],
  ["token", texts.accessToken],
  ["api_key", signIn.apiKey],
  ["share", texts.shareToken],
];
const UNAUTHORIZED = 401;

export class CatenaryReferenceSignIn extends LightElement {
  static override properties = { send: { attribute: false }, kind: { state: true }, hasDemo: { state: true }, isBusy: { state: true }, told: { state: true }, signedIn: { state: true } };
  declare send: Send;
  declare kind: Kind;
  declare hasDemo: boolean;
  declare isBusy: boolean;
  /** What came of the last attempt. */
  declare told: string;
  declare signedIn: Credential | null;

  constructor() {
    super();
    this.kind = "client";
    this.hasDemo = this.isBusy = false;
    this.told = "";
    this.signedIn = null;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    studioConfig(this.send).then(
      (config) => (this.hasDemo = config.demo),
      () => undefined,
    );
  }

  private async signIn(find: () => Promise<Credential>): Promise<void> {
    this.isBusy = true;
    this.told = common.signingIn;
    try {
      const credential = await find();
      const projectId = await this.firstProject(credential);
      this.signedIn = credential;
      this.told = projectId ? texts.signedInWithProject : texts.signedIn;
      this.tell<SignedIn>("signed-in", { credential, projectId });
      this.querySelector("form")?.reset();
    } catch (error) {
      this.told = texts.notSignedIn(messageOf(error));
    } finally {
      this.isBusy = false;
    }
  }

  /** Read the first project, which refuses a wrong credential at once; empty where the caller may see none. */
  private async firstProject(credential: Credential): Promise<string> {
    if (credential.kind === "share") return "";
    try {
      const { rows } = await new Client(credential, this.send).page<Project>("/v1/projects", "projects", 1, null);
      return rows[0]?.project_id ?? "";
    } catch (error) {
      if (error instanceof ApiError && error.status !== UNAUTHORIZED && error.status !== 0) return "";
      throw error;
    }
  }

  private signOut(): void {
    this.signedIn = null;
    this.told = texts.signedOut;
    this.tell<SignedIn>("signed-in", { credential: null, projectId: "" });
  }

  private submit(event: SubmitEvent): void {
    event.preventDefault();
    const form = new FormData(event.target as HTMLFormElement);
    const given = (name: string) => String(form.get(name) ?? "").trim();
    void this.signIn(async () => {
      if (this.kind !== "client") return { kind: this.kind, value: given("value") };
      return { kind: "token", value: (await issueToken(this.send, given("client"), given("secret"))).access_token };
    });
  }

  private fields() {
    if (this.kind !== "client") return html`<label class="grow">${texts.value}<input id="credential" name="value" type="password" required autocomplete="off" /></label>`;
    return html`<label class="grow">${signIn.clientId}<input id="client" name="client" required autocomplete="off" spellcheck="false" /></label>
      <label class="grow">${signIn.clientSecret}<input id="secret" name="secret" type="password" required autocomplete="off" /></label>`;
  }

  private form() {
    const kinds = KINDS.map(([kind, name]) => html`<option value=${kind}>${name}</option>`);
    return html`<details>
      <summary>${common.signIn}</summary>
      <form @submit=${(event: SubmitEvent) => this.submit(event)}>
        <label>${signIn.with}<select id="kind" .value=${this.kind} @change=${(event: Event) => (this.kind = (event.target as HTMLSelectElement).value as Kind)}>${kinds}</select></label>
        ${this.fields()}
        <button type="submit" ?disabled=${this.isBusy}>${this.kind === "client" ? texts.getToken : common.signIn}</button>
      </form>
      <p class="soft">${texts.kept}</p>
    </details>`;
  }

  private get guest() {
    if (!this.hasDemo) return nothing;
    return html`<button type="button" class="quiet" ?disabled=${this.isBusy} @click=${() => this.signIn(async () => ({ kind: "token", value: (await issueDemoToken(this.send)).access_token }))}>${texts.asGuest}</button>`;
  }

  override render() {
    return html`${
        this.signedIn
          ? html`<p class="who">${texts.signedInAs[this.signedIn.kind]} <button type="button" class="quiet" @click=${() => this.signOut()}>${studio.signOut}</button></p>`
          : html`<div class="ways">${this.guest}${this.form()}</div>`
      }
      <p id="told" role="status">${this.told}</p>`;
  }
}
customElements.define("catenary-reference-sign-in", CatenaryReferenceSignIn);
