// When a lost connection is tried again: soon at first, then ever more rarely.

const FIRST_MS = 500;
export const LONGEST_MS = 30_000;

/** Return the milliseconds to wait after a number of attempts that failed, spread so that many pages don't come at once. */
export function pauseAfter(attempts: number): number {
  return Math.min(LONGEST_MS, FIRST_MS * 2 ** attempts) * (0.75 + Math.random() / 2);
}
