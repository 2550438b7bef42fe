// The events of one project over `/ws`, connected again where the connection is lost.
import { pauseAfter } from "./again.ts";
import type { Json } from "../api/types.ts";
import { CLOCK, type Clock, type Socket } from "./live.ts";

/** An event as the platform tells it. */
export interface Happening {
  id: string;
  type: string;
  data: { [key: string]: Json };
}

export interface Hearer {
  event(happening: Happening): void;
  /** Events may have been missed: what they tell of is to be read again. */
  missed(): void;
  /** The credential, or what it gave, has ended. */
  ended(reason: string): void;
}

const POLICY = 1008;
/** Attempts in vain after which the last event may be older than the platform's log. */
const MOST_ATTEMPTS = 3;
/** How often all is read again without a socket: each time costs requests of the caller's hour. */
const READ_AGAIN_MS = 60_000;

/** Tells each event once. Where no socket can be opened, what may have changed is read again every minute. */
export class Feed {
  private socket: Socket | null = null;
  private attempts = 0;
  private last: string | null = null;
  private timer: unknown;

  constructor(
    /** Opens a socket for the events after one, or for those from now on. */
    private readonly connect: (after: string | null) => Socket,
    private readonly hearer: Hearer,
    private readonly clock: Clock = CLOCK,
  ) {}

  open(): void {
    this.timer = undefined;
    if (this.attempts >= MOST_ATTEMPTS) this.last = null;
    const after = this.last;
    const socket = this.connect(after);
    this.socket = socket;
    let isOpen = false;
    socket.onopen = () => {
      isOpen = true;
      this.attempts = 0;
      if (after === null) this.hearer.missed();
    };
    socket.onmessage = ({ data }) => {
      const happening = JSON.parse(String(data)) as Happening;
      this.last = happening.id;
      this.hearer.event(happening);
    };
    socket.onclose = ({ code, reason }) => {
      this.socket = null;
      if (isOpen && code === POLICY) return this.hearer.ended(reason);
      const isInVain = !isOpen && this.attempts >= MOST_ATTEMPTS;
      this.wait(isInVain ? READ_AGAIN_MS : pauseAfter(this.attempts), isInVain);
      this.attempts += 1;
    };
  }

  /** Go on with a new credential. */
  resume(): void {
    this.close();
    this.attempts = 0;
    this.open();
  }

  close(): void {
    this.clock.cancel(this.timer);
    this.timer = undefined;
    const { socket } = this;
    this.socket = null;
    if (socket === null) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }

  private wait(milliseconds: number, isMissing: boolean): void {
    this.timer = this.clock.later(milliseconds, () => {
      if (isMissing) this.hearer.missed();
      this.open();
    });
  }
}
