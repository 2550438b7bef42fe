// A reader of the platform's own GLB files: parts of triangles or lines with a colour, each placed by a matrix.
// Arrays are views of the file: nothing is fetched and nothing copied (see glTF 2.0, sections 3.6 and 4.4).
import { geometry as texts } from "../texts/view.ts";

export interface Part {
  name: string;
  positions: Float32Array;
  indices: Uint8Array | Uint16Array | Uint32Array;
  isLines: boolean;
  /** Linear red, green, blue and alpha. */
  color: readonly [number, number, number, number];
  doubleSided: boolean;
  /** Column by column. */
  matrix: readonly number[];
}

interface Document {
  nodes?: { name?: string; mesh?: number; matrix?: number[] }[];
  meshes?: { primitives: { attributes: { POSITION: number }; indices: number; mode?: number; material?: number }[] }[];
  accessors?: { bufferView: number; byteOffset?: number; componentType: number; count: number; type: string }[];
  bufferViews?: { byteOffset?: number; byteLength: number }[];
  materials?: { pbrMetallicRoughness?: { baseColorFactor?: number[] }; doubleSided?: boolean }[];
}

const MAGIC = 0x46546c67;
const JSON_CHUNK = 0x4e4f534a;
const LINES = 1;
const ARRAYS: Readonly<Record<number, typeof Uint8Array | typeof Uint16Array | typeof Uint32Array>> = {
  5121: Uint8Array,
  5123: Uint16Array,
  5125: Uint32Array,
};
const FLOAT = 5126;
const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

/** Read a file; an Error says why it can't be read. */
export function readGlb(file: ArrayBuffer): Part[] {
  const view = new DataView(file);
  if (file.byteLength < 28 || view.getUint32(0, true) !== MAGIC || view.getUint32(16, true) !== JSON_CHUNK) {
    throw new Error(texts.noGlb);
  }
  const length = view.getUint32(12, true);
  const document = JSON.parse(new TextDecoder().decode(new Uint8Array(file, 20, length))) as Document;
  const start = 20 + length + 8;
  const place = (index: number) => {
    const accessor = document.accessors?.[index];
    const held = accessor && document.bufferViews?.[accessor.bufferView];
    if (!held) throw new Error(texts.lacksArray);
    const components = accessor.type === "VEC3" ? 3 : 1;
    return { accessor, at: start + (held.byteOffset ?? 0) + (accessor.byteOffset ?? 0), count: accessor.count * components };
  };
  const found: Part[] = [];
  for (const node of document.nodes ?? []) {
    for (const primitive of (node.mesh === undefined ? undefined : document.meshes?.[node.mesh])?.primitives ?? []) {
      const points = place(primitive.attributes.POSITION);
      const corners = place(primitive.indices);
      const Indices = ARRAYS[corners.accessor.componentType];
      if (points.accessor.componentType !== FLOAT || Indices === undefined) throw new Error(texts.unknownArray);
      const material = document.materials?.[primitive.material ?? -1];
      const [red = 0.6, green = 0.6, blue = 0.6, alpha = 1] = material?.pbrMetallicRoughness?.baseColorFactor ?? [];
      found.push({
        name: node.name ?? "",
        positions: new Float32Array(file, points.at, points.count),
        indices: new Indices(file, corners.at, corners.count),
        isLines: primitive.mode === LINES,
        color: [red, green, blue, alpha],
        doubleSided: material?.doubleSided ?? false,
        matrix: node.matrix ?? IDENTITY,
      });
    }
  }
  return found;
}
