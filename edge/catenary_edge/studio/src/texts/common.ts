// All words of the page stand in this folder, for review in one place: a file for each part that is loaded by itself or
// belongs together, so that words come with their part; in it a group for each element or subject, in the order of their
// names. A text with a value in it is a function. This file has what several parts use; its group `common` has what stands
// in several elements. The words of units, of the platform's refusals and of the models are not here.

/** Return the word for one or for several. */
export const plural = (number: number, one: string, several: string): string => (number === 1 ? one : several);

export const common = {
  allProjects: "All projects",
  anotherDevice: "Another device",
  cancel: "Cancel",
  close: "Close",
  comment: "Comment",
  comments: "Comments",
  compare: "Compare",
  constraints: "Constraints",
  copied: "Copied.",
  copy: "Copy",
  csv: "CSV",
  delete: "Delete",
  deletes: (name: string) => `Delete ${name}`,
  deletesForAll: (name: string) => `Delete “${name}” for everybody in the project?`,
  deploy: "Deploy",
  deployed: "deployed",
  edit: "Edit",
  fail: "✕ fail",
  guideOfModels: "How to write a model",
  inputs: "Inputs",
  keepIt: "Keep it",
  line: (line: number) => `line ${line}`,
  loading: "Loading…",
  members: "Members",
  metrics: "Metrics",
  models: "Models",
  moment: "A moment…",
  name: "Name",
  notLoaded: "This part of the page could not be loaded. Check the connection, then try again.",
  olderOnes: "Older ones",
  only: (name: string) => `Only ${name}`,
  open: "Open",
  pass: "✓ pass",
  product: "Catenary Studio",
  projects: "Projects",
  remove: "Remove",
  rename: "Rename",
  renames: (name: string) => `Rename ${name}`,
  role: "Role",
  rows: (count: number) => `${count} ${plural(count, "row", "rows")}`,
  run: "Run",
  save: "Save",
  saving: "Saving…",
  sending: "Sending…",
  share: "Share",
  signIn: "Sign in",
  signingIn: "Signing in…",
  tryAgain: "Try again",
  unnamedModel: "Model",
  variants: "Variants",
  wholeProject: "the whole project",
} as const;

export const client = {
  refused: (status: number) => `The server answered with status ${status}.`,
  signInAgain: "Sign in again.",
  unreachable: "The server can't be reached. Check the connection, then try again.",
} as const;

export const live = { large: "The values of this design are too large to be sent live." } as const;

export const once = {
  copyByKeys: "Press Ctrl+C to copy it.",
} as const;

export const values = { on: "on", off: "off", yes: "yes", no: "no" } as const;
