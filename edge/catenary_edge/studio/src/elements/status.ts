// What a page tells of a design that is under way, and of its connection.
import { html, nothing } from "lit";
import type { Design } from "../state/design.ts";
import type { LiveState } from "../state/live.ts";
import { common } from "../texts/common.ts";
import { status as texts } from "../texts/design.ts";

/** Render the state of the connection, and that a result is under way once that takes a moment. */
export function statusOf(design: Design, state: LiveState | null) {
  const ofSlow = design.busy ? "" : texts.whenLetGo; // one of both, since a phone has room for one
  const told = design.pace.isSlow ? ofSlow : state === null ? "" : texts.connection[state];
  return html`<span class="state" role="status">
    ${design.busy ? html`<span class="late">${texts.computing}</span>` : nothing}
    ${told ? html`<span class=${state === "open" && !design.pace.isSlow ? "live" : ""} data-connection=${state ?? nothing}>${told}</span>` : nothing}
  </span>`;
}

/** Render the progress of an evaluation that takes long, with a way to cancel it. */
export function whileComputing(design: Design) {
  const { running } = design;
  if (running === null) {
    if (!design.pace.isSlow) return nothing;
    return html`<p class="soft">${texts.slow((design.pace.last / 1000).toFixed(1))}</p>`;
  }
  const { progress } = running;
  return html`<div class="notice computing" role="status">
    <span>${progress?.message || progress?.output || (running.status === "queued" ? texts.waiting : texts.computing)}</span>
    <progress max="1" value=${progress?.fraction || nothing} aria-label=${texts.progress}></progress>
    <button class="quiet" @click=${() => design.cancel()}>${common.cancel}</button>
  </div>`;
}
