// The base of lists whose rows are saved, renamed and deleted: what is asked of the person, work that may fail, and its message.
import { html, type PropertyDeclarations, type PropertyValues } from "lit";
import { common } from "../texts/common.ts";
import { LightElement, messageOf } from "./light.ts";

/** An element that asks before it changes something, by a form or a question. */
export abstract class AskingElement<Asked> extends LightElement {
  static override properties: PropertyDeclarations = { asking: { state: true }, busy: { state: true }, failure: { state: true } };
  /** What is asked at the moment; null for nothing. */
  declare asking: Asked | null;
  declare busy: boolean;
  declare failure: string;

  constructor() {
    super();
    this.asking = null;
    this.busy = false;
    this.failure = "";
  }

  protected override updated(changed: PropertyValues): void {
    if (changed.has("asking") && this.asking !== null) this.querySelector<HTMLElement>(".asking input, .asking button")?.focus();
  }

  protected ask(asking: Asked | null): void {
    this.failure = "";
    this.asking = asking;
  }

  /** Do some work; a failure is told and leaves what is asked open. */
  protected async attempt(work: () => Promise<unknown>): Promise<void> {
    this.failure = "";
    this.busy = true;
    try {
      await work();
      this.asking = null;
    } catch (error) {
      this.failure = messageOf(error);
      this.noteFailure(error);
    } finally {
      this.busy = false;
    }
  }

  /** Do what follows from a failure beside its message. */
  protected noteFailure(_error: unknown): void {}

  /** Show a form that saves its fields. */
  protected form(fields: unknown, save: (form: FormData) => Promise<unknown>) {
    const submit = (event: SubmitEvent) => {
      event.preventDefault();
      const form = new FormData(event.target as HTMLFormElement);
      void this.attempt(() => save(form));
    };
    return html`<form class="asking" @submit=${submit}>
      ${fields}
      <div class="bar">
        <button type="submit" ?disabled=${this.busy}>${this.busy ? common.saving : common.save}</button>
        <button type="button" class="quiet" @click=${() => this.ask(null)}>${common.cancel}</button>
      </div>
    </form>`;
  }

  /** Show the field of a name. */
  protected nameField(name: string) {
    return html`<label class="field">${common.name}<input type="text" name="name" required maxlength="200" autocomplete="off" .value=${name} /></label>`;
  }

  /** Show a question, with a button that says what is done. */
  protected question(text: string, label: string, act: () => Promise<unknown>, isDanger = true) {
    return html`<div class="asking notice" role="alertdialog" aria-label=${text}>
      <p>${text}</p>
      <div class="bar">
        <button class=${isDanger ? "danger" : ""} ?disabled=${this.busy} @click=${() => this.attempt(act)}>${label}</button>
        <button class="quiet" @click=${() => this.ask(null)}>${common.keepIt}</button>
      </div>
    </div>`;
  }
}

/** Return the text of a field of a form. */
export function textOfField(form: FormData, name: string): string {
  return String(form.get(name) ?? "");
}
