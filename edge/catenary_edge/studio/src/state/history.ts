// What undo and redo go back and forth over.

/** States in the order in which they came; a new state after an undo drops what was undone. */
export class History<State> {
  private states: State[];
  private at = 0;

  constructor(first: State, private readonly most = 200) {
    this.states = [first];
  }

  get present(): State {
    return this.states[this.at]!;
  }

  get canUndo(): boolean {
    return this.at > 0;
  }

  get canRedo(): boolean {
    return this.at < this.states.length - 1;
  }

  /** Add a state after the present one. */
  push(state: State): void {
    this.states = [...this.states.slice(0, this.at + 1), state].slice(-this.most);
    this.at = this.states.length - 1;
  }

  /** Go back one state if there is one, and return the present one. */
  undo(): State {
    if (this.canUndo) this.at -= 1;
    return this.states[this.at]!;
  }

  /** Go forward one state if there is one, and return the present one. */
  redo(): State {
    if (this.canRedo) this.at += 1;
    return this.states[this.at]!;
  }
}
