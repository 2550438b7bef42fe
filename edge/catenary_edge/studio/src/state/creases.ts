// The edges of a mesh that people see: where faces meet at an angle, or where a surface ends. An edge that a tessellation has cut
// into pieces along a line is one.

export interface Mesh {
  positions: Float32Array;
  indices: Uint8Array | Uint16Array | Uint32Array;
}

/** Faces that meet at a larger angle have an edge between them, in degrees. */
const CREASE = 30;
const COS_CREASE = Math.cos((CREASE * Math.PI) / 180);
/** Pieces whose directions differ by less lie on one line; the sine of a tenth of a degree. */
const SIN_STRAIGHT = Math.sin(Math.PI / 1800);
/** Steps of the mesh's size within which places are one. */
const STEPS = 2 ** 21;
const NONE = -1;
/** Marks an edge whose two faces are known. */
const PAIRED = -2;

/** Return the ends of the edges, six numbers for each; null if there are more than `most`. */
export function creasesOf(mesh: Mesh, most = Infinity): Float32Array | null {
  const { positions } = mesh;
  const corners = welded(mesh);
  const normals = normalsOf(positions, corners);
  const edges = new Edges(corners.length);
  const found: number[] = [];
  for (let at = 0; at < corners.length; at += 1) {
    const face = at - (at % 3);
    const [from, to] = [corners[at]!, corners[at % 3 === 2 ? face : at + 1]!];
    if (isFlat(normals, face)) continue;
    const place = edges.place(from, to);
    const other = edges.faces[place]!;
    if (other === NONE) edges.put(place, from, to, face);
    else if (other !== PAIRED) {
      edges.faces[place] = PAIRED;
      if (normals[face]! * normals[other]! + normals[face + 1]! * normals[other + 1]! + normals[face + 2]! * normals[other + 2]! <= COS_CREASE) found.push(from, to);
    }
  }
  edges.eachOpen((from, to) => found.push(from, to));
  return straightened(found, positions, most);
}

/** Return for each corner of a triangle the first vertex at its place. */
function welded({ positions, indices }: Mesh): Int32Array {
  let [low, high] = [Infinity, -Infinity];
  for (const one of positions) {
    if (one < low) low = one;
    if (one > high) high = one;
  }
  const scale = STEPS / (high - low || 1);
  const count = positions.length / 3;
  const [first, size] = [new Int32Array(count), sizeFor(count)];
  const table = new Int32Array(size).fill(NONE);
  const steps = new Int32Array(positions.length);
  for (let at = 0; at < positions.length; at += 1) steps[at] = Math.round((positions[at]! - low) * scale);
  for (let vertex = 0; vertex < count; vertex += 1) {
    const [x, y, z] = [steps[vertex * 3]!, steps[vertex * 3 + 1]!, steps[vertex * 3 + 2]!];
    let place = mixed(mixed(x, y), z) & (size - 1);
    for (let known = table[place]!; known !== NONE; known = table[place]!) {
      if (steps[known * 3] === x && steps[known * 3 + 1] === y && steps[known * 3 + 2] === z) break;
      place = (place + 1) & (size - 1);
    }
    if (table[place] === NONE) table[place] = vertex;
    first[vertex] = table[place]!;
  }
  return Int32Array.from(indices, (vertex) => first[vertex]!);
}

/** Return the unit normal of each triangle, zeros for one without an area. */
function normalsOf(positions: Float32Array, corners: Int32Array): Float32Array {
  const normals = new Float32Array(corners.length);
  for (let at = 0; at + 2 < corners.length; at += 3) {
    const [a, b, c] = [corners[at]! * 3, corners[at + 1]! * 3, corners[at + 2]! * 3];
    const [ux, uy, uz] = [positions[b]! - positions[a]!, positions[b + 1]! - positions[a + 1]!, positions[b + 2]! - positions[a + 2]!];
    const [vx, vy, vz] = [positions[c]! - positions[a]!, positions[c + 1]! - positions[a + 1]!, positions[c + 2]! - positions[a + 2]!];
    const [x, y, z] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    const length = Math.hypot(x, y, z) || 1;
    [normals[at], normals[at + 1], normals[at + 2]] = [x / length, y / length, z / length];
  }
  return normals;
}

function isFlat(normals: Float32Array, face: number): boolean {
  return normals[face] === 0 && normals[face + 1] === 0 && normals[face + 2] === 0;
}

/** Edges by their two ends, in a table with open addresses. */
class Edges {
  readonly faces: Int32Array;
  private readonly ends: Int32Array;
  private readonly size: number;

  constructor(most: number) {
    this.size = sizeFor(most);
    this.faces = new Int32Array(this.size).fill(NONE);
    this.ends = new Int32Array(this.size * 2);
  }

  /** Return the place of an edge, or where it belongs. */
  place(from: number, to: number): number {
    const [low, high] = from < to ? [from, to] : [to, from];
    const { faces, ends, size } = this;
    let place = mixed(low, high) & (size - 1);
    while (faces[place] !== NONE && (ends[place * 2] !== low || ends[place * 2 + 1] !== high)) place = (place + 1) & (size - 1);
    return place;
  }

  put(place: number, from: number, to: number, face: number): void {
    this.faces[place] = face;
    [this.ends[place * 2], this.ends[place * 2 + 1]] = from < to ? [from, to] : [to, from];
  }

  /** Call for each edge that has one face. */
  eachOpen(call: (from: number, to: number) => void): void {
    for (let place = 0; place < this.size; place += 1) if (this.faces[place]! >= 0) call(this.ends[place * 2]!, this.ends[place * 2 + 1]!);
  }
}

/** Join the pieces that lie on one line, and return the ends of what they are then. */
function straightened(pieces: readonly number[], positions: Float32Array, most: number): Float32Array | null {
  const at = new Map<number, number[]>(); // the pieces at each vertex
  for (let piece = 0; piece < pieces.length; piece += 2) {
    for (const end of [pieces[piece]!, pieces[piece + 1]!]) {
      const known = at.get(end);
      if (known) known.push(piece);
      else at.set(end, [piece]);
    }
  }
  const taken = new Uint8Array(pieces.length / 2);
  const otherEnd = (piece: number, end: number) => (pieces[piece] === end ? pieces[piece + 1]! : pieces[piece]!);
  /** Go from an end of a line as far as it is straight. */
  const follow = (piece: number, start: number): number => {
    let end = otherEnd(piece, start);
    for (let last = piece; ; ) {
      const [one, other, third] = at.get(end)!;
      const next = one === last ? other : one;
      if (next === undefined || third !== undefined || taken[next / 2]) return end;
      const beyond = otherEnd(next, end);
      if (!isStraight(positions, start, end, beyond)) return end;
      taken[next / 2] = 1;
      [last, end] = [next, beyond];
    }
  };
  const found: number[] = [];
  for (let piece = 0; piece < pieces.length; piece += 2) {
    if (taken[piece / 2]) continue;
    taken[piece / 2] = 1;
    const [from, to] = [pieces[piece]!, pieces[piece + 1]!];
    found.push(follow(piece, to), follow(piece, from));
    if (found.length / 2 > most) return null;
  }
  return Float32Array.from({ length: found.length * 3 }, (_, one) => positions[found[Math.floor(one / 3)]! * 3 + (one % 3)]!);
}

/** Tell whether a line goes on in its direction to a place beyond its end. */
function isStraight(positions: Float32Array, start: number, end: number, beyond: number): boolean {
  const along = (from: number, to: number, axis: number) => positions[to * 3 + axis]! - positions[from * 3 + axis]!;
  const [ux, uy, uz] = [along(start, end, 0), along(start, end, 1), along(start, end, 2)];
  const [vx, vy, vz] = [along(end, beyond, 0), along(end, beyond, 1), along(end, beyond, 2)];
  const lengths = Math.hypot(ux, uy, uz) * Math.hypot(vx, vy, vz);
  const aside = Math.hypot(uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx);
  return ux * vx + uy * vy + uz * vz > 0 && aside < lengths * SIN_STRAIGHT;
}

/** Return a power of two that leaves half of a table free. */
function sizeFor(count: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(count, 1) * 2));
}

/** Mix two numbers to one for a table, by multiplications with odd constants. */
function mixed(one: number, other: number): number {
  const found = Math.imul(one, 0x9e3779b1) ^ Math.imul(other, 0x85ebca6b);
  return Math.imul(found ^ (found >>> 15), 0xc2b2ae35) ^ (found >>> 13);
}
