// The search over the operations of all documents.
import { keyOf, type Listed } from "./address.ts";

/** An operation, as `/docs/operations.json` lists it. */
export interface Operation {
  surface: string;
  version: string;
  id: string;
  method: string;
  path: string;
  summary: string;
}

export interface Found {
  /** The first ones, those of the present document before others. */
  shown: readonly Operation[];
  /** How many more there are. */
  more: number;
}

const MOST = 30;

/** Return the words that are looked for. */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().split(/\s+/).filter(Boolean);
}

/** Find the operations that have all words in their method, path, summary or id. */
export function find(operations: readonly Operation[], text: string, present: Listed | null): Found {
  const words = wordsOf(text);
  const fitting = operations.filter((one) => {
    const about = `${one.method} ${one.path} ${one.summary} ${one.id}`.toLowerCase();
    return words.every((word) => about.includes(word));
  });
  const isHere = (one: Operation) => present !== null && keyOf(one) === keyOf(present);
  const ordered = [...fitting.filter(isHere), ...fitting.filter((one) => !isHere(one))];
  return { shown: ordered.slice(0, MOST), more: Math.max(0, ordered.length - MOST) };
}
