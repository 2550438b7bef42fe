// The tool that opens and saves views.
import { plural } from "./common.ts";

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
