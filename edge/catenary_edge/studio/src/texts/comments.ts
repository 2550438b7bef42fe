// Comments and their threads.
import { plural } from "./common.ts";

export const compose = {
  empty: "Write a text first.",
  keys: "Ctrl+Enter sends",
  mention: (mentioned: number) => (mentioned > 0 ? `Mention (${mentioned})` : "Mention somebody"),
  people: "Who is told",
  pickPlace: "Pick a place",
  placePicked: "A place is picked",
  withoutPlace: "Without it",
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
