// A worker of the page: it finds the edges of a mesh while the page goes on.
import { creasesOf } from "../state/creases.ts";
import type { EdgeJob } from "./edge_search.ts";

const scope = globalThis as unknown as { onmessage: (event: MessageEvent<EdgeJob>) => void; postMessage(found: Float32Array | null, moved: Transferable[]): void };
scope.onmessage = ({ data }) => {
  const found = creasesOf(data.mesh, data.most);
  scope.postMessage(found, found === null ? [] : [found.buffer]);
};
