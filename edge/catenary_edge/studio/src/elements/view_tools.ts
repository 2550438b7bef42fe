// <catenary-view-tools>: the slim toolbar of the 3D view, with the menu of the named views.
import { html, nothing, type PropertyValues } from "lit";
import type { ViewerSettings } from "../api/types.ts";
import type { Projection } from "../state/camera.ts";
import { NAMED_VIEWS, type NamedView } from "../state/named_views.ts";
import { viewTools as texts } from "../texts/view.ts";
import { icon } from "./icons.ts";
import { LightElement } from "./light.ts";

/** A tool that is switched on and off. */
export type Tool = "views" | "parts" | "section" | "measure";
/** What is behind the model; null for the page's own ground. */
export type Background = ViewerSettings["background"] | null;

const TOOLS: readonly Tool[] = ["views", "parts", "section", "measure"];
const PROJECTIONS: readonly Projection[] = ["perspective", "orthographic"];
const BACKGROUNDS = [null, "light", "dark"] as const satisfies readonly Background[];

export class CatenaryViewTools extends LightElement {
  static override properties = { open: { attribute: false }, projection: { attribute: false }, hiddenParts: { attribute: false }, edges: { type: Boolean }, background: { attribute: false }, hasViews: { type: Boolean }, disabled: { type: Boolean }, isMenu: { state: true } };
  /** The tools that are on. */
  declare open: ReadonlySet<Tool>;
  declare projection: Projection;
  declare hiddenParts: number;
  /** Whether edges are drawn. */
  declare edges: boolean;
  declare background: Background;
  /** Whether there are saved views to show. */
  declare hasViews: boolean;
  declare disabled: boolean;
  /** Whether the menu is open. */
  declare isMenu: boolean;
  private readonly outside = (event: Event) => this.contains(event.target as Node) || (this.isMenu = false);

  constructor() {
    super();
    this.open = new Set();
    this.projection = "perspective";
    this.hiddenParts = 0;
    this.edges = true;
    this.background = null;
    this.hasViews = false;
    this.disabled = false;
    this.isMenu = false;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("pointerdown", this.outside);
  }

  protected override updated(changed: PropertyValues): void {
    if (!changed.has("isMenu")) return;
    if (!this.isMenu) return removeEventListener("pointerdown", this.outside);
    addEventListener("pointerdown", this.outside);
    this.querySelector<HTMLElement>("[role=menu] button")?.focus();
  }

  private close(): void {
    this.isMenu = false;
    this.querySelector<HTMLElement>("button")?.focus();
  }

  private choose(name: string, detail: NamedView | string | boolean | null): void {
    this.close();
    this.tell(name, detail);
  }

  /** Go through the menu by keys, and close it. */
  private press(event: KeyboardEvent): void {
    const items = [...this.querySelectorAll<HTMLElement>("[role=menu] button")];
    const at = items.indexOf(document.activeElement as HTMLElement);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1 + items.length, Home: 0, End: items.length - 1 }[event.key];
    const view = NAMED_VIEWS.find((one) => one.key === event.key);
    if (event.key === "Escape") this.close();
    else if (next !== undefined) items[next % items.length]?.focus();
    else if (view) this.choose("view-wanted", view);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  private choice(role: "menuitemradio" | "menuitemcheckbox", label: string, isOn: boolean, choose: () => void) {
    return html`<button role=${role} tabindex="-1" aria-checked=${isOn} @click=${choose}>${label}<span aria-hidden="true">${isOn ? "✓" : ""}</span></button>`;
  }

  private menu() {
    return html`<div class="menu" role="menu" aria-label=${texts.title} @keydown=${(event: KeyboardEvent) => this.press(event)}>
      ${NAMED_VIEWS.map((view) => html`<button role="menuitem" tabindex="-1" @click=${() => this.choose("view-wanted", view)}>${view.label}<kbd>${view.key}</kbd></button>`)}
      <hr />
      ${PROJECTIONS.map((name) => this.choice("menuitemradio", texts.projections[name], name === this.projection, () => this.choose("projection-wanted", name)))}
      <hr />
      ${this.choice("menuitemcheckbox", texts.edges, this.edges, () => this.choose("edges-wanted", !this.edges))}
      ${BACKGROUNDS.map((name) => this.choice("menuitemradio", texts.backgrounds[name ?? "page"], name === this.background, () => this.choose("background-wanted", name)))}
    </div>`;
  }

  override render() {
    const { open, hiddenParts, disabled } = this;
    return html`<div class="chooser">
        <button class="quiet tool" ?disabled=${disabled} aria-haspopup="menu" aria-expanded=${this.isMenu} aria-label=${texts.title} title=${texts.about} @click=${() => (this.isMenu = !this.isMenu)}>
          ${icon("view")}<span class="text">${texts.title}</span>
        </button>
        ${this.isMenu ? this.menu() : nothing}
      </div>
      ${TOOLS.filter((tool) => tool !== "views" || this.hasViews).map(
        (tool) => html`<button class="quiet tool" data-tool=${tool} ?disabled=${disabled} aria-label=${texts.tools[tool].label} aria-pressed=${open.has(tool)} title=${texts.tools[tool].about} @click=${() => this.tell("tool-toggled", tool)}>
          ${icon(tool)}<span class="text">${texts.tools[tool].label}</span>${tool === "parts" && hiddenParts > 0 ? html`<span class="count" title=${texts.hiddenParts}>${hiddenParts}</span>` : nothing}
        </button>`,
      )}
      <button class="quiet tool" ?disabled=${disabled} aria-label=${texts.fit} title=${texts.fitHint} @click=${() => this.tell("fit-wanted")}>${icon("fit")}<span class="text">${texts.fit}</span></button>`;
  }
}
customElements.define("catenary-view-tools", CatenaryViewTools);
