// The base of the Studio's elements.
import { LitElement } from "lit";

/** An element whose content takes the page's one style sheet. */
export class LightElement extends LitElement {
  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  /** Tell an event with a detail to the elements around this one. */
  protected tell<Detail>(name: string, detail?: Detail): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true }));
  }
}

/** The message of an error, for people. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
