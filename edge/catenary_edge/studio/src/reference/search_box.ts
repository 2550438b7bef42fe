// <catenary-reference-search>: the field, and the operations of all documents that have its words.
import { html, nothing } from "lit";
import { LightElement } from "../elements/light.ts";
import { reference as texts } from "../texts/reference.ts";
import { addressOf, type Listed } from "./address.ts";
import { find, type Operation, wordsOf } from "./search.ts";

export class CatenaryReferenceSearch extends LightElement {
  static override properties = { present: { attribute: false }, text: { state: true }, operations: { state: true }, isRefused: { state: true } };
  /** The document that is shown, whose operations come first. */
  declare present: Listed | null;
  declare text: string;
  /** The operations of all documents; null until somebody looks for one. */
  declare operations: readonly Operation[] | null;
  declare isRefused: boolean;
  private isAsked = false;

  constructor() {
    super();
    this.present = null;
    this.text = "";
    this.operations = null;
    this.isRefused = false;
  }

  private type(event: Event): void {
    this.text = (event.target as HTMLInputElement).value;
    if (!this.isAsked) void this.ask();
  }

  private async ask(): Promise<void> {
    this.isAsked = true;
    try {
      const answer = await fetch("/docs/operations.json", { credentials: "omit" });
      this.operations = ((await answer.json()) as { operations: Operation[] }).operations;
      this.isRefused = false;
    } catch {
      this.isRefused = true;
      this.isAsked = false;
    }
  }

  /** Lead to the operation whose address the page has already: the browser goes nowhere then. */
  private again(address: string): void {
    if (location.hash === address) this.tell("found-again");
  }

  private line(one: Operation) {
    const address = addressOf(one, one.id);
    return html`<li>
      <a href=${address} @click=${() => this.again(address)}
        ><span class="where">${one.surface} ${one.version}</span> <span class="method ${one.method}">${one.method.toUpperCase()}</span> <code>${one.path}</code>
        <span class="says">${one.summary}</span></a
      >
    </li>`;
  }

  private found() {
    if (wordsOf(this.text).length === 0) return nothing;
    if (this.isRefused) return html`<p>${texts.notSearched}</p>`;
    if (this.operations === null) return nothing;
    const { shown, more } = find(this.operations, this.text, this.present);
    if (shown.length === 0) return html`<p>${texts.nothingFound(this.text.trim())}</p>`;
    return html`<p>${texts.found(shown.length + more)}</p>
      <ul>
        ${shown.map((one) => this.line(one))}
      </ul>
      ${more ? html`<p>${texts.moreFound(more)}</p>` : nothing}`;
  }

  override render() {
    return html`<label
        >${texts.find}<input id="find" type="search" placeholder=${texts.findHint} autocomplete="off" spellcheck="false" .value=${this.text} @input=${(event: Event) => this.type(event)}
      /></label>
      <div id="found" aria-live="polite">${this.found()}</div>`;
  }
}
customElements.define("catenary-reference-search", CatenaryReferenceSearch);
