// The search for the edges of large parts, in a worker; it begins when somebody measures.
import type { Mesh } from "../state/creases.ts";
import type { Drawn, Model } from "./model.ts";

/** What the worker is asked. */
export interface EdgeJob {
  mesh: Mesh;
  most: number;
}

/** How a search stands: `many` where parts have too many edges to look for their ends. */
export type Standing = "done" | "seeking" | "many" | "failed";

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string };
}

/** The file of the worker, beside this one; its name comes from the build. */
declare const EDGE_WORKER: string;
/** Edges of all large parts together: more would slow each click. */
const MOST_EDGES = 200_000;

let policy: ReturnType<TrustedTypes["createPolicy"]> | undefined;

function openWorker(): Worker {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  policy ??= trustedTypes?.createPolicy("edges", { createScriptURL: () => new URL(EDGE_WORKER, import.meta.url).href });
  return new Worker(policy?.createScriptURL("") ?? new URL(EDGE_WORKER, import.meta.url), { type: "module" });
}

/** Finds the edges of the large parts of a model, one after the other; `changed` is called when the standing changes. */
export class EdgeSearch {
  standing: Standing = "done";
  private worker: Worker | null = null;
  /** Parts that have too many edges. */
  private readonly vain = new WeakSet<Mesh>();

  constructor(private readonly changed: () => void = () => undefined) {}

  /** Look for the edges of the visible parts that have none; a search that is under way goes on. */
  async seek(model: Model): Promise<void> {
    if (this.standing === "seeking") return;
    const next = () => model.unedged().find(([, mesh]) => !this.vain.has(mesh));
    try {
      for (let part = next(); part !== undefined; part = next()) {
        this.tell("seeking");
        await this.find(model, ...part);
      }
      this.tell(model.unedged().length === 0 ? "done" : "many");
    } catch {
      this.tell("failed");
    }
    this.end();
  }

  /** Stop the worker. */
  end(): void {
    this.worker?.terminate();
    this.worker = null;
  }

  private async find(model: Model, object: Drawn, part: Mesh): Promise<void> {
    const worker = (this.worker ??= openWorker());
    const mesh = { positions: part.positions.slice(), indices: part.indices.slice() };
    const found = await new Promise<Float32Array | null>((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<Float32Array | null>) => resolve(data);
      worker.onerror = () => reject(new Error("The worker did not start."));
      const job: EdgeJob = { mesh, most: Math.max(MOST_EDGES - model.keptEdges, 0) };
      worker.postMessage(job, [mesh.positions.buffer, mesh.indices.buffer]);
    });
    if (found === null) this.vain.add(part);
    else model.keepEdges(object, part, found);
  }

  private tell(standing: Standing): void {
    if (standing === this.standing) return;
    this.standing = standing;
    this.changed();
  }
}
