// One computation at a time, and of what is asked meanwhile only the newest.

/** Compute what is asked; `show` gets results in the order of asking, `fail` an error of a question that is still the newest. */
export class Newest<Question, Result> {
  private waiting: { question: Question } | null = null;
  private running = false;

  constructor(
    private readonly compute: (question: Question) => Promise<Result>,
    private readonly show: (result: Result, question: Question) => void,
    private readonly fail: (error: unknown) => void,
    private readonly busy: (busy: boolean) => void,
  ) {}

  /** Ask a question; it replaces one that waits. */
  ask(question: Question): void {
    this.waiting = { question };
    if (!this.running) void this.run();
  }

  /** Forget what waits. */
  clear(): void {
    this.waiting = null;
  }

  private async run(): Promise<void> {
    this.running = true;
    this.busy(true);
    while (this.waiting !== null) {
      const { question } = this.waiting;
      this.waiting = null;
      try {
        this.show(await this.compute(question), question);
      } catch (error) {
        if (this.waiting === null) this.fail(error);
      }
    }
    this.running = false;
    this.busy(false);
  }
}
