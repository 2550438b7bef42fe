// <catenary-thread>: a comment with its replies, which opens to read and answer them.
import { html, nothing, type PropertyValues } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { Comment, Person } from "../api/types.ts";
import type { Discussion, Editing, Thread } from "../state/discussion.ts";
import { when } from "../state/format.ts";
import "./compose.ts";
import { LightElement, messageOf } from "./light.ts";

type Asking = { kind: "reply" } | { kind: "edit"; editing: Editing } | { kind: "delete"; comment: Comment } | null;

export class CatenaryThread extends LightElement {
  static override properties = {
    thread: { attribute: false },
    discussion: { attribute: false },
    people: { attribute: false },
    isChosen: { attribute: false },
    sign: { attribute: false },
    variantName: { attribute: false },
    asking: { state: true },
    busy: { state: true },
    failure: { state: true },
  };
  declare thread: Thread;
  declare discussion: Discussion;
  declare people: readonly Person[];
  declare isChosen: boolean;
  /** Its sign in the 3D view; empty without a place. */
  declare sign: string;
  /** Name of the variant that it is on, where that is another one than the open one; empty otherwise. */
  declare variantName: string;
  declare asking: Asking;
  declare busy: boolean;
  declare failure: string;

  constructor() {
    super();
    this.people = [];
    this.isChosen = false;
    this.sign = "";
    this.variantName = "";
    this.asking = null;
    this.busy = false;
    this.failure = "";
  }

  protected override updated(changed: PropertyValues): void {
    if (changed.has("asking") && this.asking?.kind === "delete") this.querySelector<HTMLElement>(".asking button")?.focus();
  }

  /** Do some work; a failure is told and leaves what is asked open. */
  private async attempt(work: () => Promise<unknown>): Promise<void> {
    this.failure = "";
    this.busy = true;
    try {
      await work();
    } catch (error) {
      this.failure = messageOf(error);
    } finally {
      this.busy = false;
    }
  }

  private edit(comment: Comment): void {
    void this.attempt(async () => (this.asking = { kind: "edit", editing: await this.discussion.edit(comment.comment_id) }));
  }

  private drop(comment: Comment): void {
    void this.attempt(async () => {
      await this.discussion.remove(comment.comment_id);
      this.asking = null;
    });
  }

  private async save(editing: Editing, content: string): Promise<void> {
    const newer = await this.discussion.save(editing, content);
    this.asking = newer === null ? null : { kind: "edit", editing: newer };
  }

  private async reply(content: string, mentions: readonly string[]): Promise<void> {
    await this.discussion.add(content, { parent_id: this.thread.id, mentions });
    this.asking = null;
  }

  private editor(editing: Editing) {
    return html`${editing.newer === null
        ? nothing
        : html`<div class="notice" role="alert"><p>Somebody changed this comment meanwhile. It now says:</p><p class="text">${editing.newer}</p><p class="soft">Saving puts your text in its place.</p></div>`}
      <catenary-compose
        .label=${"Your text"}
        .action=${"Save"}
        .text=${editing.comment.content}
        .submit=${(content: string) => this.save(editing, content)}
        @compose-cancelled=${() => (this.asking = null)}
      ></catenary-compose>`;
  }

  private question(comment: Comment) {
    return html`<div class="asking notice" role="alertdialog" aria-label="Delete the comment">
      <p>Delete this comment for everybody?${comment.parent_id === null && this.thread.replies.length > 0 ? " Its replies stay." : ""}</p>
      <div class="bar">
        <button class="danger" ?disabled=${this.busy} @click=${() => this.drop(comment)}>Delete</button>
        <button class="quiet" @click=${() => (this.asking = null)}>Keep it</button>
      </div>
    </div>`;
  }

  private comment(comment: Comment) {
    const { asking, discussion } = this;
    const isAsked = (kind: "edit" | "delete") =>
      asking?.kind === kind && (asking.kind === "edit" ? asking.editing.comment : (asking as { comment: Comment }).comment).comment_id === comment.comment_id;
    if (isAsked("edit")) return this.editor((asking as { editing: Editing }).editing);
    const told = comment.mentions.map((id) => this.people.find((one) => one.user_id === id)?.staff_name).filter(Boolean);
    return html`<p class="soft">
        <strong>${comment.created_by?.staff_name ?? "Somebody"}</strong> · ${when(comment.created_at)}${comment.updated_at > comment.created_at ? " · changed" : ""}
      </p>
      <p class="text">${comment.content}</p>
      ${told.length > 0 ? html`<p class="soft">To ${told.join(", ")}</p>` : nothing}
      ${isAsked("delete")
        ? this.question(comment)
        : !this.isChosen || asking !== null
          ? nothing
          : html`<div class="bar small">
              ${discussion.mayEdit(comment) ? html`<button class="quiet" ?disabled=${this.busy} @click=${() => this.edit(comment)}>Edit</button>` : nothing}
              ${discussion.mayDelete(comment) ? html`<button class="quiet" @click=${() => (this.asking = { kind: "delete", comment })}>Delete</button>` : nothing}
            </div>`}`;
  }

  private answering() {
    const { asking, discussion, thread } = this;
    if (!discussion.mayWrite && asking === null) return nothing; // a text stays though the role has ended meanwhile
    if (asking?.kind === "reply") {
      return html`<catenary-compose .label=${"Reply"} .action=${"Reply"} .people=${this.people} .submit=${(content: string, mentions: readonly string[]) => this.reply(content, mentions)} @compose-cancelled=${() => (this.asking = null)}></catenary-compose>`;
    }
    if (asking !== null) return nothing;
    return html`<div class="bar answer">
      ${thread.first === null ? nothing : html`<button class="quiet" @click=${() => (this.asking = { kind: "reply" })}>Reply</button>`}
      <button class="quiet" ?disabled=${this.busy} @click=${() => this.attempt(() => discussion.resolve(thread, !thread.isResolved))}>${thread.isResolved ? "Reopen" : "Resolve"}</button>
    </div>`;
  }

  override render() {
    const { thread, isChosen } = this;
    const { first, replies } = thread;
    const by = (first ?? replies[0])?.resolved_by;
    const count = replies.length === 1 ? "1 reply" : `${replies.length} replies`;
    const opening = `${isChosen ? "Close" : "Open"} the thread of ${first?.created_by?.staff_name ?? "a deleted comment"}`;
    return html`<article class=${isChosen ? "thread chosen" : "thread"}>
      <div class="line">
        ${this.sign ? html`<span class="sign" aria-hidden="true">${this.sign}</span>` : nothing}
        <button class="link" aria-expanded=${isChosen} aria-label=${opening} @click=${() => this.tell("thread-toggled", thread.id)}>
          ${isChosen ? "Close" : replies.length > 0 ? `Open, ${count}` : "Open"}
        </button>
        ${thread.isResolved ? html`<span class="tag">resolved${by ? ` by ${by.staff_name}` : ""}</span>` : nothing}
      </div>
      ${first === null ? html`<p class="soft">The first comment was deleted.</p>` : this.comment(first)}
      ${thread.variantId !== null && this.variantName ? html`<p class="soft">On the variant <button class="link" @click=${() => this.tell("variant-wanted", thread.variantId)}>${this.variantName}</button></p>` : nothing}
      ${isChosen
        ? html`${replies.length > 0 ? html`<ol class="replies">${repeat(replies, (one) => one.comment_id, (one) => html`<li>${this.comment(one)}</li>`)}</ol>` : nothing}
            ${this.failure ? html`<p class="notice bad" role="alert">${this.failure}</p>` : nothing} ${this.answering()}`
        : nothing}
    </article>`;
  }
}
customElements.define("catenary-thread", CatenaryThread);
