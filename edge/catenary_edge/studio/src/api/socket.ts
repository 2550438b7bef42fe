// The WebSocket of a live session, with the access token as a subprotocol, since pages can't set headers of one.
import type { Socket } from "../state/live.ts";

export function exploreSocket(projectId: string, token: string): Socket {
  const url = new URL(`/ws/explore?${new URLSearchParams({ project_id: projectId })}`, location.href);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  const socket = new WebSocket(url, ["catenary.v1", `bearer.${token}`]);
  socket.binaryType = "arraybuffer";
  return socket as Socket;
}
