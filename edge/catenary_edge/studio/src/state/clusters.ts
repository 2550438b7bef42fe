// A coarse stand-in for a mesh of many triangles, by clustering its vertices in the cells of a grid.

export interface Mesh {
  positions: Float32Array;
  indices: Uint8Array | Uint16Array | Uint32Array;
}

const FIRST_CELLS_PER_TRIANGLE = 0.25;
const MOST_CELLS = 1024;
/** Grids that are tried to come near the wanted number of triangles. */
const TRIES = 4;

/** Return a mesh of about so many triangles; one with no more is returned as it is. */
export function clustered(mesh: Mesh, most: number): Mesh {
  if (mesh.indices.length / 3 <= most) return mesh;
  let cells = Math.max(Math.round(Math.sqrt(most * FIRST_CELLS_PER_TRIANGLE)), 2);
  let best: Mesh | null = null;
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const found = inCells(mesh, cells);
    const triangles = found.indices.length / 3;
    const isFitting = triangles <= most * 1.5;
    if (isFitting && (best === null || triangles * 3 > best.indices.length)) best = found;
    if (isFitting && triangles >= most / 3) break;
    const next = Math.round(cells * Math.min(Math.max(Math.sqrt(most / (triangles + 1)), 0.3), 4));
    cells = Math.min(Math.max(next, 2), MOST_CELLS);
  }
  return best ?? inCells(mesh, 2);
}

/** Merge the vertices of each cell of a grid into their middle, and leave out the triangles that vanish. */
function inCells({ positions, indices }: Mesh, cells: number): Mesh {
  const count = positions.length / 3;
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let at = 0; at < positions.length; at += 3) {
    for (let axis = 0; axis < 3; axis += 1) {
      const value = positions[at + axis]!;
      if (value < low[axis]!) low[axis] = value;
      if (value > high[axis]!) high[axis] = value;
    }
  }
  const scale = cells / (Math.max(high[0]! - low[0]!, high[1]! - low[1]!, high[2]! - low[2]!) * (1 + 1e-6) || 1);
  const [left, bottom, back] = low as [number, number, number];
  const bits = Math.ceil(Math.log2(count + 1)) + 1;
  const slots = new Int32Array(2 ** bits).fill(-1);
  const keys = new Int32Array(2 ** bits);
  const cellOf = new Uint32Array(count);
  const sums = new Float64Array(positions.length);
  const members = new Uint32Array(count);
  let made = 0;
  for (let vertex = 0; vertex < count; vertex += 1) {
    const at = vertex * 3;
    const [east, up, south] = [positions[at]!, positions[at + 1]!, positions[at + 2]!];
    const key = Math.floor((east - left) * scale) + MOST_CELLS * (Math.floor((up - bottom) * scale) + MOST_CELLS * Math.floor((south - back) * scale));
    let slot = Math.imul(key, 0x9e3779b1) >>> (32 - bits);
    while (slots[slot] !== -1 && keys[slot] !== key) slot = (slot + 1) & (slots.length - 1);
    if (slots[slot] === -1) {
      slots[slot] = made;
      keys[slot] = key;
      made += 1;
    }
    const cell = slots[slot]!;
    cellOf[vertex] = cell;
    members[cell]! += 1;
    sums[cell * 3]! += east;
    sums[cell * 3 + 1]! += up;
    sums[cell * 3 + 2]! += south;
  }
  const middles = new Float32Array(made * 3);
  for (let at = 0; at < middles.length; at += 1) middles[at] = sums[at]! / members[Math.floor(at / 3)]!;
  const kept = new Uint32Array(indices.length);
  let end = 0;
  for (let at = 0; at < indices.length; at += 3) {
    const [a, b, c] = [cellOf[indices[at]!]!, cellOf[indices[at + 1]!]!, cellOf[indices[at + 2]!]!];
    if (a === b || b === c || c === a) continue;
    kept[end] = a;
    kept[end + 1] = b;
    kept[end + 2] = c;
    end += 3;
  }
  return { positions: middles, indices: kept.slice(0, end) };
}
