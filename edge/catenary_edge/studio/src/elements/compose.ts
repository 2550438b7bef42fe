// <catenary-compose>: a text that somebody writes: a comment, a reply, or a change of one.
import { html, nothing } from "lit";
import type { Person } from "../api/types.ts";
import { compose as texts } from "../texts/comments.ts";
import { common } from "../texts/common.ts";
import { LightElement, messageOf } from "./light.ts";

const MOST_MENTIONS = 50;

export class CatenaryCompose extends LightElement {
  static override properties = {
    label: { attribute: false },
    action: { attribute: false },
    text: { attribute: false },
    people: { attribute: false },
    place: { attribute: false },
    submit: { attribute: false },
    busy: { state: true },
    failure: { state: true },
    mentions: { state: true },
  };
  declare label: string;
  /** What the button says. */
  declare action: string;
  /** The text to begin with. */
  declare text: string;
  /** Who can be mentioned. */
  declare people: readonly Person[];
  /** What is said of the place: null where the text has none and can have none. */
  declare place: { isPicked: boolean } | null;
  /** Sends the text; an Error leaves it as it was typed. */
  declare submit: (content: string, mentions: readonly string[]) => Promise<unknown>;
  declare busy: boolean;
  declare failure: string;
  declare mentions: ReadonlySet<string>;

  constructor() {
    super();
    this.label = common.comment;
    this.action = common.comment;
    this.text = "";
    this.people = [];
    this.place = null;
    this.busy = false;
    this.failure = "";
    this.mentions = new Set();
  }

  protected override firstUpdated(): void {
    const area = this.querySelector("textarea");
    if (area === null) return;
    area.value = this.text;
    area.focus();
  }

  private async send(event: Event): Promise<void> {
    event.preventDefault();
    const area = this.querySelector("textarea");
    if (area === null || this.busy) return;
    if (area.value.trim() === "") {
      this.failure = texts.empty;
      return area.focus();
    }
    this.busy = true;
    this.failure = "";
    try {
      await this.submit(area.value, [...this.mentions]);
    } catch (error) {
      this.failure = messageOf(error);
    } finally {
      this.busy = false;
    }
  }

  private press(event: KeyboardEvent): void {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void this.send(event);
    if (event.key === "Escape") this.tell("compose-cancelled");
  }

  private mention(userId: string, isMentioned: boolean): void {
    const found = new Set(this.mentions);
    if (isMentioned) found.add(userId);
    else found.delete(userId);
    this.mentions = found;
  }

  private mentioning() {
    if (this.people.length === 0) return nothing;
    const { mentions } = this;
    const isFull = mentions.size >= MOST_MENTIONS;
    return html`<details class="mention">
      <summary>${texts.mention(mentions.size)}</summary>
      <div class="people" role="group" aria-label=${texts.people}>
        ${this.people.map(
          ({ user_id, staff_name }) => html`<label
            ><input
              type="checkbox"
              .checked=${mentions.has(user_id)}
              ?disabled=${isFull && !mentions.has(user_id)}
              @change=${(event: Event) => this.mention(user_id, (event.target as HTMLInputElement).checked)}
            />${staff_name}</label
          >`,
        )}
      </div>
    </details>`;
  }

  private placing() {
    if (this.place === null) return nothing;
    if (this.place.isPicked) {
      return html`<span class="tag">${texts.placePicked}</span><button type="button" class="quiet" @click=${() => this.tell("place-dropped")}>${texts.withoutPlace}</button>`;
    }
    return html`<button type="button" class="quiet" @click=${() => this.tell("place-wanted")}>${texts.pickPlace}</button>`;
  }

  override render() {
    return html`<form class="asking" @submit=${(event: SubmitEvent) => this.send(event)} @keydown=${(event: KeyboardEvent) => this.press(event)}>
      <label class="field">${this.label}<textarea name="content" maxlength="10000" rows="3" title=${texts.keys}></textarea></label>
      ${this.failure ? html`<p class="bad" role="alert">${this.failure}</p>` : nothing}
      ${this.place === null ? nothing : html`<div class="bar small">${this.placing()}</div>`} ${this.mentioning()}
      <div class="bar">
        <button type="submit" ?disabled=${this.busy}>${this.busy ? common.sending : this.action}</button>
        <button type="button" class="quiet" @click=${() => this.tell("compose-cancelled")}>${common.cancel}</button>
      </div>
    </form>`;
  }
}
customElements.define("catenary-compose", CatenaryCompose);
