// The history of a project's deployments.
import { html, nothing } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { when } from "../state/format.ts";
import type { Models } from "../state/models.ts";
import { common } from "../texts/common.ts";
import { deployments as texts } from "../texts/models.ts";

/** Render deployments, newest first; `older` reads more of them. */
export function deploymentsOf(models: Models, older: () => void) {
  if (models.deployments.length === 0) return nothing;
  return html`<details class="deployments">
    <summary>${texts.title}</summary>
    <ul class="variants">
      ${repeat(
        models.deployments,
        (one) => one.deployment_id,
        (one) => html`<li data-deployment=${one.status}>
          <div class="line"><span class="label">${models.nameOf(one)}</span><span class="soft ${one.status === "failed" ? "bad" : one.status === "active" ? "good" : ""}">${texts.states[one.status]}</span></div>
          <p class="soft">${when(one.created_at)}${one.created_by ? `, ${one.created_by.staff_name}` : nothing}</p>
          ${one.error === null ? nothing : html`<p class="soft">${one.error.message}</p>`}
        </li>`,
      )}
    </ul>
    ${models.hasOlderDeployments ? html`<button class="quiet" @click=${older}>${common.olderOnes}</button>` : nothing}
  </details>`;
}
