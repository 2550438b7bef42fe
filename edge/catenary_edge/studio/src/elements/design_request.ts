// <catenary-design-request>: a form by which many designs are computed, as a sample, a search or a sensitivity.
import { html, nothing } from "lit";
import type { Parameter } from "../api/types.ts";
import { shownCategory } from "../state/candidates.ts";
import { begin, BEGUN, canVary, isBounded, measuredOf, PURPOSES, rangeOf, SIZES, type DesignRequestCalls, type Direction, type Entries, type Range } from "../state/design_request.ts";
import * as format from "../state/format.ts";
import type { Values } from "../state/values.ts";
import { common } from "../texts/common.ts";
import { designRequest as texts } from "../texts/designs.ts";
import { AskingElement } from "./asking.ts";

export class CatenaryDesignRequest extends AskingElement<true> {
  static override properties = {
    ...AskingElement.properties,
    calls: { attribute: false },
    parameters: { attribute: false },
    metrics: { attribute: false },
    values: { attribute: false },
    entries: { state: true },
  };
  declare calls: DesignRequestCalls;
  declare parameters: readonly Parameter[];
  /** Names of the metrics in the order of their declaration. */
  declare metrics: readonly string[];
  /** The values of the design, which inputs that don't vary keep. */
  declare values: Values;
  declare entries: Entries;

  constructor() {
    super();
    this.entries = BEGUN;
  }

  private set(changed: Partial<Entries>): void {
    this.entries = { ...this.entries, ...changed };
  }

  private submit(event: SubmitEvent): void {
    event.preventDefault();
    const { entries, parameters, metrics, values, calls } = this;
    void this.attempt(async () => this.tell("designs-requested", await begin(entries, parameters, metrics, values, calls)));
  }

  private purposes() {
    return html`<fieldset>
      <legend>${texts.purpose}</legend>
      ${PURPOSES.map(
        (one) => html`<label class="choice"><input type="radio" name="purpose" value=${one} .checked=${this.entries.purpose === one} @change=${() => this.set({ purpose: one })} /><span>${texts.purposes[one]} <span class="soft">${texts.hints[one]}</span></span></label>`,
      )}
    </fieldset>`;
  }

  private ranges() {
    const [varying, others] = [this.parameters.filter(canVary), this.parameters.filter((one) => !canVary(one))];
    return html`<fieldset>
      <legend>${texts.varied}</legend>
      <div class="scroll"><table class="rows ranges">
        <thead><tr><th scope="col">${texts.input}</th><th scope="col">${texts.from}</th><th scope="col">${texts.to}</th></tr></thead>
        <tbody>${varying.map((one) => this.range(one))}</tbody>
      </table></div>
      ${others.length > 0 ? html`<p class="soft">${texts.others(others.map((one) => format.title(one.label || one.name)).join(", "))}</p>` : nothing}
    </fieldset>`;
  }

  private range(parameter: Parameter) {
    const { name, unit } = parameter;
    const label = format.title(parameter.label || name);
    const range = rangeOf(this.entries, parameter);
    const set = (changed: Partial<Range>) => this.set({ ranges: { ...this.entries.ranges, [name]: { ...range, ...changed } } });
    const bound = (end: "min" | "max", heard: string) => html`<td><input type="text" inputmode="decimal" autocomplete="off" aria-label=${heard} placeholder=${parameter[end] === null ? "" : format.number(parameter[end])} .value=${range[end]} @input=${(event: Event) => set({ [end]: (event.target as HTMLInputElement).value })} /></td>`;
    return html`<tr data-range=${name}>
      <th scope="row"><label class="choice"><input type="checkbox" .checked=${range.varies} @change=${(event: Event) => set({ varies: (event.target as HTMLInputElement).checked })} />${label} <span class="soft">${format.unit(unit)}</span></label></th>
      ${!range.varies
        ? html`<td colspan="2" class="soft">${texts.stays(this.shown(parameter))}</td>`
        : isBounded(parameter)
          ? html`${bound("min", texts.fromHeard(label))}${bound("max", texts.toHeard(label))}`
          : html`<td colspan="2" class="soft">${texts.allValues}</td>`}
    </tr>`;
  }

  /** Write the value that an input keeps. */
  private shown({ name, unit, default: initial }: Parameter): string {
    const value = this.values[name] ?? initial;
    if (typeof value === "number") return format.measure(format.number(value), unit);
    if (typeof value !== "object" || value === null || Array.isArray(value) || !("unit" in value)) return shownCategory(value);
    return format.measure(shownCategory(value["value"] ?? null), String(value["unit"]));
  }

  private directions() {
    const { entries, metrics } = this;
    const set = (name: string, chosen: string) => {
      const { [name]: _, ...others } = entries.directions;
      this.set({ directions: chosen === "" ? others : { ...others, [name]: chosen as Direction } });
    };
    return html`<fieldset>
      <legend>${texts.objectives}</legend>
      ${metrics.map((name) => {
        const chosen = entries.directions[name] ?? "";
        return html`<label class="goal">${format.title(name)}
          <select data-objective=${name} @change=${(event: Event) => set(name, (event.target as HTMLSelectElement).value)}>
            ${Object.entries(texts.directions).map(([value, label]) => html`<option value=${value} .selected=${value === chosen}>${label}</option>`)}
          </select></label>`;
      })}
      <label class="field">${texts.conditions}<textarea name="conditions" rows="2" spellcheck="false" placeholder=${texts.conditionsExample(metrics[0] ?? "")} .value=${entries.conditions} @input=${(event: Event) => this.set({ conditions: (event.target as HTMLTextAreaElement).value })}></textarea></label>
      <p class="soft">${texts.objectivesHint} <a href="/docs/guide/expressions" target="_blank">${texts.conditionsGuide}</a></p>
    </fieldset>`;
  }

  private measured() {
    const { entries, metrics } = this;
    const chosen = new Set(measuredOf(entries, metrics));
    return html`<fieldset>
      <legend>${texts.measured}</legend>
      ${metrics.map(
        (name) => html`<label class="choice"><input type="checkbox" .checked=${chosen.has(name)} @change=${(event: Event) => this.set({ measured: { ...entries.measured, [name]: (event.target as HTMLInputElement).checked } })} />${format.title(name)}</label>`,
      )}
    </fieldset>`;
  }

  override render() {
    if (this.asking === null) return html`<button class="quiet" @click=${() => this.ask(true)}>${texts.open}</button>`;
    const { entries } = this;
    return html`<form class="asking request" aria-label=${texts.title} @submit=${(event: SubmitEvent) => this.submit(event)}>
      ${this.purposes()} ${this.ranges()} ${entries.purpose === "search" ? this.directions() : entries.purpose === "sensitivity" ? this.measured() : nothing}
      <div class="pair">
        <label class="field">${texts.designs}<input type="text" inputmode="numeric" name="size" autocomplete="off" placeholder=${format.number(SIZES[entries.purpose])} .value=${entries.size} @input=${(event: Event) => this.set({ size: (event.target as HTMLInputElement).value })} /></label>
        <label class="field">${texts.name}<input type="text" name="name" maxlength="200" autocomplete="off" .value=${entries.name} @input=${(event: Event) => this.set({ name: (event.target as HTMLInputElement).value })} /></label>
      </div>
      ${this.failure ? html`<p class="notice bad" role="alert">${this.failure}</p>` : nothing}
      <div class="bar">
        <button type="submit" ?disabled=${this.busy}>${this.busy ? common.moment : texts.start}</button>
        <button type="button" class="quiet" @click=${() => this.ask(null)}>${common.close}</button>
      </div>
    </form>`;
  }
}
customElements.define("catenary-design-request", CatenaryDesignRequest);
