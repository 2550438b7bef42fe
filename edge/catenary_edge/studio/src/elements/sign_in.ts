// <catenary-sign-in>: the demo by one click where there is one; identity providers; a client's id and secret; an API key.
import { html, nothing } from "lit";
import { Client, issueDemoToken, issueToken, studioConfig, type Credential, type Send } from "../api/client.ts";
import type { StudioConfig } from "../api/types.ts";
import type { Provider } from "../state/provider.ts";
import { common } from "../texts/common.ts";
import { signIn as texts } from "../texts/sign_in.ts";
import { LightElement, messageOf } from "./light.ts";

type Kind = "client" | "api_key";
type Doing = "" | "demo" | "form" | "provider";
/** What a server says that can't be asked. */
const NO_CONFIG: StudioConfig = { demo: false, issuers: [], version: "" };

export class CatenarySignIn extends LightElement {
  static override properties = {
    send: { attribute: false },
    notice: { attribute: false },
    refusal: { attribute: false },
    leave: { attribute: false },
    config: { state: true },
    kind: { state: true },
    doing: { state: true },
    failure: { state: true },
  };
  declare send: Send;
  declare notice: string;
  /** Why an identity provider signed nobody in; empty otherwise. */
  declare refusal: string;
  /** Leads to an identity provider. */
  declare leave: (provider: Provider) => Promise<void>;
  /** The ways to sign in; null as long as they are not known. */
  declare config: StudioConfig | null;
  declare kind: Kind;
  declare doing: Doing;
  declare failure: string;

  constructor() {
    super();
    this.notice = this.refusal = "";
    this.config = null;
    this.kind = "client";
    this.doing = "";
    this.failure = "";
  }

  override connectedCallback(): void {
    super.connectedCallback();
    document.title = common.product;
    studioConfig(this.send).then(
      (config) => (this.config = config),
      () => (this.config = NO_CONFIG),
    );
  }

  private signIn(doing: Doing, find: () => Promise<Credential>): Promise<void> {
    return this.run(doing, async () => this.tell<Credential>("signed-in", await find()));
  }

  private async run(doing: Doing, work: () => Promise<void>): Promise<void> {
    this.failure = "";
    this.doing = doing;
    try {
      await work();
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
    ${this.failure || this.refusal ? html`<p class="notice bad" role="alert">${this.failure || this.refusal}</p>` : nothing}`;
  }

  private form() {
    const fields =
      this.kind === "client"
        ? html`<label class="field">${texts.clientId}<input name="client_id" required autocomplete="off" spellcheck="false" /></label>
            <label class="field">${texts.clientSecret}<input name="client_secret" type="password" required autocomplete="off" /></label>`
        : html`<label class="field">${texts.apiKey}<input name="api_key" type="password" required autocomplete="off" /></label>`;
    return html`<form @submit=${(event: SubmitEvent) => this.submit(event)}>
        <fieldset class="kinds"><legend>${texts.with}</legend>${this.choose("client", texts.client)}${this.choose("api_key", texts.apiKey)}</fieldset>
        ${fields}
        <button type="submit" class=${this.hasOther ? "quiet" : ""} ?disabled=${this.doing !== ""}>${this.doing === "form" ? common.signingIn : common.signIn}</button>
      </form>
      <p class="soft">${texts.notStored}</p>`;
  }

  private get hasOther(): boolean {
    return this.config !== null && (this.config.demo || this.config.issuers.length > 0);
  }

  private providers(issuers: readonly Provider[]) {
    return issuers.map(
      (one) => html`<button class="wide" ?disabled=${this.doing !== ""} @click=${() => this.run("provider", () => this.leave(one))}>${texts.by(one.name)}</button>`,
    );
  }

  private demo(isOffered: boolean) {
    if (!isOffered) return nothing;
    return html`<p>${texts.about}</p>
      <button class="wide" ?disabled=${this.doing !== ""} @click=${() => this.signIn("demo", () => this.openDemo())}>
        ${this.doing === "demo" ? texts.opening : texts.openDemo}
      </button>`;
  }

  override render() {
    const { config } = this;
    if (config === null) return nothing;
    if (!this.hasOther) return html`<section class="narrow"><h1>${common.signIn}</h1>${this.told()}${this.form()}</section>`;
    return html`<section class="narrow">
      <h1>${config.demo ? common.product : common.signIn}</h1>
      ${this.told()}${this.demo(config.demo)}${this.providers(config.issuers)}
      <details><summary>${texts.byClient}</summary>${this.form()}</details>
    </section>`;
  }
}
customElements.define("catenary-sign-in", CatenarySignIn);
