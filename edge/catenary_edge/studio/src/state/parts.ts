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

/** Rows that a list shows at most: more make a page slow. */
export const MOST_ROWS = 200;

export function keyOf(geometry: string, name: string): string {
  return JSON.stringify([geometry, name]);
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

  constructor(private readonly changed: () => void = () => undefined) {}

  /** Take the parts of another design; what is kept for parts that it lacks waits for them. */
  take(shown: readonly Shown[]): void {
    this.rows = rowsOf(shown);
    this.keys = new Set(this.rows.map((one) => one.key));
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
