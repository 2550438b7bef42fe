// The charts of many designs where the page shows them.
import { html } from "lit";
import type { Client } from "../api/client.ts";
import type { Project, View } from "../api/types.ts";
import type { Beside } from "../state/beside.ts";
import type { Design } from "../state/design.ts";
import { lazily } from "./lazily.ts";

/** Load the code of the charts. */
export const loadDesigns = lazily(() => import("./designs.ts"));

const NO_METRICS: readonly string[] = [];

/** Render the charts of a project's designs; designs are read once they are in view. */
export function designsOf(client: Client, project: Project, { parameters, order }: Design, view: View | null, wanted: Beside, active: boolean) {
  return html`<catenary-designs .client=${client} .project=${project} .parameters=${parameters} .metrics=${order?.metrics ?? NO_METRICS} .view=${view} .wanted=${wanted} .active=${active}></catenary-designs>`;
}

declare global {
  interface HTMLElementTagNameMap {
    "catenary-designs": import("./designs.ts").CatenaryDesigns;
  }
}
