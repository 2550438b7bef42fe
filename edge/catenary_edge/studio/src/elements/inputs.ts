// The inputs of a design, in groups, with undo and redo.
import { html, nothing } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { Parameter, Project, ViewControl } from "../api/types.ts";
import { isShown } from "../state/conditions.ts";
import type { Design } from "../state/design.ts";
import { title } from "../state/format.ts";
import type { FileCalls } from "../state/input_files.ts";
import { grouped } from "../state/values.ts";
import { arranged, isPlain } from "../state/views.ts";
import { common } from "../texts/common.ts";
import { inputs as texts } from "../texts/design.ts";
import type { Change } from "./input.ts";
import "./input.ts";

type Reader = keyof typeof texts.readers;

/** Render the inputs of a design; those who may not evaluate see them disabled. Only who has a role in the project sees its files. `controls` are those of a saved view. */
export function inputsOf(design: Design, role: Project["role"] | Reader, files: FileCalls, controls: readonly ViewControl[] = []) {
  const reader = role in texts.readers ? (role as Reader) : null;
  const mayEvaluate = reader === null;
  const change = ({ detail }: CustomEvent<Change>) => {
    design.set(detail.name, detail.value);
    if (detail.isFinal) design.commit();
  };
  // What the server refuses is shown whatever its condition says: the message has no other place.
  const shows = (one: Parameter) => design.refused.has(one.name) || isShown(one, design.parameters, design.values);
  const wanted = controls.filter((one) => !design.refused.has(one.parameter) || !one.hidden);
  return html`<section aria-label=${common.inputs} @value-changed=${change}>
    ${reader === null ? steps(design) : html`<p class="notice">${texts.readers[reader]}</p>`}
    ${design.parameters.length === 0 ? html`<p class="soft">${texts.none}</p>` : nothing}
    ${[...grouped(arranged(design.parameters, wanted).filter(shows))].map(
      ([group, parameters]) => html`<fieldset>
        <legend>${group ? title(group) : texts.parameters}</legend>
        ${repeat(
          parameters,
          (one) => one.name,
          (one) => html`<catenary-input
            .parameter=${one}
            .withoutSlider=${isPlain(one.name, controls)}
            .value=${design.values[one.name] ?? null}
            .refusal=${design.refused.get(one.name) ?? ""}
            .disabled=${!mayEvaluate}
            .files=${reader === null || reader === "viewer" ? files : null}
          ></catenary-input>`,
        )}
      </fieldset>`,
    )}
  </section>`;
}

function steps(design: Design) {
  return html`<div class="bar">
    <button class="quiet" ?disabled=${!design.canUndo} @click=${() => design.undo()} title=${texts.undoKeys}>${texts.undo}</button>
    <button class="quiet" ?disabled=${!design.canRedo} @click=${() => design.redo()} title=${texts.redoKeys}>${texts.redo}</button>
    <button class="quiet" ?disabled=${design.isDefault} @click=${() => design.reset()}>${texts.reset}</button>
  </div>`;
}
