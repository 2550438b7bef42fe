// <catenary-discussion>: the comments of a project or of its open variant, beside the 3D view.
import { html, nothing, type PropertyValues } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { Client } from "../api/client.ts";
import { commentCalls, members } from "../api/comments.ts";
import type { Person, Project, Variant } from "../api/types.ts";
import { Discussion, type Thread } from "../state/discussion.ts";
import type { Happening } from "../state/feed.ts";
import { discussion as texts } from "../texts/comments.ts";
import { common } from "../texts/common.ts";
import "./compose.ts";
import { LightElement, messageOf } from "./light.ts";
import "./thread.ts";
import type { Marker } from "./markers.ts";
import type { Picked } from "./viewer.ts";

/** What the discussion shows in the 3D view. */
export interface Marked {
  markers: readonly Marker[];
  /** Number of open threads. */
  open: number;
}

export class CatenaryDiscussion extends LightElement {
  static override properties = {
    client: { attribute: false },
    project: { attribute: false },
    role: { attribute: false },
    callerId: { attribute: false },
    variant: { attribute: false },
    isOfVariant: { attribute: false },
    variants: { attribute: false },
    picked: { attribute: false },
    isResolved: { state: true },
    isWriting: { state: true },
    chosen: { state: true },
    ofProject: { state: true },
    people: { state: true },
    failure: { state: true },
  };
  declare client: Client;
  declare project: Project;
  /** The caller's role in the project, or by the share of the only variant. */
  declare role: Project["role"];
  /** Id of the caller; null where it has none. */
  declare callerId: string | null;
  /** The open variant. */
  declare variant: Variant | null;
  /** Whether nothing but the variant is shown, as by a link to it. */
  declare isOfVariant: boolean;
  /** The variants whose names are known. */
  declare variants: readonly Variant[];
  /** The place of the comment that is being written. */
  declare picked: Picked | null;
  declare isResolved: boolean;
  declare isWriting: boolean;
  declare chosen: string | null;
  /** Whether the comments of the whole project are shown though a variant is open. */
  declare ofProject: boolean;
  declare people: readonly Person[];
  declare failure: string;
  private discussion: Discussion | null = null;
  private peopleOf = "";
  private told = "";

  constructor() {
    super();
    this.role = "viewer";
    this.callerId = null;
    this.variant = null;
    this.isOfVariant = false;
    this.variants = [];
    this.picked = null;
    this.isResolved = false;
    this.isWriting = false;
    this.chosen = null;
    this.ofProject = false;
    this.people = [];
    this.failure = "";
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("variant") && this.variant !== null) this.ofProject = false;
    const variantId = this.ofProject ? null : (this.variant?.variant_id ?? null);
    const before = this.discussion;
    if (before === null || before.variantId !== variantId || changed.has("project") || changed.has("callerId")) this.begin(variantId);
    else before.role = this.role; // what is being written stays
  }

  protected override updated(): void {
    const marked: Marked = { markers: this.markers(), open: this.discussion?.threads(false).length ?? 0 };
    const written = JSON.stringify(marked);
    if (written === this.told) return;
    this.told = written;
    this.tell<Marked>("marked", marked);
  }

  private begin(variantId: string | null): void {
    const { client, project } = this;
    const changed = () => this.discussion === discussion && this.requestUpdate();
    const doubted = () => this.tell("role-doubted");
    const discussion = new Discussion(commentCalls(client, project.project_id), this.role, this.callerId, variantId, changed, doubted);
    this.discussion = discussion;
    void this.reload();
    if (this.callerId !== null && !this.isOfVariant) void this.loadPeople();
  }

  /** Read all comments again, as after events that were missed. */
  async reload(): Promise<void> {
    this.failure = "";
    try {
      await this.discussion?.load();
    } catch (error) {
      this.failure = messageOf(error);
    }
  }

  /** Follow an event of the project. */
  follow(happening: Happening): void {
    void this.discussion?.follow(happening).catch(() => this.reload());
  }

  /** Show a thread, as when its marker was clicked. */
  async open(commentId: string): Promise<void> {
    const thread = this.discussion?.threadOf(commentId);
    if (thread === undefined) return;
    this.isResolved = thread.isResolved;
    this.choose(thread);
    await this.updateComplete;
    const shown = [...this.querySelectorAll("catenary-thread")].find((one) => one.thread.id === thread.id);
    shown?.scrollIntoView({ block: "nearest" });
    shown?.querySelector<HTMLElement>("button")?.focus();
  }

  private choose(thread: Thread): void {
    this.chosen = thread.id;
    const camera = thread.first?.camera;
    if (camera) this.tell("camera-wanted", camera);
  }

  private toggle(id: string, discussion: Discussion): void {
    const thread = discussion.threadOf(id);
    if (this.chosen === id || thread === undefined) this.chosen = null;
    else this.choose(thread);
  }

  /** Read who can be mentioned; whoever may not read the members mentions nobody. */
  private async loadPeople(): Promise<void> {
    const { project_id } = this.project;
    if (this.peopleOf === project_id) return;
    this.peopleOf = project_id;
    const found = await members(this.client, project_id).catch(() => []);
    const byId = new Map(found.filter((one) => one.user_id !== null).map((one) => [one.user_id!, one.name]));
    this.people = [...byId].map(([user_id, staff_name]) => ({ user_id, staff_name }));
  }

  private async add(discussion: Discussion, content: string, mentions: readonly string[]): Promise<void> {
    const made = await discussion.add(content, { ...this.picked, mentions });
    this.stopWriting();
    this.isResolved = false;
    this.chosen = made.comment_id;
  }

  private stopWriting(): void {
    this.isWriting = false;
    this.tell("place-dropped");
  }

  /** Return the threads of the filter with their signs in the view: those on other variants have none. */
  private signed(): { thread: Thread; sign: string }[] {
    const threads = this.discussion?.threads(this.isResolved) ?? [];
    const open = this.variant?.variant_id ?? null;
    const isMarked = ({ first, variantId }: Thread) => first !== null && first.anchor !== null && (variantId === null || variantId === open);
    let number = threads.filter(isMarked).length + 1;
    return threads.map((thread) => ({ thread, sign: isMarked(thread) ? String((number -= 1)) : "" }));
  }

  private markers(): Marker[] {
    const found = this.signed()
      .filter(({ sign }) => sign !== "")
      .map(({ thread, sign }) => ({
        id: thread.id,
        sign,
        label: texts.marker(sign, thread.first!.content.slice(0, 80)),
        anchor: thread.first!.anchor!,
        isChosen: thread.id === this.chosen,
      }));
    if (this.picked !== null) found.push({ id: "", sign: "+", label: texts.yourPlace, anchor: this.picked.anchor, isChosen: true });
    return found;
  }

  private scope() {
    const { variant } = this;
    if (variant === null) return nothing;
    if (this.isOfVariant) return html`<p class="soft">${texts.onVariant(variant.name)}</p>`;
    return html`<label class="field">${texts.commentsOn}
      <select @change=${(event: Event) => (this.ofProject = (event.target as HTMLSelectElement).value === "project")}>
        <option value="variant" ?selected=${!this.ofProject}>${variant.name}</option>
        <option value="project" ?selected=${this.ofProject}>${common.wholeProject}</option>
      </select></label>`;
  }

  private filters(discussion: Discussion) {
    const choose = (isResolved: boolean, label: string) =>
      html`<button class="quiet" aria-pressed=${this.isResolved === isResolved} @click=${() => (this.isResolved = isResolved)}>${label} (${discussion.threads(isResolved).length})</button>`;
    return html`<div class="bar small filters" role="group" aria-label=${texts.filter}>${choose(false, common.open)}${choose(true, texts.resolved)}</div>`;
  }

  private composer(discussion: Discussion) {
    if (!discussion.mayWrite && !this.isWriting) return nothing; // a text stays though the role has ended meanwhile
    if (!this.isWriting) return html`<div class="bar"><button @click=${() => (this.isWriting = true)}>${common.comment}</button></div>`;
    const others = this.people.filter((one) => one.user_id !== this.callerId);
    return html`<catenary-compose
      .label=${discussion.variantId === null ? texts.commentOnProject : texts.commentOn(this.variant?.name ?? texts.theVariant)}
      .people=${others}
      .place=${{ isPicked: this.picked !== null }}
      .submit=${(content: string, mentions: readonly string[]) => this.add(discussion, content, mentions)}
      @compose-cancelled=${() => this.stopWriting()}
    ></catenary-compose>`;
  }

  private list(discussion: Discussion) {
    const signed = this.signed();
    if (signed.length === 0) return html`<p class="soft">${this.isResolved ? texts.noResolved : discussion.mayWrite ? texts.noOpenWriter : texts.noOpen}</p>`;
    const known = new Map(this.variants.map((one) => [one.variant_id, one.name]));
    return html`<div class="threads" @thread-toggled=${(event: CustomEvent<string>) => this.toggle(event.detail, discussion)}>
      ${repeat(
        signed,
        ({ thread }) => thread.id,
        ({ thread, sign }) => html`<catenary-thread
          .thread=${thread}
          .discussion=${discussion}
          .people=${this.people}
          .sign=${sign}
          .isChosen=${thread.id === this.chosen}
          .variantName=${thread.variantId === null || thread.variantId === this.variant?.variant_id ? "" : (known.get(thread.variantId) ?? "")}
        ></catenary-thread>`,
      )}
    </div>`;
  }

  override render() {
    const { discussion } = this;
    const told = this.failure ? html`<p class="notice bad" role="alert">${this.failure}</p><button class="quiet" @click=${() => this.reload()}>${common.tryAgain}</button>` : nothing;
    if (discussion === null || !discussion.isLoaded) return html`${this.scope()}${this.failure ? told : html`<p class="soft" role="status">${texts.loading}</p>`}`;
    return html`<section aria-label=${common.comments}>${this.scope()}${this.composer(discussion)}${this.filters(discussion)}${told}${this.list(discussion)}</section>`;
  }
}
customElements.define("catenary-discussion", CatenaryDiscussion);

declare global {
  interface HTMLElementTagNameMap {
    "catenary-discussion": CatenaryDiscussion;
    "catenary-thread": import("./thread.ts").CatenaryThread;
  }
}
