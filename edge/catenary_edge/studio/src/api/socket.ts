// WebSockets of the platform, with the credential as a subprotocol, since pages can't set headers of one.
import type { Socket } from "../state/live.ts";

/** Open the WebSocket of a live session with the deployed version, or with the one of `draft`. */
export function exploreSocket(projectId: string, protocol: string, draft?: string): Socket {
  const asked = [["project_id", projectId], ...(draft === undefined ? [] : [["model_version_id", draft]])];
  const socket = open("/ws/explore", asked, protocol);
  socket.binaryType = "arraybuffer";
  return socket as Socket;
}

/** What the page shows of others' work. */
const TYPES = [
  "comment.created",
  "comment.updated",
  "comment.deleted",
  "project.variant.created",
  "project.variant.updated",
  "project.variant.deleted",
  "project.view.created",
  "project.view.updated",
  "project.view.deleted",
  "model.evaluation.completed",
  "model.evaluation.failed",
  "model.version.ready",
  "model.version.failed",
  "model.deployment.changed",
  "project.permission.changed",
  "model.batch.completed",
  "model.study.progressed",
  "model.study.completed",
];

/** Open the WebSocket of a project's events, those after one or from now on. */
export function eventSocket(projectId: string, protocol: string, after: string | null): Socket {
  const asked = [["project_id", projectId], ...TYPES.map((one) => ["types", one]), ...(after === null ? [] : [["after", after]])];
  return open("/ws", asked, protocol) as Socket;
}

/** Open the WebSocket of the caller's notifications, of all projects, those after an event or from now on. */
export function notificationSocket(protocol: string, after: string | null): Socket {
  return open("/ws", [["types", "notification.created"], ...(after === null ? [] : [["after", after]])], protocol) as Socket;
}

function open(path: string, query: string[][], protocol: string): WebSocket {
  const url = new URL(`${path}?${new URLSearchParams(query)}`, location.href);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  return new WebSocket(url, ["catenary.v1", protocol]);
}
