// The geometry of stored evaluations, fetched once.
import type { Evaluation, Geometry } from "../api/types.ts";
import type { LiveFile } from "./live.ts";

const KEPT_FILES = 40;

/** A geometry as it is shown, with the unit in which the model gives it. */
export interface GeometryFile {
  name: string;
  unit: string | null;
  file: ArrayBuffer;
  /** Whether the model gives exact surfaces, which a STEP file holds. */
  isExact: boolean;
}

/** Return the geometries of a live design that the view can show. */
export const shownOf = (files: readonly LiveFile[]): GeometryFile[] =>
  files.filter(isShown).map(({ name, bytes, unit }) => ({ name, unit, file: bytes, isExact: isExact(files, name) }));

const isShown = ({ format }: { format: string }): boolean => format === "glb";

const isExact = (files: readonly { name: string; format: string }[], name: string): boolean =>
  files.some((one) => one.name === name && one.format === "step");

/** Keeps the newest files by their content. */
export class GeometryFiles {
  private readonly files = new Map<string, ArrayBuffer>();
  private underWay = 0;

  constructor(private readonly fetchBytes: (url: string) => Promise<ArrayBuffer>) {}

  /** Whether files are under way. */
  get isFetching(): boolean {
    return this.underWay > 0;
  }

  /** Return the geometries of an evaluation that the view can show; a point of a batch or a study may have none that was made. */
  async of(evaluation: Evaluation): Promise<GeometryFile[]> {
    const wanted = evaluation.geometry.filter((one) => isShown(one) && one.size !== null);
    this.underWay += 1;
    try {
      return await Promise.all(wanted.map(async (one) => ({ name: one.name, unit: one.unit, file: await this.file(one), isExact: isExact(evaluation.geometry, one.name) })));
    } finally {
      this.underWay -= 1;
    }
  }

  private async file(one: Geometry): Promise<ArrayBuffer> {
    const key = one.sha256 ?? one.url;
    const known = this.files.get(key);
    if (known) return known;
    const found = await this.fetchBytes(one.url);
    this.files.set(key, found);
    for (const oldest of this.files.keys()) {
      if (this.files.size <= KEPT_FILES) break;
      this.files.delete(oldest);
    }
    return found;
  }
}

/** Tell whether two lists of geometries hold the same, byte by byte. */
export function isSameGeometry(some: readonly { name: string; file: ArrayBuffer }[], others: readonly { name: string; file: ArrayBuffer }[]): boolean {
  return some.length === others.length && some.every((one, at) => one.name === others[at]!.name && isSameFile(one.file, others[at]!.file));
}

function isSameFile(one: ArrayBuffer, other: ArrayBuffer): boolean {
  if (one === other) return true;
  if (one.byteLength !== other.byteLength) return false;
  const [a, b] = [new Uint8Array(one), new Uint8Array(other)];
  return a.every((byte, at) => byte === b[at]);
}
