// A list that is read from the server while others, and the person, change it.

/** Reads a list so that no older answer takes the place of a newer one, nor of a change that the person has made meanwhile. */
export class Fresh<Found> {
  private asked = 0;
  private taken = 0;
  private written = 0;

  constructor(
    private readonly ask: () => Promise<Found>,
    private readonly take: (found: Found) => void,
  ) {}

  /** Read the list; an answer that was asked for before a change is asked for again. */
  async read(): Promise<void> {
    const mine = (this.asked += 1);
    const found = await this.ask();
    if (mine < this.taken) return;
    if (mine <= this.written) return this.read();
    this.taken = mine;
    this.take(found);
  }

  /** Note a change that the server has taken: answers under way may lack it. */
  note(): void {
    this.written = this.asked;
  }
}
