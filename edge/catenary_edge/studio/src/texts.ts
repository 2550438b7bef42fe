// All words of the page, for review in one place: a group for each element or subject, in the order of their names.
// A text with a value in it is a function. `common` has what stands in several elements. The words of units, of the
// platform's refusals and of the models are not here.

/** Return the word for one or for several. */
const plural = (number: number, one: string, several: string): string => (number === 1 ? one : several);

export const common = {
  allProjects: "All projects",
  anotherDevice: "Another device",
  cancel: "Cancel",
  close: "Close",
  comment: "Comment",
  comments: "Comments",
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

export const candidates = { objective: (number: number) => `Objective ${number}` } as const;

export const chart = {
  kinds: { line: "Line chart", bar: "Bar chart", scatter: "Scatter chart" },
  spoken: (kind: string, up: string, across: string, table: string) => `${kind} of ${up} by ${across}; its numbers are in the table ${table}.`,
} as const;

export const charts = { notLoaded: "The charts can't be loaded. Check the connection, then load the page again." } as const;

export const client = {
  refused: (status: number) => `The server answered with status ${status}.`,
  signInAgain: "Sign in again.",
  unreachable: "The server can't be reached. Check the connection, then try again.",
} as const;

export const code = { title: "Source of the model" } as const;

export const comparison = {
  title: "Comparison",
  against: (name: string) => `Differences are against ${name}.`,
} as const;

export const compose = {
  empty: "Write a text first.",
  keys: "Ctrl+Enter sends",
  mention: (mentioned: number) => (mentioned > 0 ? `Mention (${mentioned})` : "Mention somebody"),
  people: "Who is told",
  pickPlace: "Pick a place",
  placePicked: "A place is picked",
  withoutPlace: "Without it",
} as const;

export const cube = { sides: [["left", "right"], ["front", "back"], ["bottom", "top"]] } as const;

export const deployments = {
  title: "Deployments",
  states: { pending: "waits for the check", active: "active", retired: "ended", failed: "failed" },
} as const;

export const design = {
  cancelled: "The evaluation was cancelled.",
  failed: (state: string, message: string, line: string) => `The model ${state}${message && `: ${message}`}${line}`,
  line: (line: number) => ` (line ${line})`,
  noResult: "gave no result",
  states: { failed: "failed", timed_out: "took too long" } as Readonly<Record<string, string>>,
} as const;

export const designChart = {
  kinds: { parallel: "Parallel coordinates", scatter: "Scatter", scatter_matrix: "Scatter matrix", line: "Lines", bar: "Bars" },
  kind: "Kind of chart",
  across: "Across",
  axes: (number: number) => `Axes (${number})`,
  colour: "Colour",
  colourBy: "Colour by",
  few: (kind: string, axes: number) => `${kind} need at least ${axes} axes that these designs have. Choose them under Axes.`,
  notLoaded: "The chart can't be loaded. Check the connection, then load the page again.",
  ofAllAlike: "of all alike",
  remove: (kind: string) => `Remove the chart: ${kind}`,
  scatter: (up: string, across: string) => `Scatter chart of ${up} by ${across}; the numbers are in the table of designs.`,
  means: (kind: "line" | "bar", up: string, across: string) => `${kind === "line" ? "Line" : "Bar"} chart of the mean of ${up} by ${across}; the numbers are in the table of designs.`,
  up: "Up",
} as const;

export const designPlot = {
  mean: "Mean",
  meanOf: (column: string) => `Mean of ${column}`,
} as const;

export const designTable = {
  title: "Table of designs",
  more: (rows: number, all: string) => `Show ${rows} more of ${all}`,
  number: "No.",
  open: (number: number) => `Open design ${number}`,
  passing: "Designs that pass all filters",
  save: "Save the designs as CSV",
} as const;

export const designs = {
  title: "Many designs",
  addChart: "Add a chart",
  addChartHint: "Add a chart…",
  breaking: (number: number, shown: string) => `${shown} of them ${plural(number, "breaks", "break")} a constraint, drawn grey.`,
  chosen: "Chosen design",
  clearFilters: "Clear filters",
  design: (number: string) => `Design ${number}`,
  evaluator: "Nobody has evaluated a design of this version yet. Move a slider and keep the design, or evaluate many at once:",
  evaluatorCommand: (projectId: string) => `catenary batch ${projectId} --plan sobol --size 200`,
  failedAll: "None of these designs has a result: the model failed for all of them.",
  feasibleOnly: "Only those that meet all constraints",
  filters: "Filters",
  gone: "The designs that were wanted are no more. Shown are others.",
  hits: (passing: string, all: number, shown: string) => `${passing} of ${shown} ${plural(all, "design", "designs")}`,
  leftOut: (what: string) => `Left out: ${what}.`,
  most: (number: string) => `Shown are ${number} designs, the most that the page reads.`,
  noFilters: "No filters",
  noHits: "No design passes all filters. Widen one, or clear them.",
  none: "There are no designs here.",
  noResultYet: "No design has a result yet.",
  notAll: "Not all designs were read. Read again for all of them.",
  of: "Designs of",
  openAgain: "Open again",
  otherVersion: "These are designs of another version of the model. Opening one takes the values that fit this version.",
  readAgain: "Read again",
  reading: "Reading the designs…",
  removeFilter: "Remove this filter",
  removeFilterHeard: ": remove the filter",
  soFar: " so far…",
  stop: "Stop",
  unfinished: (number: string) => `${number} not finished`,
  viewer: "Nobody has evaluated a design of this version yet. Those who may evaluate make them, one by one or as a batch.",
  withoutChoice: "Click a line, a point or a number of the table: the values of that design stand here, and the view shows it.",
  withoutResult: (number: string) => `${number} without a result`,
} as const;

export const device = {
  about: (until: string) => `Whoever opens it is signed in as you, so give it to nobody. It works once, until ${until}, and not after you sign out here.`,
  address: "Address for your other device",
  make: "Make the address",
  what: "An address signs you in on your phone or on another computer, without a password.",
} as const;

export const discussion = {
  commentOn: (name: string) => `Comment on ${name}`,
  commentOnProject: "Comment on the project",
  commentsOn: "Comments on",
  filter: "Which threads",
  loading: "Loading comments…",
  marker: (sign: string, content: string) => `Comment ${sign}: ${content}`,
  noOpen: "No open comments.",
  noOpenWriter: "No open comments. Write the first one, with a place on the model if you like.",
  noResolved: "No thread is resolved.",
  onVariant: (name: string) => `On the variant ${name}`,
  resolved: "Resolved",
  theVariant: "the variant",
  yourPlace: "The place of your comment",
} as const;

export const downloads = {
  title: "Downloads",
  download: (label: string, file: string) => `${label}: download ${file}`,
  none: (file: string) => `This design has no ${file}.`,
  stl: (unit: string) => `STL in ${unit}`,
} as const;

export const editing = {
  empty: "The text is empty: write the model first.",
  large: (size: string) => `A file of ${size} is changed outside: download it, and drop the new one here.`,
  newer: (number: number) => `Version ${number} was uploaded meanwhile: open it, or say that you go on from your text.`,
  zip: "A zip is changed outside: download it, and drop the new one here.",
} as const;

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

export const fileInput = {
  ofBefore: "a file of before",
  modelsOwn: "the model's own",
  noneChosen: "none chosen",
  upload: "Upload",
  uploadFor: (label: string) => `${label}: upload a file`,
  uploading: "Uploading…",
} as const;

export const filters = {
  from: (least: string) => `from ${least}`,
  fromTo: (least: string, most: string) => `${least} to ${most}`,
  to: (most: string) => `to ${most}`,
} as const;

export const geometry = {
  lacksArray: "The geometry lacks an array.",
  noGlb: "The geometry is no GLB file.",
  unknownArray: "The geometry has an array of an unknown type.",
} as const;

export const input = {
  coordinate: (unit: string) => `Each coordinate must be a number, such as 3.5 or 3,5${unit && `, in ${unit}`}.`,
  number: "Must be a number, such as 3.5 or 3,5.",
  quantity: (unit: string) => `Must be a number, with or without a unit, such as 3,5 ${unit}.`,
} as const;

export const inputFiles = {
  empty: "The file is empty.",
  ending: (endings: readonly string[]) => `The name must end with ${endings.join(" or ")}.`,
  large: (most: string, size: string) => `The file must have at most ${most} bytes; it has ${size}.`,
} as const;

export const inputs = {
  none: "The model has no parameters.",
  parameters: "Parameters",
  /** What is said to those who may not evaluate, by their role or by what shows them the design. */
  readers: {
    link: "A link shows a design, and changes nothing.",
    shared: "You see this design alone. Its values can be looked at, and not changed.",
    viewer: "You may look at this project: here is its newest design. To change it you need the role evaluator, which an owner gives.",
  },
  redo: "Redo",
  redoKeys: "Ctrl+Shift+Z",
  reset: "Reset",
  undo: "Undo",
  undoKeys: "Ctrl+Z",
} as const;

export const live = { large: "The values of this design are too large to be sent live." } as const;

export const matrix = {
  title: (names: string) => `Scatter plots of every two of ${names}; their numbers are in the table of designs.`,
} as const;

export const measuring = {
  title: "Dimensions",
  along: { x: (length: string) => `ΔX ${length}`, y: (length: string) => `ΔY ${length}`, z: (length: string) => `ΔZ ${length}` },
  done: "Done",
  earlier: "of an earlier design",
  first: "Click the first place.",
  remove: (length: string) => `Remove ${length}`,
  removeAll: "Remove all",
  /** What is told of the search for edges. */
  search: {
    done: "",
    seeking: "Looking for edges…",
    many: "This model has too many edges for their ends to be taken.",
    failed: "Ends of edges of large parts can't be found in this browser.",
  },
  second: "Click the second place.",
} as const;

export const members = {
  address: "Address of the invitation",
  addressAbout: "It is not shown again. Pass it on to the person: it works once, for whoever opens it first.",
  byShare: (role: string, until: string) => `${role} by a share${until && ` until ${until}`}`,
  email: "E-mail address",
  invite: "Invite",
  invited: "Invited",
  inviteSomebody: "Invite somebody",
  loading: "Loading the members…",
  nothingSent: "Nothing is sent: you get an address to pass on.",
  of: (project: string) => `Members of ${project}`,
  open: (role: string, until: string) => `${role} · until ${until}`,
  remove: (name: string) => `Remove ${name}`,
  removing: (name: string) => `Remove ${name} from the project, with what is shared with them?`,
  revoke: "Revoke",
  revokeOf: (name: string) => `Revoke the invitation of ${name}`,
  revoking: (name: string) => `Revoke the invitation of ${name}? Its address then works no more.`,
  roleOf: (name: string) => `Role of ${name}`,
  team: "team",
} as const;

export const modelFiles = {
  empty: (file: string) => `“${file}” is empty: save the model in it, then choose it again.`,
  large: (file: string, size: string) => `“${file}” has ${size}; a model's file has at most 64 MiB. Leave out data that it does not need.`,
  unknown: (file: string) => `“${file}” can't be a model: choose a Python file (.py), an OpenSCAD file (.scad) or a zip (.zip).`,
} as const;

export const modelNames = {
  deletedModel: "A deleted model",
  deletedVersion: (model: string) => `${model}, a deleted version`,
  noFile: "There is no file to send: choose one.",
  version: (model: string, number: number) => `${model}, version ${number}`,
} as const;

export const modelVersion = {
  agreed: "Two evaluations of its defaults agreed.",
  deletes: (number: number) => `Delete version ${number}`,
  deleting: (number: number) => `Delete version ${number} for everybody in the project? Its evaluations stay.`,
  deploys: (number: number) => `Deploy version ${number}`,
  differed: "Two evaluations of its defaults differed: the model is not deterministic.",
  download: "Download",
  downloads: (number: number) => `Download version ${number}`,
  edits: (number: number) => `Edit version ${number}`,
  faults: "Further faults",
  inputs: (number: number) => `${number} ${plural(number, "input", "inputs")}`,
  log: "Log",
  logs: (number: number) => `Log of version ${number}`,
  notDeployed: (reason: string) => `It was not deployed: ${reason}`,
  noReason: "no reason is known.",
  printedNothing: "The check printed nothing.",
  remarks: "Remarks of the check",
  rollBack: "Roll back to this",
  rollsBack: (number: number) => `Roll back to version ${number}`,
  runHint: "Try it with the inputs of this page, for you alone",
  runs: (number: number) => `Run version ${number}`,
  runsHere: "runs here",
  states: { uploaded: "waits for its check", checking: "is being checked…", ready: "ready", failed: "failed" },
  undeploy: "Undeploy",
  undeploying: (number: number) => `Undeploy version ${number} for everybody in the project? Nothing can be evaluated then, until a version is deployed.`,
  undeploys: (number: number) => `Undeploy version ${number}`,
  version: (number: number) => `Version ${number}`,
  waits: "It is deployed as soon as its check has succeeded.",
} as const;

export const models = {
  create: "Create the model",
  deleting: (name: string) => `Delete “${name}” with all its versions for everybody in the project? Evaluations stay.`,
  dropHere: "It has no version yet. Drop its file here.",
  loading: "Loading the models…",
  nameOf: "Name of the model",
  newByName: "New model by name",
  newVersion: "New version",
  newVersionOf: (name: string) => `New version of ${name}`,
  none: "There is no model yet. Editors and owners of the project upload them.",
  noVersion: "It has no version yet.",
  older: (number: number) => `${number} older ${plural(number, "version", "versions")}`,
  sendAgain: (file: string) => `Send “${file}” again`,
} as const;

export const modelsTab = {
  back: "Back to the deployed version",
  command: (projectId: string) => `catenary model push my_model.py --project ${projectId} --deploy`,
  deployIt: "Deploy it",
  draft: "Draft",
  draftAbout: (number: number) => `: version ${number} runs here for you alone; it is not deployed.`,
  fromTerminal: "From a terminal:",
  leave: "Leave the draft",
  none: "No model is deployed to this project yet. An editor or owner of the project does that.",
  noneYours: "No model is deployed to this project yet. Give it one, and its sliders appear here.",
} as const;

export const namedViews = { front: "Front", back: "Back", left: "Left", right: "Right", top: "Top", bottom: "Bottom", isometric: "Isometric" } as const;

export const notifications = {
  title: "Notifications",
  none: "Nothing yet. Comments, mentions and shares of others are told here.",
  readAll: "Mark all as read",
  unread: "Unread. ",
  withCount: (unread: number) => `Notifications, ${unread} unread`,
} as const;

export const once = {
  copyByKeys: "Press Ctrl+C to copy it.",
} as const;

export const outputs = {
  first: "The first result comes in a moment.",
  lastGood: " Shown is the last design that worked.",
  log: "The model's log",
} as const;

export const parallel = {
  title: (names: string) => `Parallel coordinates of ${names}`,
  hint: "Drag along an axis to filter, or type bounds. A click on a line opens its design.",
} as const;

export const parts = {
  title: "Parts",
  beside: (name: string) => `Show all beside ${name}`,
  close: "Close the list of parts",
  colour: (name: string) => `Colour of ${name}`,
  filter: "Filter",
  filterParts: "Filter parts",
  more: (number: number) => `${number} more. Type a part of the name to find them.`,
  none: "No part has this text in its name.",
  resetColour: (name: string) => `Reset the colour of ${name}`,
  show: (name: string) => `Show ${name}`,
  showAll: "Show all",
  zoom: (name: string) => `Zoom to ${name}`,
} as const;

export const picking = {
  beside: "That was beside the model. Click on the model.",
  click: "Click the place on the model.",
  middle: "Middle of the view",
} as const;

export const picture = { none: "No picture", waiting: "Drawing…" } as const;

export const project = {
  title: (name: string) => `${name} · Catenary Studio`,
  deployedNoMore: "The model is deployed no more.",
  keep: "Keep this design",
  keepHint: "Store this design as an evaluation of the project",
  keeping: "Keeping…",
  kept: "✓ Kept",
  loading: "Loading the project…",
  none: "Nobody has evaluated a design of this model yet.",
  otherVersion: "Another version of the model was deployed; your values were kept where they fit it.",
  roleEnded: "Your role in this project has ended.",
  sharedByLink: "Shared by a link",
  sharedWithYou: "Shared with you",
} as const;

export const projects = {
  pageTitle: "Projects · Catenary Studio",
  command: "catenary model push my_model.py --project PROJECT_ID --deploy",
  create: "Create the project",
  creating: "Creating…",
  fromTerminal: "From a terminal, in place of both:",
  loading: "Loading projects…",
  nameOf: "Name of the project",
  newProject: "New project",
  noDescription: "No description",
  noModel: "no model deployed",
  none: "There is no project yet that you may see. Make one: its page then takes a model, or gives you an example to start with.",
  quickStart: "Quick start",
} as const;

export const provider = {
  noToken: (name: string) => `${name} gave no token. Sign in again.`,
  unreachable: (name: string) => `${name} can't be reached now. Try again later.`,
  noSignIn: "This answer belongs to no sign-in of this tab. Sign in again.",
  notSignedIn: "The identity provider could not sign you in. Try again, or ask who runs this server.",
  refused: "The sign-in was refused or cancelled at the identity provider.",
  signedOut: (name: string) => `You have signed out here and come back from ${name}.`,
} as const;

export const results = {
  againstFirst: "Changes are against the first design.",
  againstPinned: "Changes are against the pinned design.",
  none: "The model gives no metrics.",
  pin: "Pin this design",
  pinHint: "Show changes against this design",
  pinned: "This is the pinned design.",
  unpin: "Unpin",
} as const;

export const savedViews = {
  title: "Saved views",
  about: "No view is saved yet. A saved view keeps camera, section, hidden parts, colours and the charts of designs for everybody in the project.",
  button: (verb: string, view: string) => `${verb}: ${view}`,
  change: (view: string) => `Change ${view}`,
  changeHint: "Change this view",
  charts: (number: number) => `${number} ${plural(number, "chart", "charts")}`,
  chartsHint: "Charts of designs, under Designs",
  close: "Close the saved views",
  default: "Default",
  defaultHint: "It opens with the project",
  lacks: (names: string) => `The deployed version lacks ${names}. A change drops that from the view.`,
  makeDefault: "Make default",
  none: "Nobody has saved a view yet.",
  notDefault: "No longer default",
  nothingShown: "There is no geometry and no chart whose view could be kept.",
  replace: "Replace",
  replacing: (view: string) => `Replace “${view}” with what is shown, for everybody in the project?`,
  save: "Save view",
} as const;

export const section = {
  title: "Section",
  axes: {
    x: { label: "X", about: "Across the X axis" },
    y: { label: "Y", about: "Across the Y axis" },
    z: { label: "Z", about: "Across the Z axis, as a plan" },
    view: { label: "As I look", about: "Across the present direction of view" },
  },
  depth: "Depth",
  direction: "Direction of the section",
  end: "End the section",
  flip: "Flip",
  flipHint: "Cut away the other side",
  length: "Must be a length, like 2.5 or 300 mm.",
  place: "Place of the section",
} as const;

export const shares = {
  address: "Address of the link",
  addressAbout: "It is not shown again. Treat it as a password: who has it sees what it shows.",
  aLink: "Everybody who has a link",
  aPerson: "A person",
  aTeam: "A team",
  chooseOne: "Search for a person and choose one.",
  end: "End",
  ending: (name: string) => `End the share with ${name}? That takes up to five seconds.`,
  endingLink: "End this link? It then shows nothing any more. That takes up to five seconds.",
  endIt: "End it",
  ends: (name: string) => `End the share with ${name}`,
  endTheShare: "End the share",
  found: "Who was found",
  linkAbout: "Who has the link looks at it without signing in, and changes nothing. It shows nobody's name.",
  loading: "Loading shares…",
  makeLink: "Make a link",
  nobody: "Nobody was found.",
  none: "Nobody yet. Members of the project are not in this list.",
  of: (name: string) => `Share ${name}`,
  person: "Person",
  roles: {
    viewer: "viewer: looks at it",
    evaluator: "evaluator: changes designs, saves variants, comments",
    editor: "editor: also models and what others made",
    owner: "owner",
  },
  /** What is said of an evaluator where a variant alone is shared. */
  evaluatorOfVariant: "evaluator: looks at it and comments",
  share: (role: string, what: string, until: string, made: string) => `${role} · ${what}${until && ` · until ${until}`} · made ${made}`,
  sharedWith: "Shared with",
  short: "Three characters or more of a name or an e-mail address.",
  team: "Team",
  until: "Until, if it is to end",
  what: "What",
  whatOne: "one variant",
  whatOnly: (variant: string) => `only ${variant}`,
  wholeProject: "The whole project",
  whoHasLink: "Everybody who has the link",
  with: "With",
} as const;

export const sharing = {
  ended: "This variant is shared with you no more.",
  noComments: "You may not comment on this variant any more. Your text is kept here until you leave.",
  past: "The end must be a time in the future.",
} as const;

export const signIn = {
  about: "Change a parametric design with sliders, and see its geometry and numbers follow.",
  apiKey: "API key",
  by: (name: string) => `Sign in with ${name}`,
  byClient: "Sign in with a client or an API key",
  client: "Client",
  clientId: "Client id",
  clientSecret: "Client secret",
  notStored: "Nothing is stored: a reload of the page signs you out.",
  openDemo: "Open the demo",
  opening: "Opening…",
  with: "Sign in with",
} as const;

export const sources = {
  batch: (which: string) => `Batch of ${which}`,
  designs: (number: number, shown: string, when: string, status: string) => `${shown} ${plural(number, "design", "designs")}, ${when}${status && ` (${status})`}`,
  front: (which: string) => `Front of the study: ${which}`,
  least: (name: string) => `least ${name}`,
  most: (name: string) => `most ${name}`,
  named: (name: string, source: string) => `${name} (${source})`,
  sensitivity: (which: string, objectives: string) => `Sensitivity of ${which}: ${objectives}`,
  stopped: {
    seconds: "The study ended before its budget was used: its time was over.",
    stalled_generations: "The study ended before its budget was used: its last generations found nothing better.",
  },
  stored: "Stored evaluations of this version",
  study: (which: string, objectives: string) => `Study of ${which}: ${objectives}`,
} as const;

export const status = {
  computing: "Computing…",
  connection: {
    connecting: "Connecting…",
    open: "Live",
    again: "Connection lost, connecting again…",
    resting: "Live when you go on",
    unavailable: "Not live: computed when a slider rests",
    ended: "",
  },
  progress: "Progress",
  slow: (seconds: string) => `A design of this model takes about ${seconds} s. It is computed when you let go of a slider.`,
  waiting: "Waiting for a worker…",
  whenLetGo: "Computed when you let go",
} as const;

export const studio = {
  api: "API",
  documentation: "Documentation",
  endedLink: "This link shows nothing any more: it was ended, or its time is over. Ask whoever gave it to you for another one.",
  endedSession: "Your sign-in has ended. Sign in again to go on; your design is kept.",
  guide: "Guide",
  name: "Catenary",
  openingLink: "Opening the link…",
  sharedDesign: "A shared design",
  signInInstead: "Sign in instead",
  signOut: "Sign out",
  unknownProvider: "This server knows the identity provider no more.",
} as const;

export const tableEntry = {
  boolean: (column: string) => `${column} must be true or false.`,
  integer: (column: string, unit: string) => `${column} must be a whole number${unit && `, as in 3,5 ${unit}`}.`,
  number: (column: string, unit: string) => `${column} must be a number${unit && `, as in 3,5 ${unit}`}.`,
} as const;

export const tableInput = {
  addRow: "Add a row",
  cell: (column: string, row: number) => `${column}, row ${row}`,
  edit: (label: string) => `${label}: edit the table`,
  fault: (row: number, message: string, more: number) => `Row ${row}: ${message}${more > 0 ? ` ${more} more cells are wrong.` : ""}`,
  first: (rows: number, all: number) => `The first ${rows} of ${all} rows are shown. Paste into the first cell to replace them.`,
  paste: "Paste from a spreadsheet into a cell: its rows and columns go down and to the right.",
  removeRow: "Remove row",
  removeRowOf: (row: number) => `Remove row ${row}`,
  take: "Take the table",
} as const;

export const tables = {
  copyOf: (table: string) => `Copy ${table}`,
  none: "The table has no rows.",
  notAllowed: "The browser does not allow copying here; save it as CSV.",
  save: (table: string) => `Save ${table} as CSV`,
  showAll: (rows: number) => `Show all ${rows} rows`,
} as const;

export const thread = {
  changed: " · changed",
  deletedComment: "a deleted comment",
  deleting: "Delete this comment for everybody?",
  deletingFirst: "Delete this comment for everybody? Its replies stay.",
  deletion: "Delete the comment",
  firstDeleted: "The first comment was deleted.",
  newer: "Somebody changed this comment meanwhile. It now says:",
  newerAbout: "Saving puts your text in its place.",
  onVariant: "On the variant",
  openReplies: (number: number) => `Open, ${number} ${plural(number, "reply", "replies")}`,
  reopen: "Reopen",
  reply: "Reply",
  resolve: "Resolve",
  resolved: (person: string) => `resolved${person && ` by ${person}`}`,
  somebody: "Somebody",
  to: (people: string) => `To ${people}`,
  toClose: (person: string) => `Close the thread of ${person}`,
  toOpen: (person: string) => `Open the thread of ${person}`,
  yourText: "Your text",
} as const;

export const upload = {
  choose: "Choose a file",
  deploy: "Deploy it when its check succeeds",
  drop: "Drop a model's file here",
  example: "Start with an example: a beam",
  exampleLost: "The example could not be loaded. Check the connection, then try again.",
  file: "File of a model",
  kinds: "Python (.py), OpenSCAD (.scad) or a zip, up to 64 MiB. Its name says of which model it is a version.",
  noModel: "No model at hand?",
  one: "One file at a time: a model of several files is a zip.",
  sending: (file: string) => `Sending “${file}”…`,
} as const;

export const upright = {
  atLeast: (column: string) => `${column}: at least`,
  atMost: (column: string) => `${column}: at most`,
  bound: "Type a number, such as 3.5, or nothing for no bound.",
  move: (column: string) => `${column}. Drag it, or press the left or right arrow key, to move the axis.`,
  moveHeard: ": moved by the arrow keys",
  show: (category: string) => `Show designs with ${category}`,
} as const;

export const values = { on: "on", off: "off", yes: "yes", no: "no" } as const;

export const variants = {
  compare: "Compare",
  compareFew: "Compare 2 to 4 of them",
  compareThese: (number: number) => `Compare ${number}`,
  computing: "It is being computed.",
  failed: "Its evaluation failed.",
  loading: "Loading variants…",
  none: "Nobody has saved a design yet.",
  noneYours: "No design is saved yet. A saved design keeps its values, numbers and geometry for good.",
  note: "Note",
  openDesign: "Open this design",
  save: "Save as variant",
  toCompare: (name: string) => `Compare ${name}`,
} as const;

export const viewCube = {
  title: "View cube",
  home: "Home view",
  homeHint: "Home view (Home)",
} as const;

export const viewTools = {
  title: "View",
  about: "Named views, projection, edges and background",
  backgrounds: { page: "Page ground", light: "Light ground", dark: "Dark ground" },
  edges: "Edges",
  fit: "Fit",
  fitHint: "Bring all into view (F)",
  hiddenParts: "Hidden parts",
  projections: { perspective: "Perspective", orthographic: "Orthographic" },
  tools: {
    views: { label: "Saved views", about: "Open and save views of this project" },
    parts: { label: "Parts", about: "Hide, isolate and colour parts" },
    section: { label: "Section", about: "Cut the model open" },
    measure: { label: "Measure", about: "Measure between two places" },
  },
} as const;

export const viewer = {
  title: "3D view. Drag to turn, right drag to move, wheel to zoom. Keys: arrows turn, with Shift they move, plus and minus zoom, 1 to 7 are named views, Home is the first view, F fits all.",
  computing: "Computing the design…",
  none: "This design has no geometry.",
  toolLost: "This tool could not be loaded. Check the connection and try again.",
  withoutWebGL: "The 3D view needs WebGL, which this browser does not offer.",
} as const;

export const views = {
  changed: (view: string) => `Somebody else changed “${view}” meanwhile. It is shown here as it is now: look at it, then try again.`,
  deleted: (view: string) => `Somebody else deleted “${view}” meanwhile.`,
} as const;

export const welcome = {
  invite: {
    title: "You are invited",
    about: "Take the invitation to work on a project here. It works once, and signs you in on this device.",
    signedIn: "Take the invitation to work on one more project. It works once, for the user as whom you are signed in.",
    button: "Take the invitation",
  },
  sign_in: {
    title: "Sign in on this device",
    about: "This link signs you in on this device. It works once.",
    signedIn: "This link signs you in on this device, in place of the user as whom you are signed in. It works once.",
    button: "Sign in",
  },
  notNow: "Not now",
} as const;

export const workspace = {
  commentsOpen: (open: number) => `Comments (${open})`,
  design: "Design",
  designs: "Designs",
  history: "History",
  results: "Results",
  resultsAndComments: "Results and comments",
} as const;
