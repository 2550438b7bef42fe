// Ctrl+Z and Ctrl+Shift+Z (⌘ on a Mac): undo and redo of a design.
import type { Design } from "../state/design.ts";

/** Undo or redo where a key asks for it outside of an entry for text, which has an undo of its own. */
export function takeUndo(event: KeyboardEvent, design: Design): void {
  const isEntry = event.target instanceof HTMLTextAreaElement || (event.target instanceof HTMLInputElement && event.target.type !== "range");
  if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z" || isEntry) return;
  event.preventDefault();
  if (event.shiftKey) design.redo();
  else design.undo();
}
