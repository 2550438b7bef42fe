import assert from "node:assert/strict";
import { test } from "node:test";
import type { ApiError } from "../../../edge/catenary_edge/studio/src/api/client.ts";
import { LiveSession, type Clock, type LiveFile, type LiveState, type Socket } from "../../../edge/catenary_edge/studio/src/state/live.ts";

/** A socket whose server is the test. */
class Line implements Socket {
  onopen: Socket["onopen"] = null;
  onmessage: Socket["onmessage"] = null;
  onclose: Socket["onclose"] = null;
  readonly sent: { id: number; parameters: Record<string, unknown>; geometry: boolean }[] = [];
  isClosed = false;

  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }

  close(): void {
    this.isClosed = true;
  }

  tell(message: object | ArrayBuffer): void {
    this.onmessage?.({ data: message instanceof ArrayBuffer ? message : JSON.stringify(message) });
  }

  result(id: number, given: object = {}): void {
    this.tell({ id, evaluation: { status: "completed", parameters: {}, metrics: { id: { value: id, unit: null } }, ...given } });
  }

  end(code: number, reason = ""): void {
    this.onclose?.({ code, reason });
  }
}

/** A session with its sockets, a clock in the test's hand, and all that it told. */
class Played implements Clock {
  readonly lines: Line[] = [];
  readonly waits: number[] = [];
  readonly told: string[] = [];
  readonly files: (readonly LiveFile[])[] = [];
  readonly states: LiveState[] = [];
  time = 0;
  private work: (() => void) | null = null;
  readonly session = new LiveSession(
    () => {
      this.lines.push(new Line());
      return this.line;
    },
    {
      outcome: (outcome, asked, milliseconds) => this.told.push(`${outcome.metrics["id"]?.value} ${JSON.stringify(asked)} ${milliseconds}`),
      geometry: (files) => this.files.push(files),
      refused: (error: ApiError) => this.told.push(`refused ${error.message} ${[...error.byParameter]}`),
      state: (state) => this.states.push(state),
      unavailable: (waiting) => this.told.push(`unavailable ${JSON.stringify(waiting)}`),
      ended: (reason) => this.told.push(`ended ${reason}`),
    },
    this,
  );

  get line(): Line {
    return this.lines.at(-1)!;
  }

  now(): number {
    return this.time;
  }

  later(milliseconds: number, work: () => void): number {
    this.waits.push(milliseconds);
    this.work = work;
    return 1;
  }

  cancel(): void {
    this.work = null;
  }

  /** Let the time of a wait pass. */
  wake(): void {
    const { work } = this;
    this.work = null;
    work?.();
  }
}

/** A session with an open socket. */
function open(): Played {
  const played = new Played();
  played.session.send({ width: 1 });
  played.line.onopen?.();
  return played;
}

test("what is sent before the socket opens is sent then, the newest only", () => {
  const played = new Played();
  for (const width of [1, 2, 3]) played.session.send({ width });
  assert.equal(played.lines.length, 1);
  played.line.onopen?.();
  assert.deepEqual(played.line.sent, [{ id: 3, parameters: { width: 3 }, geometry: true }]);
  assert.deepEqual(played.states, ["open"]);
});

test("results come with their values and the time of the model", () => {
  const played = open();
  played.time = 900;
  played.line.result(1);
  played.line.tell({ id: 1, geometry: [] });
  played.session.send({ width: 2 });
  played.time = 960;
  played.line.result(2);
  assert.deepEqual(played.told, ['1 {"width":1} null', '2 {"width":2} 60'], "the first one also starts the model");
});

const ANSWERS: Readonly<Record<string, object>> = {
  "its geometry": { id: 1, geometry: [{ name: "a", format: "glb", unit: null }] },
  "no geometry": { id: 1, geometry: [] },
  "a fault": { id: 1, error: { code: "X", message: "no shape" } },
  "that it was passed over": { id: 1, superseded: true },
  "that a message was no design": { id: null, error: { code: "X", message: "no design" } },
};
for (const [name, answer] of Object.entries(ANSWERS)) {
  test(`the newest design is sent once the one before has ${name}`, () => {
    const played = open();
    for (const width of [2, 3, 4]) played.session.send({ width });
    played.line.result(1);
    assert.deepEqual(played.line.sent.map((one) => one.id), [1], "a design that is sent now would cost the geometry");
    played.line.tell(answer);
    assert.deepEqual(played.line.sent.map((one) => [one.id, one.parameters]), [[1, { width: 1 }], [4, { width: 4 }]]);
    played.line.result(4);
    assert.ok(played.session.isWaiting, "for its geometry");
    played.line.tell({ id: 4, geometry: [{ name: "a", format: "glb", unit: null }] });
    if (name !== "its geometry") {
      assert.ok(played.session.isWaiting, "for its bytes");
      played.line.tell(new ArrayBuffer(4));
      assert.ok(!played.session.isWaiting);
    }
  });
}

test("a result is owed from its sending on, until it is there or the session rests", () => {
  const played = new Played();
  played.session.send({ width: 1 });
  assert.ok(!played.session.owesResult, "nothing is computed yet");
  played.line.onopen?.();
  assert.ok(played.session.owesResult);
  played.line.result(1);
  assert.ok(!played.session.owesResult && played.session.isWaiting);
  played.session.rest();
  assert.deepEqual([played.states.at(-1), played.line.isClosed, played.session.isWaiting], ["resting", true, false]);
  played.session.send({ width: 2 });
  assert.equal(played.lines.length, 2);
});

test("a design without geometry waits for nothing", () => {
  const played = open();
  played.line.result(1);
  played.line.tell({ id: 1, geometry: [] });
  assert.ok(!played.session.isWaiting);
});

test("a design whose geometry was lost with the connection is sent again", () => {
  const played = open();
  played.line.result(1);
  played.line.end(1006);
  played.wake();
  played.line.onopen?.();
  assert.deepEqual(played.line.sent, [{ id: 1, parameters: { width: 1 }, geometry: true }]);
});

test("a design that failed has no geometry to wait for", () => {
  const played = open();
  played.session.send({ width: 2 });
  played.line.result(1, { status: "failed" });
  assert.deepEqual(played.line.sent.map((one) => one.id), [1, 2]);
});

test("files come whole, though other answers stand between them", () => {
  const played = open();
  played.line.result(1);
  played.line.tell({ id: 1, geometry: [{ name: "a", format: "glb", unit: "mm" }, { name: "b", format: "glb", unit: null }] });
  played.line.tell(new ArrayBuffer(1));
  played.line.tell({ id: null, error: { code: "X", message: "no design" } });
  played.line.tell(new ArrayBuffer(2));
  assert.deepEqual(played.files.map((files) => files.map((one) => [one.name, one.unit, one.bytes.byteLength])), [[["a", "mm", 1], ["b", null, 2]]]);
  played.session.send({ width: 2 });
  played.line.result(2);
  played.line.tell({ id: 2, geometry: [] });
  assert.deepEqual(played.files.at(-1), []);
});

test("a refusal of the newest design stands at its parameter", () => {
  const played = open();
  played.session.send({ width: -1 });
  played.line.tell({ id: 1, error: { code: "X", message: "old" } });
  assert.deepEqual(played.told, [], "of one that is no longer the newest");
  played.line.tell({ id: 2, error: { code: "X", message: "must be positive", details: { parameter: "width" } } });
  assert.deepEqual(played.told, ["refused must be positive width,must be positive"]);
  assert.ok(!played.session.isWaiting);
});

test("a fault of the geometry comes after the result that is shown", () => {
  const played = open();
  played.line.result(1);
  played.line.tell({ id: 1, error: { code: "X", message: "no shape" } });
  assert.deepEqual(played.told.slice(1), ["refused no shape "]);
  played.session.send({ width: 2 });
  played.line.tell({ id: 1, error: { code: "X", message: "old" } });
  played.line.tell({ id: 1, superseded: true });
  assert.equal(played.told.length, 2);
  assert.ok(played.session.isWaiting);
});

for (const code of [1001, 1006, 1011, 1012, 1013]) {
  test(`after ${code} the socket opens again and sends the newest design`, () => {
    const played = open();
    played.session.send({ width: 2 });
    played.line.end(code);
    assert.deepEqual([played.states.at(-1), played.waits], ["again", [0]]);
    played.wake();
    played.line.onopen?.();
    assert.deepEqual(played.line.sent, [{ id: 2, parameters: { width: 2 }, geometry: true }]);
    assert.equal(played.states.at(-1), "open");
    assert.deepEqual(played.told, []);
  });
}

test("sockets that close at once open ever more rarely", () => {
  const played = open();
  for (let attempt = 0; attempt < 9; attempt += 1) {
    played.line.end(1012);
    played.wake();
    played.line.onopen?.();
  }
  const [first, second, ...later] = played.waits;
  assert.ok(first === 0 && second! >= 700 && later.at(-1)! > 20_000 && Math.max(...played.waits) <= 37_500, String(played.waits));
  played.time = 60_000;
  played.line.end(1012);
  assert.equal(played.waits.at(-1), 0, "one that stood for a while is opened at once");
});

test("a design opens a connection that closes each five seconds, whatever its pause is", () => {
  const played = open();
  for (let attempt = 0; attempt < 5; attempt += 1) {
    played.time += 5_000;
    played.line.end(1006);
    played.wake();
    played.line.onopen?.();
  }
  played.time += 5_000;
  played.line.end(1006);
  assert.ok(played.waits.at(-1)! > 5_000);
  const before = played.lines.length;
  played.session.send({ width: 2 });
  assert.equal(played.lines.length, before, "at once it would be in a loop with a server that ends each connection");
  played.time += 1_000;
  played.session.send({ width: 3 });
  assert.equal(played.lines.length, before + 1);
  played.wake();
  assert.equal(played.lines.length, before + 1, "the pause has ended");
});

test("a session that was idle opens with the next design", () => {
  const played = open();
  played.line.result(1);
  played.line.tell({ id: 1, geometry: [] });
  played.line.end(1000, "TIMEOUT");
  assert.deepEqual([played.states.at(-1), played.waits], ["resting", []]);
  played.session.send({ width: 2 });
  played.line.onopen?.();
  assert.deepEqual([played.lines.length, played.line.sent.length], [2, 1]);
});

test("a socket that never opens leaves the design to others and is tried again", () => {
  const played = new Played();
  played.session.send({ width: 1 });
  played.line.end(1006);
  assert.deepEqual(played.told, ['unavailable {"width":1}']);
  assert.ok(!played.session.isUsable && !played.session.isWaiting);
  played.wake();
  played.line.onopen?.();
  assert.ok(played.session.isUsable);
  assert.deepEqual(played.line.sent, []);
});

test("an ended credential ends the session until it is resumed", () => {
  const played = open();
  played.line.end(1008, "TOKEN_EXPIRED");
  assert.deepEqual([played.told, played.waits], [["ended TOKEN_EXPIRED"], []]);
  played.session.send({ width: 5 });
  assert.equal(played.lines.length, 1, "nothing is tried with the old one");
  played.session.resume();
  played.line.onopen?.();
  assert.deepEqual(played.line.sent.at(-1)?.parameters, { width: 5 }, "no input is lost");
});

test("another deployed version ends the session for a new one", () => {
  const played = open();
  played.line.end(1012, "CONFLICT");
  assert.deepEqual(played.told, ["ended CONFLICT"]);
});

test("a design that is too large is refused and not sent again", () => {
  const played = open();
  played.line.end(1009);
  assert.match(played.told[0]!, /too large/);
  played.wake();
  played.line.onopen?.();
  assert.deepEqual(played.line.sent, []);
});

test("a closed session takes nothing and opens nothing", () => {
  const played = open();
  const { line } = played;
  played.session.close();
  assert.ok(line.isClosed);
  line.result(1);
  line.end(1006);
  played.session.send({ width: 2 });
  assert.deepEqual([played.told, played.lines.length, played.session.isUsable], [[], 1, false]);
});
