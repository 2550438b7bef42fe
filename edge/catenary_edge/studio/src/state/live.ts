// A live session: designs go out over one WebSocket as a slider moves, and metrics and geometry come back.
// See the guide's page about live sessions for the messages and the codes of an end.
import { ApiError, refusalOf } from "../api/client.ts";
import type { Outcome } from "../api/types.ts";
import { live as texts } from "../texts/common.ts";
import { pauseAfter } from "./again.ts";
import type { Values } from "./values.ts";

/** What the session needs of a WebSocket. */
export interface Socket {
  onopen: (() => void) | null;
  onmessage: ((message: { data: unknown }) => void) | null;
  onclose: ((end: { code: number; reason: string }) => void) | null;
  send(text: string): void;
  close(): void;
}

export interface Clock {
  now(): number;
  later(milliseconds: number, work: () => void): unknown;
  cancel(timer: unknown): void;
}

/** A file of a geometry as it came. */
export interface LiveFile {
  name: string;
  format: string;
  /** Unit in which the model gives its coordinates; the file is in metres. */
  unit: string | null;
  bytes: ArrayBuffer;
}

/**
 * `connecting`: the first time. `open`: designs are answered. `again`: the connection was lost and is made again.
 * `resting`: ended by time, made again with the next design. `unavailable`: no socket can be opened here for now.
 * `ended`: over for good.
 */
export type LiveState = "connecting" | "open" | "again" | "resting" | "unavailable" | "ended";

export interface Listener {
  /** A result of the model; `milliseconds` from the sending of its design, null where that says nothing of the model. */
  outcome(outcome: Outcome, asked: Values, milliseconds: number | null): void;
  /** The geometry of a design, with the time of its sending. */
  geometry(files: readonly LiveFile[], askedAt: number): void;
  /** The newest design was refused, or its geometry failed after its result. */
  refused(error: ApiError): void;
  state(state: LiveState): void;
  /** No socket can be opened; `waiting` is the design that nobody has answered. */
  unavailable(waiting: Values | null): void;
  /** The session is over: the credential, the role, or the version that was deployed (`CONFLICT`). */
  ended(reason: string): void;
}

type Announced = Omit<LiveFile, "bytes">;

interface Sent {
  id: number;
  values: Values;
  at: number;
}

/** How long a connection must have stood for the next attempt to come soon again. */
const STEADY_MS = 10_000;
/** How soon a connection that was lost is made again for a design that needs it. */
const NEEDED_MS = 1000;
const [NORMAL, POLICY, TOO_LARGE, RESTART] = [1000, 1008, 1009, 1012];

/**
 * Sends the newest design once the one before has its whole answer, and tells the answers. A design that is sent before
 * makes the server drop a geometry that is still computed: while a slider moves, a slow geometry would never come.
 */
export class LiveSession {
  state: LiveState = "connecting";
  private socket: Socket | null = null;
  private isOpen = false;
  private openedAt = 0;
  private lostAt = 0;
  private attempts = 0;
  private timer: unknown;
  private lastId = 0;
  /** The newest design, until its result is there. */
  private newest: Sent | null = null;
  /** The design that was sent, until its answer is whole. */
  private sent: Sent | null = null;
  private shownId = 0;
  private shownAskedAt = 0;
  private finishedAt = 0;
  private isWarm = false;
  /** Files that are still to come, in the order of their bytes. */
  private coming: (Announced & { id: number; isLast: boolean })[] = [];
  private received: LiveFile[] = [];

  constructor(
    private readonly connect: () => Socket,
    private readonly listener: Listener,
    private readonly clock: Clock = CLOCK,
  ) {}

  /** Tell whether a design that is sent now will be answered by the session. */
  get isUsable(): boolean {
    return this.state !== "unavailable" && this.state !== "ended";
  }

  /** Tell whether the newest design waits for its result, or for its geometry. */
  get isWaiting(): boolean {
    return this.newest !== null || this.sent !== null || this.coming.length > 0;
  }

  /** Tell whether a design is computed that has no result yet. */
  get owesResult(): boolean {
    return this.isOpen && this.sent !== null && this.sent.id !== this.shownId;
  }

  /** Send a design as soon as the one before is answered; it replaces what waits. */
  send(values: Values): void {
    this.lastId += 1;
    this.newest = { id: this.lastId, values, at: this.clock.now() };
    if (this.isOpen && this.sent === null) this.write(this.newest);
    else if (this.socket === null && this.state !== "ended" && (this.timer === undefined || this.isOverdue)) this.open();
  }

  /** Whether a connection that was lost may be made again as soon as somebody needs it, however long its pause is. */
  private get isOverdue(): boolean {
    return this.state === "again" && this.clock.now() - this.lostAt >= NEEDED_MS;
  }

  /** Forget the newest design, as when it was computed in another way. */
  forget(): void {
    this.newest = null;
  }

  /** Go on with a new credential. */
  resume(): void {
    this.drop();
    this.attempts = 0;
    this.open();
  }

  close(): void {
    this.newest = null;
    this.drop();
    this.become("ended");
  }

  /** Leave what is computed; the next design connects again. */
  rest(): void {
    this.newest = null;
    this.drop();
    this.become("resting");
  }

  private drop(): void {
    this.clock.cancel(this.timer);
    this.timer = undefined;
    const { socket } = this;
    this.socket = null;
    this.isOpen = false;
    this.sent = null;
    if (socket === null) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }

  private become(state: LiveState): void {
    if (state === this.state) return;
    this.state = state;
    this.listener.state(state);
  }

  private open(): void {
    this.clock.cancel(this.timer);
    this.timer = undefined;
    if (this.state === "resting" || this.state === "ended") this.become("connecting");
    const socket = this.connect();
    this.socket = socket;
    socket.onopen = () => {
      this.isOpen = true;
      this.openedAt = this.clock.now();
      this.isWarm = false;
      this.become("open");
      if (this.newest !== null) this.write(this.newest);
    };
    socket.onmessage = (message) => this.take(message.data);
    socket.onclose = ({ code, reason }) => this.lose(code, reason);
  }

  private write(design: Sent): void {
    this.sent = design;
    this.socket?.send(JSON.stringify({ id: design.id, parameters: design.values, geometry: true }));
  }

  private take(data: unknown): void {
    if (typeof data !== "string") return this.takeBytes(data as ArrayBuffer);
    const answer = JSON.parse(data) as {
      session?: object;
      id: number | null;
      evaluation?: Outcome;
      geometry?: Announced[];
      error?: object;
    };
    if (answer.session !== undefined) return; // the page knows the version
    const id = answer.id ?? 0;
    if (answer.geometry !== undefined) {
      const last = answer.geometry.length - 1;
      this.coming.push(...answer.geometry.map((one, place) => ({ ...one, id, isLast: place === last })));
      if (last < 0 && id >= this.shownId) this.listener.geometry([], this.shownAskedAt);
    } else if (answer.evaluation !== undefined) {
      if (id === this.sent?.id) this.show(answer.evaluation, this.sent);
      if (answer.evaluation.status === "completed") return; // its geometry follows, or why there is none
    } else if (answer.error !== undefined && (id === this.newest?.id || this.isOfShown(id))) {
      this.newest = null;
      this.listener.refused(refusalOf(0, { error: answer.error }));
    }
    if (id === this.sent?.id || answer.id === null) this.goOn();
  }

  /** Send the newest design, now that the one before has its whole answer. */
  private goOn(): void {
    const before = this.sent;
    this.sent = null;
    if (this.newest !== null && this.newest !== before && this.isOpen) this.write(this.newest);
  }

  /** Tell whether an answer is one to the design that is shown, while no newer one waits: what its geometry came to. */
  private isOfShown(id: number): boolean {
    return this.newest === null && id === this.shownId && id > 0;
  }

  private show(outcome: Outcome, design: Sent): void {
    const now = this.clock.now();
    const milliseconds = this.isWarm ? now - Math.max(design.at, this.finishedAt) : null;
    this.isWarm = true;
    this.finishedAt = now;
    this.shownId = design.id;
    this.shownAskedAt = design.at;
    if (this.newest !== null && design.id >= this.newest.id) this.newest = null;
    this.listener.outcome(outcome, design.values, milliseconds);
  }

  private takeBytes(bytes: ArrayBuffer): void {
    const file = this.coming.shift();
    if (file === undefined) return;
    this.received.push({ name: file.name, format: file.format, unit: file.unit, bytes });
    if (!file.isLast) return;
    const files = this.received;
    this.received = [];
    if (file.id >= this.shownId) this.listener.geometry(files, this.shownAskedAt);
  }

  private lose(code: number, reason: string): void {
    const wasOpen = this.isOpen;
    this.lostAt = this.clock.now();
    this.socket = null;
    this.isOpen = false;
    this.coming = [];
    this.received = [];
    this.newest ??= this.sent; // its geometry has not come
    this.sent = null;
    if (wasOpen && (code === POLICY || (code === RESTART && reason === "CONFLICT"))) {
      this.become("ended");
      return this.listener.ended(reason);
    }
    if (wasOpen && code === TOO_LARGE) {
      this.newest = null;
      this.listener.refused(new ApiError(413, "PAYLOAD_TOO_LARGE", texts.large));
    }
    if (wasOpen && code === NORMAL && this.newest === null) return this.become("resting");
    if (wasOpen && this.clock.now() - this.openedAt >= STEADY_MS) this.attempts = 0;
    const wait = wasOpen && this.attempts === 0 ? 0 : pauseAfter(this.attempts);
    this.attempts += 1;
    this.timer = this.clock.later(wait, () => this.open());
    if (wasOpen) return this.become("again");
    // Why a socket was refused is told to no page; an evaluation by POST is refused for the same reason, in words.
    const { newest } = this;
    this.newest = null;
    this.become("unavailable");
    this.listener.unavailable(newest?.values ?? null);
  }
}

export const CLOCK: Clock = {
  now: () => performance.now(),
  later: (milliseconds, work) => setTimeout(work, milliseconds),
  cancel: (timer) => clearTimeout(timer as ReturnType<typeof setTimeout>),
};
