// The list of stored evaluations.

export const evaluation = {
  broken: (broken: number, all: number) => `✕ ${broken} of ${all} fail`,
  allDefaults: "All values as the model gives them",
  andMore: (number: number) => ` and ${number} more`,
  changed: "changed",
  states: { queued: "waiting", running: "running", failed: "failed", timed_out: "took too long", cancelled: "cancelled" } as Readonly<Record<string, string>>,
} as const;

export const evaluations = {
  about: "Stored evaluations of this version, newest first. A click opens one.",
  loading: "Loading the evaluations…",
  none: "Nobody has stored an evaluation of this version yet. Keep a design, and it stands here.",
  shown: "shown",
} as const;
