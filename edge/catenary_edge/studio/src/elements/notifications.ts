// <catenary-notifications>: what others did that the caller should know of, under a button with the number of unread ones.
import { html, nothing, type PropertyValues } from "lit";
import type { Client } from "../api/client.ts";
import { notificationCalls } from "../api/notifications.ts";
import { notificationSocket } from "../api/socket.ts";
import type { Notification } from "../api/types.ts";
import { Feed } from "../state/feed.ts";
import { when } from "../state/format.ts";
import { addressOf, Notifications } from "../state/notifications.ts";
import { notifications as texts } from "../texts/page.ts";
import { LightElement } from "./light.ts";

/** How often a page that somebody sees looks for what no event told: each time is a request of the caller's hour. */
const LOOK_MS = 300_000;

export class CatenaryNotifications extends LightElement {
  static override properties = { client: { attribute: false }, isOpen: { state: true } };
  declare client: Client;
  declare isOpen: boolean;
  private store: Notifications | null = null;
  private feed: Feed | null = null;
  private timer: ReturnType<typeof setInterval> | undefined;
  private readonly look = () => {
    if (document.visibilityState === "visible") void this.store?.load();
  };
  private readonly leave = (event: Event) => {
    if (this.isOpen && !this.contains(event.target as Node)) this.isOpen = false;
  };

  private readonly escape = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || !this.isOpen) return;
    this.isOpen = false;
    this.querySelector("button")?.focus();
  };

  constructor() {
    super();
    this.isOpen = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener("pointerdown", this.leave);
    document.addEventListener("visibilitychange", this.look);
    document.addEventListener("keydown", this.escape);
    this.timer = setInterval(this.look, LOOK_MS);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener("pointerdown", this.leave);
    document.removeEventListener("visibilitychange", this.look);
    document.removeEventListener("keydown", this.escape);
    clearInterval(this.timer);
    this.feed?.close();
    this.store = this.feed = null;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (!changed.has("client") && this.store !== null) return;
    this.store = new Notifications(notificationCalls(this.client), () => this.requestUpdate());
    void this.store.load();
    this.feed?.close();
    this.feed = this.follow(this.client);
  }

  /** Go on after a sign-in. */
  resume(): void {
    this.feed?.resume();
  }

  /** Look at once when the platform tells of a new one; a page that nobody sees looks when it is seen. */
  private follow(client: Client): Feed {
    const feed = new Feed((after) => notificationSocket(client.protocol, after), { event: this.look, missed: this.look, ended: () => client.end() });
    feed.open();
    return feed;
  }

  private toggle(): void {
    this.isOpen = !this.isOpen;
    if (this.isOpen) this.look();
  }

  private row(one: Notification) {
    const address = addressOf(one);
    const read = () => {
      if (address !== null) this.isOpen = false;
      void this.store?.read(one);
    };
    const by = one.actor === null ? "" : `${one.actor.staff_name} · `;
    return html`<li class=${one.read ? "" : "unread"}>
      ${address === null ? html`<button class="link" @click=${read}>${one.title}</button>` : html`<a href=${address} @click=${read}>${one.title}</a>`}
      <p class="soft">${one.read ? nothing : html`<span class="sr">${texts.unread}</span>`}${by}${when(one.created_at)}</p>
    </li>`;
  }

  private list(store: Notifications) {
    return html`<div class="bell-list" role="region" aria-label=${texts.title}>
      <div class="head"><strong>${texts.title}</strong>${store.unread > 0 ? html`<button class="link" @click=${() => void store.readAll()}>${texts.readAll}</button>` : nothing}</div>
      ${store.failure ? html`<p class="bad" role="alert">${store.failure}</p>` : nothing}
      ${store.items.length === 0 ? html`<p class="soft">${texts.none}</p>` : html`<ul>${store.items.map((one) => this.row(one))}</ul>`}
    </div>`;
  }

  override render() {
    const { store } = this;
    const count = store?.unread ?? 0;
    return html`<div class="bell">
      <button class="quiet" aria-expanded=${this.isOpen} aria-label=${count > 0 ? texts.withCount(count) : texts.title} @click=${() => this.toggle()}>
        ${texts.title}${count > 0 ? html` <span class="count">${count}</span>` : nothing}
      </button>
      ${this.isOpen && store !== null ? this.list(store) : nothing}
    </div>`;
  }
}
customElements.define("catenary-notifications", CatenaryNotifications);
