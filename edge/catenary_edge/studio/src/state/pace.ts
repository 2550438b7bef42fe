// Whether a model is fast enough to follow a slider, or is computed when the slider is let go.

const SLOW_MS = 1000;
const FAST_MS = 500;

/** Keeps whether a model is slow: over a second for a design, until one takes less than half of that. */
export class Pace {
  isSlow = false;
  /** The time of the newest design in milliseconds. */
  last = 0;

  /** Note that a design that is still computed has taken so long. */
  exceed(milliseconds: number): void {
    this.last = milliseconds;
    this.isSlow = true;
  }

  note(milliseconds: number): void {
    this.last = milliseconds;
    if (milliseconds > SLOW_MS) this.isSlow = true;
    else if (milliseconds < FAST_MS) this.isSlow = false;
  }
}
