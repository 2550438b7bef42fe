// What a page tells of a design that is under way, and of its connection.
import { html, nothing } from "lit";
import type { Design } from "../state/design.ts";
import type { LiveState } from "../state/live.ts";

const CONNECTION: Readonly<Record<LiveState, string>> = {
  connecting: "Connecting…",
  open: "Live",
  again: "Connection lost, connecting again…",
  resting: "Live when you go on",
  unavailable: "Not live: computed when a slider rests",
  ended: "",
};

/** Render the state of the connection, and that a result is under way once that takes a moment. */
export function statusOf(design: Design, state: LiveState | null) {
  const told = design.pace.isSlow ? "Computed when you let go" : state === null ? "" : CONNECTION[state];
  return html`<span class="state" role="status">
    ${design.busy ? html`<span class="late">Computing…</span>` : nothing}
    ${told ? html`<span class=${state === "open" && !design.pace.isSlow ? "live" : ""} data-connection=${state ?? nothing}>${told}</span>` : nothing}
  </span>`;
}

/** Render the progress of an evaluation that takes long, with a way to cancel it. */
export function whileComputing(design: Design) {
  const { running } = design;
  if (running === null) {
    if (!design.pace.isSlow) return nothing;
    return html`<p class="soft">A design of this model takes about ${(design.pace.last / 1000).toFixed(1)} s. It is computed when you let go of a slider.</p>`;
  }
  const { progress } = running;
  return html`<div class="notice computing" role="status">
    <span>${progress?.message || (running.status === "queued" ? "Waiting for a worker…" : "Computing…")}</span>
    <progress max="1" value=${progress?.fraction ?? nothing} aria-label="Progress"></progress>
    <button class="quiet" @click=${() => design.cancel()}>Cancel</button>
  </div>`;
}
