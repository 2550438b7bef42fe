import assert from "node:assert/strict";
import { test } from "node:test";
import { Feed } from "../../../edge/catenary_edge/studio/src/state/feed.ts";
import type { Clock, Socket } from "../../../edge/catenary_edge/studio/src/state/live.ts";

/** A feed over sockets and a clock that the test moves. */
class Played {
  readonly told: string[] = [];
  readonly asked: (string | null)[] = [];
  sockets: Socket[] = [];
  waiting: { milliseconds: number; work: () => void }[] = [];
  readonly feed: Feed;

  constructor() {
    const clock: Clock = {
      now: () => 0,
      later: (milliseconds, work) => this.waiting.push({ milliseconds, work }),
      cancel: () => (this.waiting = []),
    };
    const connect = (after: string | null) => {
      this.asked.push(after);
      const socket: Socket = { onopen: null, onmessage: null, onclose: null, send: () => undefined, close: () => this.told.push("closed") };
      this.sockets.push(socket);
      return socket;
    };
    this.feed = new Feed(connect, { event: ({ id }) => this.told.push(id), missed: () => this.told.push("missed"), ended: (reason) => this.told.push(`ended ${reason}`) }, clock);
    this.feed.open();
  }

  get socket(): Socket {
    return this.sockets.at(-1)!;
  }

  lose(code = 1006, reason = ""): void {
    this.socket.onclose!({ code, reason });
  }

  pass(): number {
    const { milliseconds, work } = this.waiting.shift()!;
    work();
    return milliseconds;
  }
}

const event = (id: string) => ({ data: JSON.stringify({ id, type: "comment.created", data: {} }) });

test("a lost feed goes on after the last event", () => {
  const played = new Played();
  played.socket.onopen!();
  played.socket.onmessage!(event("a"));
  played.lose(1013, "UNAVAILABLE");
  assert.ok(played.pass() < 1000);
  played.socket.onopen!();
  played.socket.onmessage!(event("b"));
  assert.deepEqual(played.asked, [null, "a"]);
  assert.deepEqual(played.told, ["missed", "a", "b"]);
});

test("a feed that can't go on begins anew and reads all", () => {
  const played = new Played();
  played.socket.onopen!();
  played.socket.onmessage!(event("a"));
  played.lose();
  const waits: number[] = [];
  for (let turn = 0; turn < 4; turn += 1) {
    waits.push(played.pass());
    played.lose();
  }
  assert.ok(waits[3]! > waits[0]!);
  assert.equal(played.asked.at(-1), null, "the event may be older than the log");
  played.pass();
  assert.equal(played.told.at(-1), "missed", "without a socket what is shown is read again");
});

test("an ended credential ends the feed and a closed one is silent", () => {
  const played = new Played();
  played.socket.onopen!();
  played.lose(1008, "TOKEN_EXPIRED");
  assert.deepEqual(played.told, ["missed", "ended TOKEN_EXPIRED"]);
  assert.equal(played.waiting.length, 0);
  played.feed.resume();
  played.feed.close();
  assert.equal(played.told.at(-1), "closed");
  assert.equal(played.socket.onmessage, null);
});
