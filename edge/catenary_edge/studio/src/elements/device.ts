// <catenary-device>: an address that signs the caller in on another device, in a window over the page.
import { html, nothing } from "lit";
import type { Client } from "../api/client.ts";
import { when } from "../state/format.ts";
import { common } from "../texts/common.ts";
import { device as texts } from "../texts/sign_in.ts";
import { LightElement, messageOf } from "./light.ts";
import "./once.ts";

interface SignInLink {
  url: string;
  expires_at: string;
}

export class CatenaryDevice extends LightElement {
  static override properties = { client: { attribute: false }, link: { state: true }, busy: { state: true }, failure: { state: true } };
  declare client: Client;
  declare link: SignInLink | null;
  declare busy: boolean;
  declare failure: string;

  constructor() {
    super();
    this.link = null;
    this.busy = false;
    this.failure = "";
  }

  protected override firstUpdated(): void {
    this.querySelector("dialog")?.showModal();
  }

  private async make(): Promise<void> {
    this.busy = true;
    this.failure = "";
    try {
      this.link = await this.client.send<SignInLink>("POST", "/v1/users/me/sign_in_links", {});
    } catch (error) {
      this.failure = messageOf(error);
    } finally {
      this.busy = false;
    }
  }

  override render() {
    const { link } = this;
    return html`<dialog aria-label=${common.anotherDevice} class="sharing" @close=${() => this.tell("closed")}>
      <div class="head"><h2>${common.anotherDevice}</h2><button class="quiet" @click=${() => this.querySelector("dialog")?.close()}>${common.close}</button></div>
      <p>${texts.what}</p>
      ${this.failure ? html`<p class="notice bad" role="alert">${this.failure}</p>` : nothing}
      ${link === null
        ? html`<button ?disabled=${this.busy} @click=${() => this.make()}>${this.busy ? common.moment : texts.make}</button>`
        : html`<catenary-once
            .label=${texts.address}
            .value=${link.url}
            .about=${texts.about(when(link.expires_at))}
          ></catenary-once>`}
    </dialog>`;
  }
}
customElements.define("catenary-device", CatenaryDevice);
