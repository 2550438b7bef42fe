// <catenary-reference>: the choice of a document, the search over all of them, the sign-in, and the document in Swagger UI.
import { html, nothing } from "lit";
import type { Send } from "../api/client.ts";
import { LightElement, messageOf } from "../elements/light.ts";
import { reference as texts } from "../texts/reference.ts";
import { addressOf, keyOf, type Listed, pathOf, readAddress } from "./address.ts";
import { type OpenApi, ready } from "./document.ts";
import "./search_box.ts";
import "./sign_in_form.ts";
import type { SignedIn } from "./sign_in_form.ts";
import type { Viewer } from "./swagger.ts";

const send: Send = (path, init) => fetch(path, { ...init, credentials: "omit", cache: "no-store" });

async function read<Answer>(path: string): Promise<Answer> {
  const answer = await fetch(path, { credentials: "omit" });
  if (!answer.ok) throw new Error(texts.answered(answer.status));
  return (await answer.json()) as Answer;
}

export class CatenaryReference extends LightElement {
  static override properties = { listed: { state: true }, present: { state: true }, isLoading: { state: true }, failure: { state: true } };
  declare listed: readonly Listed[];
  /** The document that was chosen last. */
  declare present: Listed | null;
  declare isLoading: boolean;
  declare failure: string;
  private viewer: Viewer | null = null;
  /** The document that is shown, as it came. */
  private shown: { key: string; document: OpenApi } | null = null;
  private signedIn: SignedIn = { credential: null, projectId: "" };

  constructor() {
    super();
    this.listed = [];
    this.present = null;
    this.isLoading = true;
    this.failure = "";
  }

  override connectedCallback(): void {
    super.connectedCallback();
    // The place of an operation is where it stands now, not where the page was scrolled to before.
    history.scrollRestoration = "manual";
    addEventListener("popstate", this.follow);
    void this.begin();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("popstate", this.follow);
  }

  private async begin(): Promise<void> {
    try {
      this.listed = (await read<{ documents: Listed[] }>("/openapi.json")).documents;
    } catch (error) {
      this.failure = texts.notLoaded(messageOf(error));
      this.isLoading = false;
      return;
    }
    await this.goTo(location.hash);
  }

  private readonly follow = (): void => void this.goTo(location.hash);

  /** Show what an address names: another document if it does, and an operation. */
  private async goTo(fragment: string): Promise<void> {
    const { listed, operationId } = readAddress(fragment, this.listed);
    const wanted = listed ?? this.present ?? this.listed[0] ?? null;
    if (wanted === null || !(await this.show(wanted))) return;
    // Somebody may have gone on while it was loaded.
    if (operationId !== null && location.hash === fragment) await this.viewer?.open(operationId);
  }

  /** Load a document and show it; false if it could not be read, or another one was chosen meanwhile. */
  private async show(wanted: Listed): Promise<boolean> {
    this.present = wanted;
    this.failure = "";
    this.isLoading = this.shown?.key !== keyOf(wanted);
    if (!this.isLoading) return true;
    try {
      const [document, { Viewer: Made }] = await Promise.all([read<OpenApi>(pathOf(wanted)), import("./swagger.ts")]);
      if (this.present !== wanted) return false;
      this.shown = { key: keyOf(wanted), document };
      this.draw(Made);
      return true;
    } catch (error) {
      if (this.present === wanted) this.failure = texts.notLoaded(messageOf(error));
      return false;
    } finally {
      if (this.present === wanted) this.isLoading = false;
    }
  }

  /** Give Swagger UI the document, with the first project in it. */
  private draw(Made: typeof Viewer | null = null): void {
    if (this.shown === null) return;
    const document = ready(this.shown.document, location.origin, this.signedIn.projectId);
    if (this.viewer) this.viewer.show(document);
    else if (Made) {
      this.viewer = new Made(this.querySelector("#reference") as Element, document, (operationId) => this.opened(operationId));
      this.viewer.authorize(this.signedIn.credential);
    }
  }

  /** Note an operation that somebody opened; one of a document that is being replaced has no address any more. */
  private opened(operationId: string | null): void {
    if (this.present !== null && this.shown?.key === keyOf(this.present)) this.note(operationId);
  }

  /** Write the address of what somebody opens. */
  private note(operationId: string | null): void {
    if (this.present === null) return;
    const address = addressOf(this.present, operationId);
    if (decodeURIComponent(location.hash) !== address) history.pushState(null, "", address);
  }

  private choose(event: Event): void {
    const key = (event.target as HTMLSelectElement).value;
    const chosen = this.listed.find((one) => keyOf(one) === key);
    if (!chosen) return;
    this.present = chosen;
    this.note(null);
    void this.show(chosen);
  }

  private take(event: CustomEvent<SignedIn>): void {
    this.signedIn = event.detail;
    this.viewer?.authorize(this.signedIn.credential);
    this.draw();
  }

  private choices() {
    return this.listed.map((one) => html`<option value=${keyOf(one)} ?selected=${one === this.present}>${one.surface} ${one.version}</option>`);
  }

  override render() {
    const present = this.present;
    return html`<div class="bar">
        <label>${texts.document}<select id="document" .value=${present ? keyOf(present) : ""} @change=${(event: Event) => this.choose(event)}>${this.choices()}</select></label>
        <catenary-reference-search .present=${present} @found-again=${this.follow}></catenary-reference-search>
      </div>
      <catenary-reference-sign-in .send=${send} @signed-in=${(event: CustomEvent<SignedIn>) => this.take(event)}></catenary-reference-sign-in>
      ${this.failure ? html`<p class="must" role="alert">${this.failure}</p>` : nothing}
      <p role="status" ?hidden=${!this.isLoading}>${texts.loading}</p>
      <div id="reference" aria-busy=${this.isLoading ? "true" : "false"}></div>`;
  }
}
customElements.define("catenary-reference", CatenaryReference);
