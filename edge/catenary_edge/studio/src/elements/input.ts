// <catenary-input>: one parameter as an input that fits its type.
import { html, nothing, type PropertyValues } from "lit";
import { live } from "lit/directives/live.js";
import type { Json, Parameter } from "../api/types.ts";
import * as format from "../state/format.ts";
import { AXES, atPlace, coordinatesOf, isSlider, placeOf, placesOf, readEntry, withCoordinate } from "../state/values.ts";
import type { FileCalls } from "../state/input_files.ts";
import { input as texts } from "../texts/design.ts";
import { lazily } from "./lazily.ts";
import { LightElement, messageOf } from "./light.ts";

/** The inputs that few models have. */
const loadRarer = lazily(() => Promise.all([import("./file_input.ts"), import("./table_input.ts")]));

/** What an input tells: `isFinal` once the person lets go. */
export interface Change {
  name: string;
  value: Json;
  isFinal: boolean;
}

type Field = HTMLInputElement | HTMLSelectElement;

export class CatenaryInput extends LightElement {
  static override properties = { parameter: { attribute: false }, value: { attribute: false }, refusal: { attribute: false }, disabled: { type: Boolean }, withoutSlider: { type: Boolean }, files: { attribute: false }, fault: { state: true } };
  declare parameter: Parameter;
  declare value: Json;
  declare refusal: string;
  declare disabled: boolean;
  declare withoutSlider: boolean;
  /** Files that a parameter may take; null where there are none to see. */
  declare files: FileCalls | null;
  declare fault: string;

  /** What somebody types, until it is entered: a result that comes meanwhile doesn't take its place. */
  private typed: string | null = null;

  constructor() {
    super();
    this.refusal = "";
    this.disabled = this.withoutSlider = false;
    this.files = null;
    this.fault = "";
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("value")) this.fault = "";
    if (this.parameter.type === "file" || this.parameter.type === "table") void loadRarer().catch((error: unknown) => (this.fault = messageOf(error)));
  }

  private get fieldId(): string {
    return `input-${this.parameter.name}`;
  }

  private change(value: Json, isFinal = true): void {
    this.fault = "";
    this.tell<Change>("value-changed", { name: this.parameter.name, value, isFinal });
  }

  private enter(text: string): void {
    this.typed = null;
    const value = readEntry(text, this.parameter);
    if (value !== undefined) return this.change(value);
    const { unit } = this.parameter;
    this.fault = unit === null ? texts.number : texts.quantity(unit);
  }

  private described() {
    const { description } = this.parameter;
    const message = this.fault || this.refusal;
    return html`${description ? html`<p class="soft" id="${this.fieldId}-about">${description}</p>` : nothing}
    ${message ? html`<p class="bad" id="${this.fieldId}-message" role="alert">${message}</p>` : nothing}`;
  }

  private get isWrong(): boolean {
    return Boolean(this.fault || this.refusal);
  }

  private get describedBy(): string {
    const ids = [this.parameter.description && "about", (this.fault || this.refusal) && "message"].filter(Boolean);
    return ids.map((end) => `${this.fieldId}-${end}`).join(" ");
  }

  private entry() {
    const { parameter, value } = this;
    const isQuantity = typeof value === "object" && value !== null && !Array.isArray(value);
    const text = isQuantity ? `${String(value["value"])} ${String(value["unit"])}` : String(value ?? "");
    return html`<span class="entry"
      ><input
        id=${this.fieldId}
        inputmode="decimal"
        autocomplete="off"
        .value=${live(this.typed ?? text)}
        ?disabled=${this.disabled}
        aria-describedby=${this.describedBy || nothing}
        aria-invalid=${this.isWrong ? "true" : nothing}
        @input=${(event: Event) => (this.typed = (event.target as Field).value)}
        @change=${(event: Event) => this.enter((event.target as Field).value)}
      /><span class="unit">${isQuantity ? "" : format.unit(parameter.unit)}</span></span
    >`;
  }

  private slider() {
    const { parameter, value } = this;
    const place = placeOf(parameter, value);
    const move = (event: Event, isFinal: boolean) => this.change(atPlace(parameter, Number((event.target as Field).value)), isFinal);
    return html`<input
      type="range"
      min="0"
      max=${placesOf(parameter)}
      step="1"
      .value=${live(String(place))}
      ?disabled=${this.disabled}
      aria-label=${format.title(parameter.label)}
      aria-valuetext="${format.number(typeof value === "number" ? value : atPlace(parameter, place))} ${parameter.unit ?? ""}"
      @input=${(event: Event) => move(event, false)}
      @change=${(event: Event) => move(event, true)}
    />`;
  }

  private plain(type: string, read: (field: HTMLInputElement) => Json = (field) => field.value) {
    const isColor = type === "color";
    return html`<input
      id=${this.fieldId}
      type=${type}
      .value=${live(isColor ? String(this.value).slice(0, 7) : String(this.value ?? ""))}
      ?disabled=${this.disabled}
      aria-describedby=${this.describedBy || nothing}
      aria-invalid=${this.isWrong ? "true" : nothing}
      @change=${(event: Event) => this.change(read(event.target as HTMLInputElement))}
    />`;
  }

  /** A text of one line; one with several lines would lose them in a field. */
  private text() {
    if (![this.value, this.parameter.default].some((one) => String(one).includes("\n"))) return this.plain("text");
    return html`<textarea
      id=${this.fieldId}
      rows="4"
      .value=${live(String(this.value ?? ""))}
      ?disabled=${this.disabled}
      aria-describedby=${this.describedBy || nothing}
      aria-invalid=${this.isWrong ? "true" : nothing}
      @change=${(event: Event) => this.change((event.target as HTMLTextAreaElement).value)}
    ></textarea>`;
  }

  private enterCoordinate(axis: number, text: string): void {
    const { unit } = this.parameter;
    const point = withCoordinate(this.value, axis, text, unit);
    if (point !== undefined) return this.change(point);
    this.fault = texts.coordinate(unit ?? "");
  }

  private point() {
    const found = coordinatesOf(this.value);
    const label = format.title(this.parameter.label);
    return html`<span class="entry point" role="group" aria-label=${label}
      >${AXES.map(
        (axis, place) => html`<input
          inputmode="decimal"
          autocomplete="off"
          aria-label="${label} ${axis}"
          title=${axis}
          .value=${live(String(found[place] ?? ""))}
          ?disabled=${this.disabled}
          aria-describedby=${this.describedBy || nothing}
          aria-invalid=${this.isWrong ? "true" : nothing}
          @change=${(event: Event) => this.enterCoordinate(place, (event.target as Field).value)}
        />`,
      )}<span class="unit">${format.unit(this.parameter.unit)}</span></span
    >`;
  }

  private control() {
    const { parameter, value } = this;
    switch (parameter.type) {
      case "number":
      case "integer":
        return this.entry();
      case "boolean":
        return html`<input
          id=${this.fieldId}
          type="checkbox"
          role="switch"
          .checked=${live(value === true)}
          ?disabled=${this.disabled}
          aria-describedby=${this.describedBy || nothing}
          aria-invalid=${this.isWrong ? "true" : nothing}
          @change=${(event: Event) => this.change((event.target as HTMLInputElement).checked)}
        />`;
      case "choice":
        return html`<select
          id=${this.fieldId}
          .value=${live(String(parameter.choices.findIndex((one) => one === value)))}
          ?disabled=${this.disabled}
          aria-describedby=${this.describedBy || nothing}
          aria-invalid=${this.isWrong ? "true" : nothing}
          @change=${(event: Event) => this.change(parameter.choices[Number((event.target as Field).value)] ?? null)}
        >
          ${parameter.choices.map((one, index) => html`<option value=${index} ?selected=${one === value}>${String(one)}</option>`)}
        </select>`;
      case "point":
        return this.point();
      case "color":
        return this.plain("color", (field) => field.value + String(value).slice(7));
      case "date":
        return this.plain("date");
      case "string":
        return this.text();
      case "table":
        return html`<catenary-table-input
          .parameter=${parameter}
          .value=${value}
          .disabled=${this.disabled}
          @table-entered=${(event: CustomEvent<Json>) => this.change(event.detail)}
        ></catenary-table-input>`;
      case "file":
        return html`<catenary-file-input
          .parameter=${parameter}
          .value=${value}
          .calls=${this.files}
          .disabled=${this.disabled}
          @file-chosen=${(event: CustomEvent<Json>) => this.change(event.detail)}
        ></catenary-file-input>`;
    }
  }

  override render() {
    const { parameter } = this;
    const label = format.title(parameter.label);
    const isSet = ["point", "table", "file"].includes(parameter.type);
    return html`<div class="line">
        ${isSet ? html`<span class="label">${label}</span>` : html`<label class="label" for=${this.fieldId}>${label}</label>`}${this.control()}
      </div>
      ${isSlider(parameter) && !this.withoutSlider ? this.slider() : nothing} ${this.described()}`;
  }
}
customElements.define("catenary-input", CatenaryInput);
