// <catenary-welcome>: what a link for a person asks before it is used: previews of links must use up none.
import { html, nothing, type PropertyValues } from "lit";
import type { Secret } from "../state/secret.ts";
import { common } from "../texts/common.ts";
import { welcome as texts } from "../texts/sign_in.ts";
import { LightElement, messageOf } from "./light.ts";

export class CatenaryWelcome extends LightElement {
  static override properties = { kind: { attribute: false }, isSignedIn: { attribute: false }, take: { attribute: false }, busy: { state: true }, failure: { state: true } };
  declare kind: Exclude<Secret["kind"], "share">;
  declare isSignedIn: boolean;
  /** Uses the link; an Error says why that can't be. */
  declare take: () => Promise<void>;
  declare busy: boolean;
  declare failure: string;

  constructor() {
    super();
    this.isSignedIn = false;
    this.busy = false;
    this.failure = "";
  }

  override connectedCallback(): void {
    super.connectedCallback();
    document.title = common.product;
  }

  protected override firstUpdated(_: PropertyValues): void {
    this.querySelector("button")?.focus();
  }

  private async use(): Promise<void> {
    this.busy = true;
    this.failure = "";
    try {
      await this.take();
    } catch (error) {
      this.failure = messageOf(error);
    } finally {
      this.busy = false;
    }
  }

  override render() {
    const { title, about, signedIn, button } = texts[this.kind];
    return html`<section class="narrow">
      <h1>${title}</h1>
      <p>${this.isSignedIn ? signedIn : about}</p>
      ${this.failure ? html`<p class="notice bad" role="alert">${this.failure}</p>` : nothing}
      <button class="wide" ?disabled=${this.busy} @click=${() => this.use()}>${this.busy ? common.moment : button}</button>
      <button class="quiet" @click=${() => this.tell("left")}>${texts.notNow}</button>
    </section>`;
  }
}
customElements.define("catenary-welcome", CatenaryWelcome);
