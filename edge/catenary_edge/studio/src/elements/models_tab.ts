// The models of a project where the page shows them: a tab, or the page of a project without a deployed model.
import { html, nothing } from "lit";
import type { Client } from "../api/client.ts";
import type { ModelVersion, Project } from "../api/types.ts";
import { lazily } from "./lazily.ts";

/** Load the code of the models. */
export const loadModels = lazily(() => import("./models.ts"));

/** Render the models of a project; they are read once they are in view. */
export function modelsOf(client: Client, project: Project, callerId: string | null, active: boolean, runId: string | null) {
  return html`<catenary-models .client=${client} .project=${project} .callerId=${callerId} .active=${active} .runId=${runId}></catenary-models>`;
}

/** Render the page of a project without a deployed model. */
export function startOf(client: Client, project: Project, callerId: string | null, notice: string) {
  const mayEdit = project.role === "editor" || project.role === "owner";
  return html`<section class="page start">
    <h1>${project.name}</h1>
    ${notice ? html`<p class="notice" role="status">${notice}</p>` : nothing}
    <p>${mayEdit ? "No model is deployed to this project yet. Give it one, and its sliders appear here." : "No model is deployed to this project yet. An editor or owner of the project does that."}</p>
    ${client.isLink ? nothing : modelsOf(client, project, callerId, true, null)}
    ${mayEdit ? html`<p class="soft">From a terminal: <code>catenary model push my_model.py --project ${project.project_id} --deploy</code></p>` : nothing}
    <p><a href="#">All projects</a></p>
  </section>`;
}

/** Render what says that the page runs a version that is not deployed. */
export function draftOf(draft: ModelVersion | null, hasDeployed: boolean, leave: () => void, deploy: () => void) {
  if (draft === null) return nothing;
  return html`<div class="draft" role="status">
    <span><strong>Draft</strong>: version ${draft.number} runs here for you alone; it is not deployed.</span>
    <button @click=${deploy}>Deploy it</button>
    <button class="quiet" @click=${leave}>${hasDeployed ? "Back to the deployed version" : "Leave the draft"}</button>
  </div>`;
}
