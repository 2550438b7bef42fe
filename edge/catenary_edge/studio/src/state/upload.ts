// Files of models, as far as they can be judged before they are sent.
import { size, title } from "./format.ts";
import { common } from "../texts/common.ts";
import { modelFiles as texts } from "../texts/models.ts";

/** What a file tells of itself. */
export interface Named {
  name: string;
  size: number;
}

const TYPES: Readonly<Record<string, string>> = { ".py": "text/x-python", ".zip": "application/zip", ".scad": "application/x-openscad" };
/** Endings of the files that can be models, as a file dialog takes them. */
export const ENDINGS = Object.keys(TYPES).join(",");
const MOST_BYTES = 64 * 1024 * 1024;
const MOST_LETTERS = 200;

function endingOf({ name }: Named): string {
  const dot = name.lastIndexOf(".");
  return dot < 0 ? "" : name.slice(dot).toLowerCase();
}

/** Return the media type of a model's file; undefined if it can be none. */
export function typeOf(file: Named): string | undefined {
  return TYPES[endingOf(file)];
}

/** Say what is wrong with a file and what helps; empty if it can be sent. */
export function faultOf(file: Named): string {
  if (typeOf(file) === undefined) return texts.unknown(file.name);
  if (file.size === 0) return texts.empty(file.name);
  if (file.size > MOST_BYTES) return texts.large(file.name, size(file.size));
  return "";
}

/** Return the name of a new model from a file: `truss_bridge.py` gives `Truss bridge`. */
export function modelName(file: Named): string {
  const stem = file.name.slice(0, file.name.length - endingOf(file).length);
  return Array.from(title(stem) || common.unnamedModel).slice(0, MOST_LETTERS).join("");
}

/** Return a key by which the server knows a request that is sent again. */
export function requestKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
