// The editor of a model's source.

export const code = { title: "Source of the model" } as const;

export const editor = {
  changed: (number: number) => `Changed since version ${number}`,
  check: "Check as draft",
  checking: "Checking…",
  checkKeys: "Ctrl+S",
  closing: "Close the editor",
  draft: "a draft",
  draftHere: "a draft that runs here",
  failed: (number: number) => `Version ${number} failed its check`,
  goOn: "Go on from my text",
  keepAside: "Keep my text aside and open it",
  keepWriting: "Keep writing",
  keys: "Ctrl+S checks the text as a new version. Escape, then Tab, leaves the text.",
  newer: (number: number, person: string) => `Version ${number} was uploaded meanwhile${person && ` by ${person}`}.`,
  openIt: "Open it",
  opening: "Opening the source…",
  ready: (number: number, place: string) => `Version ${number}, ready, ${place}`,
  roleEnded: "Your role does not let you change models any more. Copy your text if you need it.",
  runHint: "Check it, then run it with the inputs of this page, for you alone",
  source: (name: string) => `Source of ${name}`,
  throwAway: "Throw away",
  unsaved: "Your changes are in no version yet. Throw them away?",
} as const;
