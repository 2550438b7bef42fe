// <catenary-sign-in>: the demo by one click where there is one; a client's id and secret; an API key. Nothing is stored.
import { html, nothing } from "lit";
import { Client, issueDemoToken, issueToken, studioConfig, type Credential, type Send } from "../api/client.ts";
import { LightElement, messageOf } from "./light.ts";

type Kind = "client" | "api_key";
type Doing = "" | "demo" | "form";

export class CatenarySignIn extends LightElement {
  static override properties = {
    send: { attribute: false },
    notice: { attribute: false },
    hasDemo: { state: true },
    kind: { state: true },
    doing: { state: true },
    failure: { state: true },
  };
  declare send: Send;
  declare notice: string;
  /** Whether the server has a demo guest; null as long as that is not known. */
  declare hasDemo: boolean | null;
  declare kind: Kind;
  declare doing: Doing;
  declare failure: string;

  constructor() {
    super();
    this.notice = "";
    this.hasDemo = null;
    this.kind = "client";
    this.doing = "";
    this.failure = "";
  }

  override connectedCallback(): void {
    super.connectedCallback();
    document.title = "Catenary Studio";
    studioConfig(this.send).then(
      (config) => (this.hasDemo = config.demo),
      () => (this.hasDemo = false),
    );
  }

  private async signIn(doing: Doing, find: () => Promise<Credential>): Promise<void> {
    this.failure = "";
    this.doing = doing;
    try {
      this.tell<Credential>("signed-in", await find());
    } catch (error) {
      this.failure = messageOf(error);
    } finally {
      this.doing = "";
    }
  }

  private submit(event: SubmitEvent): void {
    event.preventDefault();
    const form = new FormData(event.target as HTMLFormElement);
    const given = (name: string) => String(form.get(name) ?? "").trim();
    void this.signIn("form", () => this.credential(given));
  }

  private async openDemo(): Promise<Credential> {
    return { kind: "token", value: (await issueDemoToken(this.send)).access_token };
  }

  private async credential(given: (name: string) => string): Promise<Credential> {
    if (this.kind === "client") {
      const token = await issueToken(this.send, given("client_id"), given("client_secret"));
      return { kind: "token", value: token.access_token };
    }
    const credential: Credential = { kind: "api_key", value: given("api_key") };
    await new Client(credential, this.send).projects(); // refused at once if it is wrong
    return credential;
  }

  private choose(kind: Kind, label: string) {
    return html`<label><input type="radio" name="kind" .checked=${this.kind === kind} @change=${() => (this.kind = kind)} />${label}</label>`;
  }

  private told() {
    return html`${this.notice ? html`<p class="notice" role="status">${this.notice}</p>` : nothing}
    ${this.failure ? html`<p class="notice bad" role="alert">${this.failure}</p>` : nothing}`;
  }

  private form() {
    const fields =
      this.kind === "client"
        ? html`<label class="field">Client id<input name="client_id" required autocomplete="off" spellcheck="false" /></label>
            <label class="field">Client secret<input name="client_secret" type="password" required autocomplete="off" /></label>`
        : html`<label class="field">API key<input name="api_key" type="password" required autocomplete="off" /></label>`;
    return html`<form @submit=${(event: SubmitEvent) => this.submit(event)}>
        <fieldset class="kinds"><legend>Sign in with</legend>${this.choose("client", "Client")}${this.choose("api_key", "API key")}</fieldset>
        ${fields}
        <button type="submit" class=${this.hasDemo ? "quiet" : ""} ?disabled=${this.doing !== ""}>${this.doing === "form" ? "Signing in…" : "Sign in"}</button>
      </form>
      <p class="soft">Nothing is stored: a reload of the page signs you out.</p>`;
  }

  override render() {
    if (this.hasDemo === null) return nothing;
    if (!this.hasDemo) return html`<section class="narrow"><h1>Sign in</h1>${this.told()}${this.form()}</section>`;
    return html`<section class="narrow">
      <h1>Catenary Studio</h1>
      <p>Change a parametric design with sliders, and see its geometry and numbers follow.</p>
      ${this.told()}
      <button class="wide" ?disabled=${this.doing !== ""} @click=${() => this.signIn("demo", () => this.openDemo())}>
        ${this.doing === "demo" ? "Opening…" : "Open the demo"}
      </button>
      <details><summary>Sign in with a client or an API key</summary>${this.form()}</details>
    </section>`;
  }
}
customElements.define("catenary-sign-in", CatenarySignIn);
