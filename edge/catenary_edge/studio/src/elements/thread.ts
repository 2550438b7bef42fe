// <catenary-thread>: a comment with its replies, which opens to read and answer them.
import { html, nothing, type PropertyValues } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { Comment, Person } from "../api/types.ts";
import type { Discussion, Editing, Thread } from "../state/discussion.ts";
import { when } from "../state/format.ts";
import { thread as texts } from "../texts/comments.ts";
import { common } from "../texts/common.ts";
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
        : html`<div class="notice" role="alert"><p>${texts.newer}</p><p class="text">${editing.newer}</p><p class="soft">${texts.newerAbout}</p></div>`}
      <catenary-compose
        .label=${texts.yourText}
        .action=${common.save}
        .text=${editing.comment.content}
        .submit=${(content: string) => this.save(editing, content)}
        @compose-cancelled=${() => (this.asking = null)}
      ></catenary-compose>`;
  }

  private question(comment: Comment) {
    return html`<div class="asking notice" role="alertdialog" aria-label=${texts.deletion}>
      <p>${comment.parent_id === null && this.thread.replies.length > 0 ? texts.deletingFirst : texts.deleting}</p>
      <div class="bar">
        <button class="danger" ?disabled=${this.busy} @click=${() => this.drop(comment)}>${common.delete}</button>
        <button class="quiet" @click=${() => (this.asking = null)}>${common.keepIt}</button>
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
        <strong>${comment.created_by?.staff_name ?? texts.somebody}</strong> · ${when(comment.created_at)}${comment.updated_at > comment.created_at ? texts.changed : ""}
      </p>
      <p class="text">${comment.content}</p>
      ${told.length > 0 ? html`<p class="soft">${texts.to(told.join(", "))}</p>` : nothing}
      ${isAsked("delete")
        ? this.question(comment)
        : !this.isChosen || asking !== null
          ? nothing
          : html`<div class="bar small">
              ${discussion.mayEdit(comment) ? html`<button class="quiet" ?disabled=${this.busy} @click=${() => this.edit(comment)}>${common.edit}</button>` : nothing}
              ${discussion.mayDelete(comment) ? html`<button class="quiet" @click=${() => (this.asking = { kind: "delete", comment })}>${common.delete}</button>` : nothing}
            </div>`}`;
  }

  private answering() {
    const { asking, discussion, thread } = this;
    if (!discussion.mayWrite && asking === null) return nothing; // a text stays though the role has ended meanwhile
    if (asking?.kind === "reply") {
      return html`<catenary-compose .label=${texts.reply} .action=${texts.reply} .people=${this.people} .submit=${(content: string, mentions: readonly string[]) => this.reply(content, mentions)} @compose-cancelled=${() => (this.asking = null)}></catenary-compose>`;
    }
    if (asking !== null) return nothing;
    return html`<div class="bar answer">
      ${thread.first === null ? nothing : html`<button class="quiet" @click=${() => (this.asking = { kind: "reply" })}>${texts.reply}</button>`}
      <button class="quiet" ?disabled=${this.busy} @click=${() => this.attempt(() => discussion.resolve(thread, !thread.isResolved))}>${thread.isResolved ? texts.reopen : texts.resolve}</button>
    </div>`;
  }

  override render() {
    const { thread, isChosen } = this;
    const { first, replies } = thread;
    const by = (first ?? replies[0])?.resolved_by;
    const opening = (isChosen ? texts.toClose : texts.toOpen)(first?.created_by?.staff_name ?? texts.deletedComment);
    return html`<article class=${isChosen ? "thread chosen" : "thread"}>
      <div class="line">
        ${this.sign ? html`<span class="sign" aria-hidden="true">${this.sign}</span>` : nothing}
        <button class="link" aria-expanded=${isChosen} aria-label=${opening} @click=${() => this.tell("thread-toggled", thread.id)}>
          ${isChosen ? common.close : replies.length > 0 ? texts.openReplies(replies.length) : common.open}
        </button>
        ${thread.isResolved ? html`<span class="tag">${texts.resolved(by?.staff_name ?? "")}</span>` : nothing}
      </div>
      ${first === null ? html`<p class="soft">${texts.firstDeleted}</p>` : this.comment(first)}
      ${thread.variantId !== null && this.variantName ? html`<p class="soft">${texts.onVariant} <button class="link" @click=${() => this.tell("variant-wanted", thread.variantId)}>${this.variantName}</button></p>` : nothing}
      ${isChosen
        ? html`${replies.length > 0 ? html`<ol class="replies">${repeat(replies, (one) => one.comment_id, (one) => html`<li>${this.comment(one)}</li>`)}</ol>` : nothing}
            ${this.failure ? html`<p class="notice bad" role="alert">${this.failure}</p>` : nothing} ${this.answering()}`
        : nothing}
    </article>`;
  }
}
customElements.define("catenary-thread", CatenaryThread);
