// The page around a design: its bar, the list of projects, the tabs.

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

export const notifications = {
  title: "Notifications",
  none: "Nothing yet. Comments, mentions and shares of others are told here.",
  readAll: "Mark all as read",
  unread: "Unread. ",
  withCount: (unread: number) => `Notifications, ${unread} unread`,
} as const;

export const project = {
  title: (name: string) => `${name} · Catenary Studio`,
  deployedNoMore: "The model is deployed no more.",
  draftGone: "The draft of this address can't be run; you see the deployed version.",
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

export const workspace = {
  commentsOpen: (open: number) => `Comments (${open})`,
  design: "Design",
  designs: "Designs",
  history: "History",
  results: "Results",
  resultsAndComments: "Results and comments",
} as const;
