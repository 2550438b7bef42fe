// <catenary-sign-in>: a client's id and secret, or an API key. Neither is stored; a token lives as long as the page.
import { html, nothing } from "lit";
import { Client, issueToken, type Credential, type Send } from "../api/client.ts";
import { LightElement, messageOf } from "./light.ts";

type Kind = "client" | "api_key";

export class CatenarySignIn extends LightElement {
  static override properties = {
    send: { attribute: false },
    notice: { attribute: false },
    kind: { state: true },
    busy: { state: true },
    failure: { state: true },
  };
  declare send: Send;
  declare notice: string;
  declare kind: Kind;
  declare busy: boolean;
  declare failure: string;

  constructor() {
    super();
    this.notice = "";
    this.kind = "client";
    this.busy = false;
    this.failure = "";
  }

  private async submit(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const form = new FormData(event.target as HTMLFormElement);
    const given = (name: string) => String(form.get(name) ?? "").trim();
    this.failure = "";
    this.busy = true;
    try {
      this.tell<Credential>("signed-in", await this.credential(given));
    } catch (error) {
      this.failure = messageOf(error);
    } finally {
      this.busy = false;
    }
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

  override render() {
    const fields =
      this.kind === "client"
        ? html`<label class="field">Client id<input name="client_id" required autocomplete="off" spellcheck="false" /></label>
            <label class="field">Client secret<input name="client_secret" type="password" required autocomplete="off" /></label>`
        : html`<label class="field">API key<input name="api_key" type="password" required autocomplete="off" /></label>`;
    return html`<section class="narrow">
      <h1>Sign in</h1>
      ${this.notice ? html`<p class="notice" role="status">${this.notice}</p>` : nothing}
      <form @submit=${(event: SubmitEvent) => this.submit(event)}>
        <fieldset class="kinds"><legend>Sign in with</legend>${this.choose("client", "Client")}${this.choose("api_key", "API key")}</fieldset>
        ${fields}
        ${this.failure ? html`<p class="notice bad" role="alert">${this.failure}</p>` : nothing}
        <button type="submit" ?disabled=${this.busy}>${this.busy ? "Signing in…" : "Sign in"}</button>
      </form>
      <p class="soft">Nothing is stored: a reload of the page signs you out. <code>catenary serve --demo</code> keeps a client in <code>demo.json</code>.</p>
    </section>`;
  }
}
customElements.define("catenary-sign-in", CatenarySignIn);
