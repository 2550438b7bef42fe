// <catenary-shares>: with whom a project or its open variant is shared, in a window over the page.
import { html, nothing, type PropertyValues } from "lit";
import { live } from "lit/directives/live.js";
import { repeat } from "lit/directives/repeat.js";
import type { Client } from "../api/client.ts";
import { shareCalls } from "../api/shares.ts";
import type { Project, Share, Variant } from "../api/types.ts";
import { when } from "../state/format.ts";
import { endOf, rolesOf, Shares, type Role, type Wanted } from "../state/shares.ts";
import { common } from "../texts/common.ts";
import { shares as texts } from "../texts/shares.ts";
import { LightElement, messageOf } from "./light.ts";
import "./once.ts";

/** What is said where a variant alone is shared. */
const ABOUT_VARIANT: Readonly<Record<Role, string>> = { ...texts.roles, evaluator: texts.evaluatorOfVariant };

export class CatenaryShares extends LightElement {
  static override properties = {
    client: { attribute: false },
    project: { attribute: false },
    variant: { attribute: false },
    variants: { attribute: false },
    kind: { state: true },
    isOfVariant: { state: true },
    isShort: { state: true },
    url: { state: true },
    asked: { state: true },
    busy: { state: true },
    failure: { state: true },
    isLoaded: { state: true },
  };
  declare client: Client;
  declare project: Project;
  /** The open variant, which can be shared alone. */
  declare variant: Variant | null;
  /** The variants whose names are known. */
  declare variants: readonly Variant[];
  declare kind: Wanted["kind"];
  declare isOfVariant: boolean;
  /** Whether the text of the search has too few characters. */
  declare isShort: boolean;
  /** Address of the link that was made just now. */
  declare url: string;
  /** Id of the share that may be ended. */
  declare asked: string;
  declare busy: boolean;
  declare failure: string;
  declare isLoaded: boolean;
  private shares: Shares | null = null;

  constructor() {
    super();
    this.variant = null;
    this.variants = [];
    this.kind = "user";
    this.isOfVariant = false;
    this.isShort = true;
    this.url = "";
    this.asked = "";
    this.busy = false;
    this.failure = "";
    this.isLoaded = false;
  }

  protected override firstUpdated(): void {
    this.querySelector("dialog")?.showModal();
    this.shares = new Shares(shareCalls(this.client, this.project.project_id));
    void this.load(this.shares);
  }

  protected override updated(changed: PropertyValues): void {
    if (changed.has("asked") && this.asked) this.querySelector<HTMLElement>(".asking button")?.focus();
  }

  private load(shares: Shares): Promise<boolean> {
    return this.attempt(async () => {
      await shares.load();
      this.isLoaded = true;
    });
  }

  /** Do some work; tell whether it went well, and why not. */
  private async attempt(work: () => Promise<unknown>): Promise<boolean> {
    this.failure = "";
    this.busy = true;
    try {
      await work();
      return true;
    } catch (error) {
      this.failure = messageOf(error);
      return false;
    } finally {
      this.busy = false;
    }
  }

  private async search(text: string, shares: Shares): Promise<void> {
    try {
      this.isShort = !(await shares.search(text));
    } catch (error) {
      this.failure = messageOf(error);
    }
    this.requestUpdate();
  }

  private async submit(event: SubmitEvent, shares: Shares): Promise<void> {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const given = new FormData(form);
    const text = (name: string) => String(given.get(name) ?? "");
    this.url = "";
    const isMade = await this.attempt(async () => {
      const { kind } = this;
      if (kind === "user" && !text("user_id")) throw new Error(texts.chooseOne);
      const whom = kind === "user" ? { user_id: text("user_id"), role: text("role") as Role } : kind === "team" ? { team_id: text("team_id"), role: text("role") as Role } : {};
      const variant = this.isOfVariant && this.variant !== null ? { variant_id: this.variant.variant_id } : {};
      const end = endOf(text("end"), Date.now());
      this.url = (await shares.make({ kind, ...whom, ...variant, ...(end === undefined ? {} : { expires_at: end }) })) ?? "";
    });
    if (!isMade) return;
    for (const field of form.querySelectorAll<HTMLInputElement>("input[type=text], input[type=datetime-local]")) field.value = "";
    await shares.search("");
    this.isShort = true;
    this.requestUpdate();
  }

  private end(share: Share, shares: Shares): void {
    void this.attempt(async () => {
      await shares.remove(share.share_id);
      this.asked = "";
    });
  }

  private kinds(shares: Shares) {
    const choose = (kind: Wanted["kind"], label: string) =>
      html`<label><input type="radio" name="kind" .checked=${live(this.kind === kind)} @change=${() => (this.kind = kind)} />${label}</label>`;
    return html`<fieldset class="kinds"><legend>${texts.with}</legend>${choose("user", texts.aPerson)}${shares.teams.length > 0 ? choose("team", texts.aTeam) : nothing}${choose("link", texts.aLink)}</fieldset>`;
  }

  private whom(shares: Shares) {
    if (this.kind === "team") {
      return html`<label class="field">${texts.team}<select name="team_id">${shares.teams.map((one) => html`<option value=${one.team_id}>${one.name}</option>`)}</select></label>`;
    }
    if (this.kind === "link") return html`<p class="soft">${texts.linkAbout}</p>`;
    const none = this.isShort ? texts.short : texts.nobody;
    return html`<label class="field">${texts.person}<input type="text" autocomplete="off" aria-describedby="people-found" @input=${(event: Event) => this.search((event.target as HTMLInputElement).value, shares)} /></label>
      <div class="people" id="people-found" role="radiogroup" aria-label=${texts.found} aria-live="polite">
        ${shares.found.length === 0
          ? html`<span class="soft">${none}</span>`
          : shares.found.map((one, place) => html`<label><input type="radio" name="user_id" value=${one.user_id} ?checked=${place === 0 && shares.found.length === 1} /><span>${one.staff_name} <span class="soft">${one.email}</span></span></label>`)}
      </div>`;
  }

  private form(shares: Shares) {
    const { variant } = this;
    const isOfVariant = this.isOfVariant && variant !== null;
    const roles = rolesOf(this.kind, isOfVariant);
    return html`<form @submit=${(event: SubmitEvent) => this.submit(event, shares)}>
      ${this.kinds(shares)} ${this.whom(shares)}
      <div class="pair">
        ${variant === null
          ? nothing
          : html`<label class="field">${texts.what}<select @change=${(event: Event) => (this.isOfVariant = (event.target as HTMLSelectElement).value === "variant")}>
              <option value="project" ?selected=${!this.isOfVariant}>${texts.wholeProject}</option>
              <option value="variant" ?selected=${this.isOfVariant}>${common.only(variant.name)}</option>
            </select></label>`}
        ${roles.length === 1 ? nothing : html`<label class="field">${common.role}<select name="role">${roles.map((role) => html`<option value=${role}>${(isOfVariant ? ABOUT_VARIANT : texts.roles)[role]}</option>`)}</select></label>`}
        <label class="field">${texts.until}<input type="datetime-local" name="end" /></label>
      </div>
      ${this.failure ? html`<p class="bad" role="alert">${this.failure}</p>` : nothing}
      <button type="submit" ?disabled=${this.busy}>${this.kind === "link" ? texts.makeLink : common.share}</button>
    </form>`;
  }

  private row(share: Share, shares: Shares) {
    const name = share.kind === "link" ? texts.whoHasLink : (share.name ?? "");
    const variant = this.variants.find((one) => one.variant_id === share.variant_id)?.name;
    const what = share.variant_id === null ? common.wholeProject : variant === undefined ? texts.whatOne : texts.whatOnly(variant);
    const end = share.expires_at === null ? "" : when(share.expires_at);
    return html`<li data-share=${share.kind}>
      <div class="line">
        <span class="label"><strong>${name}</strong><br /><span class="soft">${texts.share(share.role, what, end, when(share.created_at))}</span></span>
        ${this.asked === share.share_id ? nothing : html`<button class="quiet" aria-label=${texts.ends(name)} @click=${() => (this.asked = share.share_id)}>${texts.end}</button>`}
      </div>
      ${this.asked === share.share_id
        ? html`<div class="asking notice" role="alertdialog" aria-label=${texts.endTheShare}>
            <p>${share.kind === "link" ? texts.endingLink : texts.ending(name)}</p>
            <div class="bar"><button class="danger" ?disabled=${this.busy} @click=${() => this.end(share, shares)}>${texts.endIt}</button><button class="quiet" @click=${() => (this.asked = "")}>${common.keepIt}</button></div>
          </div>`
        : nothing}
    </li>`;
  }

  private content(shares: Shares) {
    return html`${this.form(shares)}
      ${this.url
        ? html`<catenary-once .label=${texts.address} .value=${this.url} .about=${texts.addressAbout}></catenary-once>`
        : nothing}
      <h2>${texts.sharedWith}</h2>
      ${shares.list.length === 0 ? html`<p class="soft">${texts.none}</p>` : html`<ul class="variants">${repeat(shares.list, (one) => one.share_id, (one) => this.row(one, shares))}</ul>`}`;
  }

  override render() {
    const { shares } = this;
    const waiting = this.failure
      ? html`<p class="notice bad" role="alert">${this.failure}</p><button class="quiet" @click=${() => shares && this.load(shares)}>${common.tryAgain}</button>`
      : html`<p class="soft" role="status">${texts.loading}</p>`;
    return html`<dialog class="sharing" aria-label=${common.share} @close=${() => this.tell("closed")}>
      <div class="head"><h2>${texts.of(this.project.name)}</h2><button class="quiet" @click=${() => this.querySelector("dialog")?.close()}>${common.close}</button></div>
      ${shares === null || !this.isLoaded ? waiting : this.content(shares)}
    </dialog>`;
  }
}
customElements.define("catenary-shares", CatenaryShares);
