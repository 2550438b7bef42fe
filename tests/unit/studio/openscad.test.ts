import assert from "node:assert/strict";
import { test } from "node:test";
import { StringStream } from "../../../edge/catenary_edge/studio/node_modules/@codemirror/language/dist/index.js";
import { openscad } from "../../../edge/catenary_edge/studio/src/state/openscad.ts";

const UNIT = 4;

/** Return what the pieces of a text are, without spaces, each as `kind text`. */
function pieces(text: string): string[] {
  const state = openscad.startState!(UNIT);
  return text.split("\n").flatMap((line) => {
    const found: string[] = [];
    const stream = new StringStream(line, UNIT, UNIT);
    while (!stream.eol()) {
      stream.start = stream.pos;
      const kind = openscad.token(stream, state);
      assert.ok(stream.pos > stream.start, `${line} at ${stream.pos}`);
      if (stream.current().trim()) found.push(`${kind ?? "-"} ${stream.current()}`);
    }
    return found;
  });
}
const kinds = (text: string) => pieces(text).map((one) => one.split(" ")[0]);

/** Return how far the line after a text is indented. */
function indentAfter(text: string, next = ""): number | null {
  const state = openscad.startState!(UNIT);
  for (const line of text.split("\n")) {
    const stream = new StringStream(line, UNIT, UNIT);
    while (!stream.eol()) {
      stream.start = stream.pos;
      openscad.token(stream, state);
    }
  }
  return openscad.indent!(state, next, { unit: UNIT } as never) as number | null;
}

test("words, numbers, strings and special variables of OpenSCAD are told apart", () => {
  assert.deepEqual(pieces('$fn = 64; label = "a \\"b\\" // c"; on = true; none = undef;'), [
    "variableName.special $fn", "operator =", "number 64", "- ;",
    "variableName label", "operator =", 'string "a \\"b\\" // c"', "- ;",
    "variableName on", "operator =", "bool true", "- ;",
    "variableName none", "operator =", "null undef", "- ;",
  ]);
  assert.deepEqual(kinds("1 .5 2. 1e-3 0x1F"), Array(5).fill("number"));
});

test("what is defined differs from what is called and what is named", () => {
  assert.deepEqual(pieces("module rib(h) cube (h);"), ["keyword module", "variableName.definition rib", "- (", "variableName h", "- )", "variableName.function cube", "- (", "variableName h", "- )", "- ;"]);
  assert.deepEqual(pieces("function twice(x) = 2 * x;").slice(0, 2), ["keyword function", "variableName.definition twice"]);
  assert.deepEqual(pieces("f = function(x) x;").slice(2, 5), ["keyword function", "- (", "variableName x"]);
});

test("included files are paths, a comparison is none", () => {
  assert.deepEqual(pieces("use <lib/ribs.scad>\n*cube(1);"), ["keyword use", "string.special <lib/ribs.scad>", "modifier *", "variableName.function cube", "- (", "number 1", "- )", "- ;"]);
  assert.deepEqual(pieces("a = b<c;"), ["variableName a", "operator =", "variableName b", "operator <", "variableName c", "- ;"]);
});

test("signs before a statement are modifiers and elsewhere operators", () => {
  assert.deepEqual(pieces("%cube(1);")[0], "modifier %");
  assert.deepEqual(kinds("!#cube(1);").slice(0, 2), ["modifier", "modifier"]);
  assert.deepEqual(pieces("union() { *cube(1); }")[4], "modifier *");
  assert.deepEqual(pieces("translate([1, (0), 0]) #cube(2);").at(-6), "modifier #");
  assert.deepEqual(pieces("translate(v) rotate(w) *cube(2);").at(-6), "modifier *");
  assert.deepEqual(pieces("if (a) cube(1); else %cube(2);").at(-6), "modifier %");
  assert.deepEqual(kinds("a = f(1) * (2) % g(3);").filter((one) => one === "modifier"), []);
  assert.deepEqual(kinds("a = 7 % 2 * b;"), ["variableName", "operator", "number", "operator", "number", "operator", "variableName", "-"]);
  assert.deepEqual(kinds("a = !b;")[2], "operator");
});

test("comments and strings go on over lines until they end", () => {
  assert.deepEqual(pieces("cube(1); /* one\ntwo\n*/ sphere(2); // three").slice(5), ["comment /* one", "comment two", "comment */", "variableName.function sphere", "- (", "number 2", "- )", "- ;", "comment // three"]);
  assert.deepEqual(pieces('a = "one\ntwo" + 3;').slice(2), ['string "one', 'string two"', "operator +", "number 3", "- ;"]);
  assert.deepEqual(kinds('a = "open'), ["variableName", "operator", "string"]);
});

test("lines are indented by the brackets that are open", () => {
  assert.equal(indentAfter("module rib() {"), 4);
  assert.equal(indentAfter("module rib() {\n    cube([", ""), 12);
  assert.equal(indentAfter("module rib() {", "}"), 0);
  assert.equal(indentAfter("}}"), 0);
  assert.equal(indentAfter("/* open"), null);
});

test("any text is read to its end", () => {
  for (const text of ["\\", "é ∑ \u0007", '"\\', "<", "include <", "module", "@&|?:", "/*/", "\t\t#"]) pieces(text);
});
