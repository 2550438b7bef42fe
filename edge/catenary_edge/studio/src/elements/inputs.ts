// The inputs of a design, in groups, with undo and redo.
import { html, nothing } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { Parameter, Project, ViewControl } from "../api/types.ts";
import type { Design } from "../state/design.ts";
import { title } from "../state/format.ts";
import type { FileCalls } from "../state/input_files.ts";
import { isShown } from "../state/shown_if.ts";
import { grouped } from "../state/values.ts";
import { arranged, isPlain } from "../state/views.ts";
import type { Change } from "./input.ts";
import "./input.ts";

const LINK = "A link shows a design, and changes nothing.";
const VIEWER = "You may look at this project: here is its newest design. To change it you need the role evaluator, which an owner gives.";

/** Render the inputs of a design; those who may not evaluate, by their role or a link, see them disabled. A link sees no files. `controls` are those of a saved view. */
export function inputsOf(design: Design, role: Project["role"] | "link", files: FileCalls, controls: readonly ViewControl[] = []) {
  const mayEvaluate = role !== "viewer" && role !== "link";
  const change = ({ detail }: CustomEvent<Change>) => {
    design.set(detail.name, detail.value);
    if (detail.isFinal) design.commit();
  };
  // What the server refuses is shown whatever its condition says: the message has no other place.
  const shows = (one: Parameter) => design.refused.has(one.name) || isShown(one, design.parameters, design.values);
  const wanted = controls.filter((one) => !design.refused.has(one.parameter) || !one.hidden);
  return html`<section aria-label="Inputs" @value-changed=${change}>
    ${mayEvaluate ? steps(design) : html`<p class="notice">${role === "link" ? LINK : VIEWER}</p>`}
    ${design.parameters.length === 0 ? html`<p class="soft">The model has no parameters.</p>` : nothing}
    ${[...grouped(arranged(design.parameters, wanted).filter(shows))].map(
      ([group, parameters]) => html`<fieldset>
        <legend>${group ? title(group) : "Parameters"}</legend>
        ${repeat(
          parameters,
          (one) => one.name,
          (one) => html`<catenary-input
            .parameter=${one}
            .withoutSlider=${isPlain(one.name, controls)}
            .value=${design.values[one.name] ?? null}
            .refusal=${design.refused.get(one.name) ?? ""}
            .disabled=${!mayEvaluate}
            .files=${role === "link" ? null : files}
          ></catenary-input>`,
        )}
      </fieldset>`,
    )}
  </section>`;
}

function steps(design: Design) {
  return html`<div class="bar">
    <button class="quiet" ?disabled=${!design.canUndo} @click=${() => design.undo()} title="Ctrl+Z">Undo</button>
    <button class="quiet" ?disabled=${!design.canRedo} @click=${() => design.redo()} title="Ctrl+Shift+Z">Redo</button>
    <button class="quiet" ?disabled=${design.isDefault} @click=${() => design.reset()}>Reset</button>
  </div>`;
}
