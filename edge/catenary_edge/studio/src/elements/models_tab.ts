// The models of a project where the page shows them: a tab, or the page of a project without a deployed model.
import { html, nothing } from "lit";
import type { Client } from "../api/client.ts";
import { modelCalls } from "../api/models.ts";
import type { ModelVersion, Project } from "../api/types.ts";
import { common } from "../texts/common.ts";
import { modelsTab as texts } from "../texts/page.ts";
import { lazily } from "./lazily.ts";

/** Load the code of the models. */
export const loadModels = lazily(() => import("./models.ts"));

/** Return what an address names a draft by; null without one. */
export function draftKey(draft: ModelVersion | null): string | null {
  return draft && `${draft.model_id}.${draft.model_version_id}`;
}

/** Read the draft that an address names; null for one that can't be run, or not by the caller. */
export async function draftNamed(client: Client, projectId: string, key: string): Promise<ModelVersion | null> {
  const [model_id = "", model_version_id = ""] = key.split(".");
  const found = await modelCalls(client, projectId).version({ model_id, model_version_id }, 0).catch(() => null);
  return found?.status === "ready" ? found : null;
}

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
    <p>${mayEdit ? texts.noneYours : texts.none}</p>
    ${client.isLink ? nothing : modelsOf(client, project, callerId, true, null)}
    ${mayEdit ? html`<p class="soft">${texts.fromTerminal} <code>${texts.command(project.project_id)}</code></p>` : nothing}
    <p><a href="#">${common.allProjects}</a></p>
  </section>`;
}

/** Render what says that the page runs a version that is not deployed. */
export function draftOf(draft: ModelVersion | null, hasDeployed: boolean, leave: () => void, deploy: () => void) {
  if (draft === null) return nothing;
  return html`<div class="draft" role="status">
    <span><strong>${texts.draft}</strong>${texts.draftAbout(draft.number)}</span>
    <button @click=${deploy}>${texts.deployIt}</button>
    <button class="quiet" @click=${leave}>${hasDeployed ? texts.back : texts.leave}</button>
  </div>`;
}
