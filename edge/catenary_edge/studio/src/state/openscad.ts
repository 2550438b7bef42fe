// The words of OpenSCAD for the editor: what each piece of a text is, how lines are indented, and names to complete.
// Strings and comments may go over lines. `*`, `%` and `!` are modifiers where a statement or the child of one begins, as in
// `translate([1, 0, 0]) *cube(2);`, and operators elsewhere.
import type { StreamParser } from "@codemirror/language";

interface State {
  /** What a line began within. */
  within: "" | "comment" | "string";
  /** Whether a statement begins here. */
  isStart: boolean;
  /** The word before, if a name or a path follows it. */
  before: "" | "module" | "function" | "include";
  /** How many brackets are open. */
  open: number;
  /** How many were open before the call of a module, after which its child begins; -1 within other statements. */
  call: number;
}

const KEYWORDS = new Set(["module", "function", "if", "else", "for", "let", "assert", "echo", "each", "include", "use"]);
const WORD = /^\$?[A-Za-z_]\w*/;
const NUMBER = /^(?:0x[\da-f]+|(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)/i;

/** Names that the language brings. */
const MODULES =
  "children circle color cube cylinder difference hull import intersection intersection_for linear_extrude minkowski mirror multmatrix offset polygon polyhedron projection render resize rotate rotate_extrude scale sphere square surface text translate union";
const FUNCTIONS =
  "abs acos asin atan atan2 ceil chr concat cos cross exp floor is_bool is_function is_list is_num is_string is_undef len ln log lookup max min norm ord parent_module pow rands round search sign sin sqrt str tan version";
const SPECIAL = "$children $fa $fn $fs $preview $t $vpd $vpf $vpr $vpt PI";
const completions = (names: string, type: string) => names.split(" ").map((label) => ({ label, type }));

export const openscad: StreamParser<State> = {
  name: "openscad",
  startState: () => ({ within: "", isStart: true, before: "", open: 0, call: -1 }),
  token(stream, state) {
    if (state.within === "comment") return commentOf(stream, state);
    if (state.within === "string") return stringOf(stream, state);
    if (stream.eatSpace()) return null;
    if (stream.match("//")) {
      stream.skipToEnd();
      return "comment";
    }
    if (stream.match("/*")) return commentOf(stream, state);
    const { isStart, before } = state;
    state.before = "";
    if (before === "include" && stream.match(/^<[^>]*>?/)) {
      state.isStart = true; // no semicolon follows
      return "string.special";
    }
    state.isStart = false;
    if (stream.eat('"')) return stringOf(stream, state);
    if (stream.match(NUMBER)) return "number";
    const word = stream.match(WORD) as RegExpMatchArray | null;
    if (word) {
      const isCall = stream.match(/^\s*\(/, false) !== null;
      if (isStart) state.call = isCall && before === "" ? state.open : -1;
      return wordOf(word[0], isCall, before, state);
    }
    return signOf(stream.next() ?? "", isStart, state);
  },
  indent(state, textAfter, { unit }) {
    if (state.within !== "") return null;
    return Math.max(state.open - (/^[)\]}]/.test(textAfter) ? 1 : 0), 0) * unit;
  },
  languageData: {
    commentTokens: { line: "//", block: { open: "/*", close: "*/" } },
    closeBrackets: { brackets: ["(", "[", "{", '"'] },
    indentOnInput: /^\s*[)\]}]$/,
    wordChars: "$",
    autocomplete: [...completions(MODULES, "function"), ...completions(FUNCTIONS, "function"), ...completions(SPECIAL, "variable"), ...completions([...KEYWORDS].join(" "), "keyword")],
  },
};

type Stream = Parameters<typeof openscad.token>[0];

function commentOf(stream: Stream, state: State): string {
  const isEnded = stream.match(/^.*?\*\//) !== null;
  if (!isEnded) stream.skipToEnd();
  state.within = isEnded ? "" : "comment";
  return "comment";
}

function stringOf(stream: Stream, state: State): string {
  const isEnded = stream.match(/^(?:\\.|[^"\\])*"/) !== null;
  if (!isEnded) stream.skipToEnd();
  state.within = isEnded ? "" : "string";
  return "string";
}

function wordOf(word: string, isCall: boolean, before: State["before"], state: State): string {
  if (word === "true" || word === "false") return "bool";
  if (word === "undef") return "null";
  if (KEYWORDS.has(word)) {
    if (word === "module" || word === "function") state.before = word;
    if (word === "include" || word === "use") state.before = "include";
    state.isStart = word === "else";
    return "keyword";
  }
  if (word.startsWith("$")) return "variableName.special";
  if (before === "module" || before === "function") return "variableName.definition";
  return isCall ? "variableName.function" : "variableName";
}

function signOf(sign: string, isStart: boolean, state: State): string | null {
  if ("([{".includes(sign)) state.open += 1;
  if (")]}".includes(sign)) state.open = Math.max(state.open - 1, 0);
  const isModifier = sign === "#" || (isStart && "*%!".includes(sign));
  state.isStart = isModifier || ";{}".includes(sign) || (sign === ")" && state.open === state.call);
  if (isModifier) return "modifier";
  return "([{}]);,".includes(sign) ? null : "operator";
}
