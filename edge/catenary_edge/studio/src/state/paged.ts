// A list that is read page by page, newest first.
import type { Page } from "../api/client.ts";
import { Fresh } from "./fresh.ts";

export class Paged<Row> {
  list: readonly Row[] = [];
  private next: string | null = null;
  private readonly fresh: Fresh<Page<Row>>;

  constructor(
    private readonly read: (cursor: string | null) => Promise<Page<Row>>,
    private readonly idOf: (row: Row) => string,
  ) {
    this.fresh = new Fresh(() => read(null), (page) => this.take(page));
  }

  get hasMore(): boolean {
    return this.next !== null;
  }

  /** Read the newest ones; older ones that were read stay. */
  load(): Promise<void> {
    return this.fresh.read();
  }

  /** Read older ones; one that is there already does not come again. */
  async more(): Promise<void> {
    const after = this.next;
    const { rows, next } = await this.read(after);
    if (after !== this.next) return; // another page came, or the list has begun anew
    const known = new Set(this.list.map(this.idOf));
    this.list = [...this.list, ...rows.filter((one) => !known.has(this.idOf(one)))];
    this.next = next;
  }

  /** Take the newest page: what was read below its last row stays, unless that row is new, so that rows between could be missing. */
  private take({ rows, next }: Page<Row>): void {
    const last = rows.at(-1);
    const place = last === undefined ? -1 : this.list.findIndex((one) => this.idOf(one) === this.idOf(last));
    if (place < 0) [this.list, this.next] = [rows, next];
    else this.list = [...rows, ...this.list.slice(place + 1)];
  }
}
