// The tab of models and their versions.
import { plural } from "./common.ts";

export const deployments = {
  title: "Deployments",
  states: { pending: "waits for the check", active: "active", retired: "ended", failed: "failed" },
} as const;

export const editing = {
  empty: "The text is empty: write the model first.",
  large: (size: string) => `A file of ${size} is changed outside: download it, and drop the new one here.`,
  newer: (number: number) => `Version ${number} was uploaded meanwhile: open it, or say that you go on from your text.`,
  zip: "A zip is changed outside: download it, and drop the new one here.",
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
