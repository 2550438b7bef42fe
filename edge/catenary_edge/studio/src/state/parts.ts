// The parts of a model: which are hidden, marked or have another colour, kept by the names of geometry and part.

/** All parts of one name in one geometry. */
export interface PartRow {
  key: string;
  geometry: string;
  name: string;
  /** The model's own colour, as `#rrggbb`. */
  color: string;
  count: number;
}

/** How a part is drawn. */
export interface Look {
  isHidden: boolean;
  isMarked: boolean;
  /** The colour that somebody gave it, as `#rrggbb`; null for the model's own. */
  color: string | null;
}

interface Shown {
  name: string;
  parts: readonly { name: string; color: readonly number[] }[];
}

export interface Found {
  groups: readonly { geometry: string; rows: readonly PartRow[] }[];
  /** How many more were found than are told. */
  more: number;
}

/** Names of parts that are hidden, and colours by names, as a saved view keeps them. */
export interface Dress {
  hidden_parts: readonly string[];
  colors: Readonly<Record<string, string>>;
}

/** Rows that a list shows at most: more make a page slow. */
export const MOST_ROWS = 200;

export function keyOf(geometry: string, name: string): string {
  return JSON.stringify([geometry, name]);
}

/** Return the name that a saved view has for a part: its own, and with its geometry where several geometries have that name. */
function namesOf(key: string): { plain: string; full: string } {
  const [geometry, name] = JSON.parse(key) as [string, string];
  const plain = name || geometry;
  return { plain, full: `${geometry}/${plain}` };
}

/** Return a colour of a GLB file as `#rrggbb`, from the linear scale to that of screens (IEC 61966-2-1). */
export function hexOf(linear: readonly number[]): string {
  const channel = (one: number) => (one <= 0.0031308 ? one * 12.92 : 1.055 * one ** (1 / 2.4) - 0.055);
  const texts = linear.slice(0, 3).map((one) => Math.round(Math.min(Math.max(channel(one), 0), 1) * 255).toString(16).padStart(2, "0"));
  return `#${texts.join("")}`;
}

/** Return one row for each name of a part in its geometry, in the order of the model. */
export function rowsOf(shown: readonly Shown[]): PartRow[] {
  const rows = new Map<string, PartRow>();
  for (const { name: geometry, parts } of shown) {
    for (const { name, color } of parts) {
      const key = keyOf(geometry, name);
      const known = rows.get(key);
      if (known) known.count += 1;
      else rows.set(key, { key, geometry, name, color: hexOf(color), count: 1 });
    }
  }
  return [...rows.values()];
}

/** Keeps how the parts of a view are shown; `changed` is called after each change. */
export class Parts {
  rows: readonly PartRow[] = [];
  marked: string | null = null;
  private hidden = new Set<string>();
  private readonly colors = new Map<string, string>();
  /** The part that is shown alone. */
  private only: string | null = null;
  private keys = new Set<string>();
  /** What a saved view gave for parts that no design has shown yet. */
  private given: Dress = { hidden_parts: [], colors: {} };
  /** Parts that have taken what was given. */
  private readonly dressed = new Set<string>();

  constructor(private readonly changed: () => void = () => undefined) {}

  /** Take the parts of another design; what is kept for parts that it lacks waits for them. */
  take(shown: readonly Shown[]): void {
    this.rows = rowsOf(shown);
    this.keys = new Set(this.rows.map((one) => one.key));
    this.dressNew();
  }

  /** Hide and colour parts as a saved view does, also those that only later designs have. */
  restore({ hidden_parts, colors }: Dress): void {
    this.given = { hidden_parts, colors };
    for (const kept of [this.hidden, this.colors, this.dressed]) kept.clear();
    this.only = this.marked = null;
    this.dressNew();
    this.changed();
  }

  private dressNew(): void {
    const hidden = new Set(this.given.hidden_parts);
    const colors = new Map(Object.entries(this.given.colors));
    for (const key of this.keys) {
      if (this.dressed.has(key)) continue;
      this.dressed.add(key);
      const { plain, full } = namesOf(key);
      const color = colors.get(full) ?? colors.get(plain);
      if (hidden.has(plain) || hidden.has(full)) this.hidden.add(key);
      if (color !== undefined) this.colors.set(key, color);
    }
  }

  /** Return what is hidden and coloured by the names of parts, for a view to be saved. */
  dress(): { hidden_parts: string[]; colors: Record<string, string> } {
    const byName = new Map<string, string[]>();
    const seen = new Set<string>();
    for (const key of this.dressed) {
      const { plain, full } = namesOf(key);
      byName.set(plain, [...(byName.get(plain) ?? []), key]);
      seen.add(plain).add(full);
    }
    const hidden = new Set(this.given.hidden_parts.filter((name) => !seen.has(name)));
    const colors = new Map(Object.entries(this.given.colors).filter(([name]) => !seen.has(name)));
    for (const [plain, keys] of byName) {
      const nameFor = (key: string, of: (one: string) => unknown) => (new Set(keys.map(of)).size === 1 ? plain : namesOf(key).full);
      for (const key of keys) {
        const color = this.colors.get(key);
        if (this.isHidden(key)) hidden.add(nameFor(key, (one) => this.isHidden(one)));
        if (color !== undefined) colors.set(nameFor(key, (one) => this.colors.get(one)), color);
      }
    }
    return { hidden_parts: [...hidden], colors: Object.fromEntries(colors) };
  }

  isHidden(key: string): boolean {
    return this.isolated === null ? this.hidden.has(key) : key !== this.isolated;
  }

  /** The part that is shown alone; null for none, and while the design lacks it. */
  get isolated(): string | null {
    return this.only !== null && this.keys.has(this.only) ? this.only : null;
  }

  get hiddenCount(): number {
    return this.rows.filter(({ key }) => this.isHidden(key)).length;
  }

  look(geometry: string, name: string): Look {
    const key = keyOf(geometry, name);
    return { isHidden: this.isHidden(key), isMarked: this.marked === key, color: this.colors.get(key) ?? null };
  }

  /** Show or hide parts; those beside one that was alone stay hidden. */
  setHidden(keys: readonly string[], isHidden: boolean): void {
    if (this.isolated !== null) this.hidden = new Set(this.rows.map(({ key }) => key).filter((key) => this.isHidden(key)));
    this.only = null;
    for (const key of keys) {
      if (isHidden) this.hidden.add(key);
      else this.hidden.delete(key);
    }
    this.changed();
  }

  /** Show one part alone; once more, show what was shown before. */
  isolate(key: string): void {
    this.only = this.isolated === key ? null : key;
    this.changed();
  }

  showAll(): void {
    this.hidden.clear();
    this.only = null;
    this.changed();
  }

  /** Mark a part in the view; once more, or null, marks none. */
  mark(key: string | null): void {
    this.marked = this.marked === key ? null : key;
    this.changed();
  }

  colorOf({ key, color }: PartRow): string {
    return this.colors.get(key) ?? color;
  }

  isRecolored(key: string): boolean {
    return this.colors.has(key);
  }

  /** Give a part another colour, or with null the model's own. */
  recolor(key: string, color: string | null): void {
    if (color === null) this.colors.delete(key);
    else this.colors.set(key, color);
    this.changed();
  }

  /** Return the parts whose name or geometry has a text, by geometry. */
  find(text: string, most: number = MOST_ROWS): Found {
    const wanted = text.trim().toLowerCase();
    const found = this.rows.filter(({ geometry, name }) => `${geometry} ${name}`.toLowerCase().includes(wanted));
    const groups = new Map<string, PartRow[]>();
    for (const row of found.slice(0, most)) groups.set(row.geometry, [...(groups.get(row.geometry) ?? []), row]);
    return { groups: [...groups].map(([geometry, rows]) => ({ geometry, rows })), more: Math.max(found.length - most, 0) };
  }
}
