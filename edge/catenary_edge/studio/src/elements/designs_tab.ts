// The charts of many designs where the page shows them.
import { html } from "lit";
import type { Client } from "../api/client.ts";
import type { Project, View } from "../api/types.ts";
import type { Beside } from "../state/beside.ts";
import type { Design } from "../state/design.ts";
import { lazily } from "./lazily.ts";

/** Load the code of the charts. */
export const loadDesigns = lazily(() => import("./designs.ts"));

/** Who looks at the designs, and whether the page runs a version that is not deployed. */
export interface Caller {
  /** Id of the caller; null as long as it is not known. */
  id: string | null;
  isDraft: boolean;
}

const NO_METRICS: readonly string[] = [];

/** Render the charts of a project's designs; designs are read once they are in view. */
export function designsOf(client: Client, project: Project, design: Design, caller: Caller, view: View | null, wanted: Beside, active: boolean) {
  const { parameters, order, values } = design;
  return html`<catenary-designs
    .client=${client}
    .project=${project}
    .parameters=${parameters}
    .metrics=${order?.metrics ?? NO_METRICS}
    .values=${values}
    .caller=${caller}
    .view=${view}
    .wanted=${wanted}
    .active=${active}
  ></catenary-designs>`;
}

declare global {
  interface HTMLElementTagNameMap {
    "catenary-designs": import("./designs.ts").CatenaryDesigns;
  }
}
