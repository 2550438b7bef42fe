// <catenary-members>: the members of a project and who is invited to it, in a window over the page.
import { html, nothing, type PropertyValues } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { Client } from "../api/client.ts";
import { memberCalls } from "../api/members.ts";
import type { Invitation, Member, Project } from "../api/types.ts";
import { when } from "../state/format.ts";
import { idOf, Members } from "../state/members.ts";
import { common } from "../texts/common.ts";
import { members as texts } from "../texts/members.ts";
import { LightElement, messageOf } from "./light.ts";
import "./once.ts";

type Role = Project["role"];

const ROLES: readonly Role[] = ["viewer", "evaluator", "editor", "owner"];

export class CatenaryMembers extends LightElement {
  static override properties = {
    client: { attribute: false },
    project: { attribute: false },
    url: { state: true },
    asked: { state: true },
    isInviting: { state: true },
    busy: { state: true },
    failure: { state: true },
    isLoaded: { state: true },
  };
  declare client: Client;
  declare project: Project;
  /** Address of the invitation that was made just now. */
  declare url: string;
  /** Id of whom or what is to be removed, if the person says so. */
  declare asked: string;
  declare isInviting: boolean;
  declare busy: boolean;
  declare failure: string;
  declare isLoaded: boolean;
  private people: Members | null = null;

  constructor() {
    super();
    this.url = "";
    this.asked = "";
    this.isInviting = false;
    this.busy = false;
    this.failure = "";
    this.isLoaded = false;
  }

  protected override firstUpdated(): void {
    this.querySelector("dialog")?.showModal();
    this.people = new Members(memberCalls(this.client, this.project.project_id));
    void this.load(this.people);
  }

  protected override updated(changed: PropertyValues): void {
    if (changed.has("asked") && this.asked) this.querySelector<HTMLElement>(".asking button")?.focus();
    if (changed.has("isInviting") && this.isInviting) this.querySelector<HTMLElement>(".asking input")?.focus();
  }

  private load(people: Members): Promise<boolean> {
    return this.attempt(async () => {
      await people.load();
      this.isLoaded = true;
    });
  }

  /** Do some work; tell whether it went well, and why not. */
  private async attempt(work: () => Promise<unknown>): Promise<boolean> {
    this.failure = "";
    this.busy = true;
    try {
      await work();
      this.asked = "";
      return true;
    } catch (error) {
      this.failure = messageOf(error);
      return false;
    } finally {
      this.busy = false;
    }
  }

  private async invite(event: SubmitEvent, people: Members): Promise<void> {
    event.preventDefault();
    const given = new FormData(event.target as HTMLFormElement);
    const [email, name, role] = ["email", "staff_name", "role"].map((field) => String(given.get(field) ?? ""));
    this.url = "";
    this.isInviting = !(await this.attempt(async () => (this.url = await people.invite(email!, name!, role as Role))));
  }

  private form(people: Members) {
    if (!this.isInviting) return html`<div class="bar"><button @click=${() => (this.isInviting = true)}>${texts.inviteSomebody}</button></div>`;
    return html`<form class="asking" @submit=${(event: SubmitEvent) => this.invite(event, people)}>
      <div class="pair">
        <label class="field">${texts.email}<input type="text" inputmode="email" name="email" required maxlength="320" autocomplete="off" /></label>
        <label class="field">${common.name}<input type="text" name="staff_name" required maxlength="200" autocomplete="off" /></label>
        <label class="field">${common.role}<select name="role">${ROLES.map((role) => html`<option>${role}</option>`)}</select></label>
      </div>
      <p class="soft">${texts.nothingSent}</p>
      <div class="bar"><button type="submit" ?disabled=${this.busy}>${texts.invite}</button><button type="button" class="quiet" @click=${() => (this.isInviting = false)}>${common.cancel}</button></div>
    </form>`;
  }

  private question(text: string, button: string, work: () => Promise<unknown>) {
    return html`<div class="asking notice" role="alertdialog" aria-label=${button}>
      <p>${text}</p>
      <div class="bar"><button class="danger" ?disabled=${this.busy} @click=${() => this.attempt(work)}>${button}</button><button class="quiet" @click=${() => (this.asked = "")}>${common.cancel}</button></div>
    </div>`;
  }

  private member(member: Member, people: Members) {
    const id = idOf(member);
    const isShared = member.share_id !== null;
    const end = member.expires_at === null ? "" : when(member.expires_at);
    return html`<li>
      <div class="line">
        <span class="label"><strong>${member.name}</strong>${member.team_id === null ? nothing : html` <span class="tag">${texts.team}</span>`}${isShared ? html`<br /><span class="soft">${texts.byShare(member.role, end)}</span>` : nothing}</span>
        ${isShared
          ? nothing
          : html`<select aria-label=${texts.roleOf(member.name)} ?disabled=${this.busy} @change=${(event: Event) => this.attempt(() => people.change(member, (event.target as HTMLSelectElement).value as Role)).then(() => this.requestUpdate())}>
              ${ROLES.map((role) => html`<option .selected=${role === member.role}>${role}</option>`)}
            </select>`}
        <button class="quiet" aria-label=${texts.remove(member.name)} @click=${() => (this.asked = id)}>${common.remove}</button>
      </div>
      ${this.asked === id ? this.question(texts.removing(member.name), common.remove, () => people.remove(member)) : nothing}
    </li>`;
  }

  private invitation(one: Invitation, people: Members) {
    const id = one.invitation_id;
    return html`<li>
      <div class="line">
        <span class="label"><strong>${one.staff_name}</strong> <span class="soft">${one.email}</span><br /><span class="soft">${texts.open(one.role, when(one.expires_at))}</span></span>
        <button class="quiet" aria-label=${texts.revokeOf(one.staff_name)} @click=${() => (this.asked = id)}>${texts.revoke}</button>
      </div>
      ${this.asked === id ? this.question(texts.revoking(one.staff_name), texts.revoke, () => people.revoke(id)) : nothing}
    </li>`;
  }

  private content(people: Members) {
    const told = this.failure ? html`<p class="notice bad" role="alert">${this.failure}</p>` : nothing;
    return html`${people.mayInvite ? this.form(people) : nothing} ${told}
      ${this.url ? html`<catenary-once .label=${texts.address} .value=${this.url} .about=${texts.addressAbout}></catenary-once>` : nothing}
      <h2>${common.members}</h2>
      <ul class="variants">${repeat(people.members, (one) => `${idOf(one)} ${one.share_id}`, (one) => this.member(one, people))}</ul>
      ${people.open.length === 0 ? nothing : html`<h2>${texts.invited}</h2><ul class="variants">${repeat(people.open, (one) => one.invitation_id, (one) => this.invitation(one, people))}</ul>`}`;
  }

  override render() {
    const { people } = this;
    const waiting = this.failure
      ? html`<p class="notice bad" role="alert">${this.failure}</p><button class="quiet" @click=${() => people && this.load(people)}>${common.tryAgain}</button>`
      : html`<p class="soft" role="status">${texts.loading}</p>`;
    return html`<dialog class="sharing" aria-label=${common.members} @close=${() => this.tell("closed")}>
      <div class="head"><h2>${texts.of(this.project.name)}</h2><button class="quiet" @click=${() => this.querySelector("dialog")?.close()}>${common.close}</button></div>
      ${people === null || !this.isLoaded ? waiting : this.content(people)}
    </dialog>`;
  }
}
customElements.define("catenary-members", CatenaryMembers);
