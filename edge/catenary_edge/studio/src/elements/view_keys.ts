// The keys of the 3D view: the named views, fit, turns and moves.
import { NAMED_VIEWS } from "../state/named_views.ts";
import type { Nudge } from "../three/cameras.ts";
import type { Stage } from "../three/stage.ts";

const NUDGES: Readonly<Record<string, Nudge>> = { ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down", "+": "closer", "=": "closer", "-": "farther" };

/** Do in the view what a key means; other keys, and those of the browser, pass. */
export function followKey(event: KeyboardEvent, stage: Stage): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const view = NAMED_VIEWS.find((one) => one.key === event.key);
  const nudge = NUDGES[event.key];
  if (view) void stage.turn(view);
  else if (event.key.toLowerCase() === "f") void stage.fit(true);
  else if (event.key === "Home") void stage.goHome();
  else if (nudge) stage.nudge(nudge, event.shiftKey);
  else return;
  event.preventDefault();
}
