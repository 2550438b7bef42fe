// Swagger UI, as the reference shows a document with it.
import SwaggerUI, { type Instance, type Request, type System } from "swagger-ui-dist/swagger-ui-es-bundle.js";
import type { Credential } from "../api/client.ts";
import { type OpenApi, tagOf } from "./document.ts";
import { OPERATION, pluginOf } from "./plugin.ts";

// Neither cookies nor what was kept may change an answer.
const intercept = (request: Request): Request => Object.assign(request, { credentials: "omit", cache: "no-store" });

/** Swagger UI in a place of the page. */
export class Viewer {
  private readonly ui: Instance;
  private readonly system: System;
  private shown: OpenApi;
  private credential: Credential | null = null;

  constructor(
    private readonly place: Element,
    document: OpenApi,
    onOpen: (operationId: string) => void,
  ) {
    this.shown = document;
    this.ui = SwaggerUI({
      domNode: place,
      spec: document,
      plugins: [pluginOf(onOpen)],
      requestInterceptor: intercept,
      tryItOutEnabled: true,
      displayRequestDuration: true,
      // A document has up to 30 groups: folded, they are its contents, and few enough to be drawn at once.
      docExpansion: "none",
      defaultModelsExpandDepth: -1,
      // As the guide shows code; its colours are too pale to be read, and take their time for a long answer.
      syntaxHighlight: { activated: false },
      persistAuthorization: false,
      validatorUrl: null,
      deepLinking: false,
    });
    this.system = this.ui.getSystem();
  }

  /** Show another document, or the same one with other values to begin with. */
  show(document: OpenApi): void {
    this.shown = document;
    this.system.specActions.updateSpec(JSON.stringify(document));
    this.authorize(this.credential);
  }

  /** Send a credential with every operation that takes one of its kind; null: none. */
  authorize(credential: Credential | null): void {
    // Nobody is signed out who never signed in: the library fails at that.
    if (this.credential) this.system.authActions.logout([this.credential.kind]);
    this.credential = credential;
    if (credential) this.ui.preauthorizeApiKey(credential.kind, credential.value);
  }

  /** Open an operation and scroll to it; an id that the document doesn't have is passed over. */
  async open(operationId: string): Promise<void> {
    const tag = tagOf(this.shown, operationId);
    if (tag === null) return;
    const { layoutActions } = this.system;
    layoutActions.show(["operations-tag", tag], true);
    layoutActions.show([OPERATION, tag, operationId], true);
    // Where many groups are open, only what is in sight is drawn.
    layoutActions.scrollToVirtualizedOperation([OPERATION, tag, operationId]);
    const element = await this.drawn(`${OPERATION}-${tag}-${operationId}`);
    element?.scrollIntoView();
    element?.querySelector("button")?.focus({ preventScroll: true });
  }

  /** Wait until an element is drawn; null if it never is. */
  private async drawn(id: string): Promise<HTMLElement | null> {
    for (let frame = 0; frame < 300; frame += 1) {
      const found = this.place.querySelector<HTMLElement>(`[id="${id}"]`);
      if (found) return found;
      await new Promise((next) => requestAnimationFrame(next));
    }
    return null;
  }
}
