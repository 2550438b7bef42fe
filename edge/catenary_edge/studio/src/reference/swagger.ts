// Swagger UI, as the reference shows a document with it.
import SwaggerUI, { type Instance, type Request, type System } from "swagger-ui-dist/swagger-ui-es-bundle.js";
import type { Credential } from "../api/client.ts";
import { type OpenApi, tagOf } from "./document.ts";
import { OPERATION, pluginOf } from "./plugin.ts";

// Neither cookies nor what was kept may change an answer.
const intercept = (request: Request): Request => Object.assign(request, { credentials: "omit", cache: "no-store" });

/** How long an operation is kept in sight after it was opened. */
const HELD_MILLISECONDS = 3000;
/** Frames of the browser: how many an operation may take to be drawn, and between two attempts to scroll to it. */
const [MOST_FRAMES, ASKED_FRAMES] = [600, 15];

/** Swagger UI in a place of the page. */
export class Viewer {
  private readonly ui: Instance;
  private readonly system: System;
  private shown: OpenApi;
  private credential: Credential | null = null;
  private release: () => void = () => undefined;

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
    this.release();
    const thing = [OPERATION, tag, operationId];
    this.system.layoutActions.show(["operations-tag", tag], true);
    this.system.layoutActions.show(thing, true);
    const element = await this.drawn(thing);
    if (element === null) return;
    element.querySelector("button")?.focus({ preventScroll: true });
    this.hold(element);
  }

  /** Keep an operation at the top of the window while others before it are still being drawn, or until somebody does something. */
  private hold(element: Element): void {
    const ended = new AbortController();
    const growth = new ResizeObserver(() => element.scrollIntoView());
    growth.observe(this.place);
    const release = (): void => {
      growth.disconnect();
      ended.abort();
    };
    for (const name of ["wheel", "pointerdown", "keydown"]) addEventListener(name, release, { signal: ended.signal });
    setTimeout(release, HELD_MILLISECONDS);
    this.release = release;
  }

  /** Wait until an operation is drawn; null if it never is. */
  private async drawn(thing: readonly string[]): Promise<HTMLElement | null> {
    for (let frame = 0; frame < MOST_FRAMES; frame += 1) {
      const found = this.place.querySelector<HTMLElement>(`[id="${thing.join("-")}"]`);
      if (found) return found;
      // Where many groups are open, only what is in sight is drawn; while Swagger UI turns to that, it doesn't hear at once.
      if (frame % ASKED_FRAMES === 0) this.system.layoutActions.scrollToVirtualizedOperation(thing);
      await new Promise((next) => requestAnimationFrame(next));
    }
    return null;
  }
}
