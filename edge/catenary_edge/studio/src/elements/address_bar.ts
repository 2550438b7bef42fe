// The page's address as its design changes: written after a pause, since browsers forbid to write it all the time.
const PAUSE_MS = 300;

export class AddressBar {
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** Begin without anything to write; `written` gives a fragment in place of the present one, or null to leave that. */
  constructor(private readonly written: (fragment: string) => string | null) {}

  /** Note that the design, or what is shown of it, may have changed. */
  note(): void {
    this.timer ??= setTimeout(() => this.write(), PAUSE_MS);
  }

  /** Leave the address as it is. */
  close(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private write(): void {
    this.timer = undefined;
    // A click on a link changes the fragment at once, and tells of it later: until then the page before still stands.
    const fragment = this.written(location.hash);
    if (fragment !== null && fragment !== location.hash) history.replaceState(null, "", fragment);
  }
}
