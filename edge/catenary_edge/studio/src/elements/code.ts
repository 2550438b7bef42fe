// <catenary-code>: a text editor for source code. Its styles live in its own root, as sheets that the page's policy allows.
import { indentWithTab } from "@codemirror/commands";
import { python } from "@codemirror/lang-python";
import { HighlightStyle, StreamLanguage, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, setDiagnostics, type Diagnostic } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { basicSetup } from "codemirror";
import type { Finding } from "../state/editing.ts";
import { openscad } from "../state/openscad.ts";
import { code as texts } from "../texts/editor.ts";

const COLOURS = HighlightStyle.define([
  { tag: tags.keyword, color: "light-dark(#8250a4, #d2a8ff)" },
  { tag: [tags.string, tags.special(tags.string)], color: "light-dark(#1d6b3a, #7fd39b)" },
  { tag: [tags.number, tags.bool, tags.null], color: "light-dark(#9a4b00, #f0b072)" },
  { tag: [tags.comment, tags.docString], color: "var(--soft)", fontStyle: "italic" },
  { tag: tags.special(tags.variableName), color: "light-dark(#0b6e75, #76d5dc)" },
  { tag: tags.modifier, color: "var(--bad)", fontWeight: "bold" },
  { tag: [tags.function(tags.variableName), tags.definition(tags.variableName)], color: "var(--link)" },
]);
const OPENSCAD = StreamLanguage.define(openscad);
// The marks of findings are drawn by colours: the pictures of the library are addresses that the page's policy refuses.
const LOOK = EditorView.theme({
  "&": { height: "100%", color: "var(--text)", backgroundColor: "var(--ground)", fontSize: ".8125rem" },
  "&.cm-focused": { outline: "2px solid var(--link)" },
  ".cm-scroller": { fontFamily: "ui-monospace, monospace", lineHeight: "1.5" },
  ".cm-gutters": { color: "var(--soft)", backgroundColor: "var(--raised)", borderRight: "1px solid var(--line)" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "light-dark(rgb(28 90 158 / .07), rgb(127 180 238 / .09))" },
  ".cm-content": { caretColor: "var(--text)" },
  ".cm-cursor, .cm-dropCursor": { borderLeftColor: "var(--text)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "light-dark(#c9def5, #2d4a6b)" },
  ".cm-tooltip, .cm-panels": { color: "var(--text)", backgroundColor: "var(--raised)", border: "1px solid var(--edge)" },
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": { color: "var(--ground)", backgroundColor: "var(--link)" },
  ".cm-textfield, .cm-button": { color: "var(--text)", background: "var(--ground)", border: "1px solid var(--edge)" },
  ".cm-lintRange": { backgroundImage: "none !important", textDecoration: "underline wavy", textDecorationSkipInk: "none" },
  ".cm-lintRange-error": { textDecorationColor: "var(--bad)" },
  ".cm-lintRange-warning": { textDecorationColor: "light-dark(#9a4b00, #f0b072)" },
  ".cm-lint-marker": { content: "normal !important", width: ".6em", height: ".6em", margin: ".45em .1em", borderRadius: "50%" },
  ".cm-lint-marker-error": { backgroundColor: "var(--bad)" },
  ".cm-lint-marker-warning": { backgroundColor: "light-dark(#9a4b00, #f0b072)" },
});

export class CatenaryCode extends HTMLElement {
  private view: EditorView | null = null;
  private given = { text: "", isPython: true };

  constructor() {
    super();
    this.addEventListener("keydown", (event) => event.stopPropagation()); // Ctrl+Z is of the text here, not of the design
  }

  /** Show another text. */
  open(text: string, isPython: boolean): void {
    this.given = { text, isPython };
    if (this.view !== null) this.view.setState(this.state());
  }

  /** Mark lines; a line that the text does not have is passed over. */
  mark(findings: readonly Finding[]): void {
    const { view } = this;
    if (view === null) return;
    const { doc } = view.state;
    const marks = findings
      .filter(({ line }) => line >= 1 && line <= doc.lines)
      .map(({ line, message, isFault }): Diagnostic => {
        const { from, to, text } = doc.line(line);
        return { from: from + (text.length - text.trimStart().length), to, message, severity: isFault ? "error" : "warning" };
      });
    view.dispatch(setDiagnostics(view.state, marks.sort((one, other) => one.from - other.from)));
  }

  /** Bring a line into view and set the cursor there. */
  goTo(line: number): void {
    const { view } = this;
    if (view === null || line < 1 || line > view.state.doc.lines) return;
    const { from } = view.state.doc.line(line);
    view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: "center" }) });
    view.focus();
  }

  private state(): EditorState {
    const { text, isPython } = this.given;
    const check = () => {
      this.dispatchEvent(new CustomEvent("check-wanted", { bubbles: true }));
      return true;
    };
    return EditorState.create({
      doc: text,
      extensions: [
        keymap.of([{ key: "Mod-s", run: check, preventDefault: true }, indentWithTab]),
        basicSetup,
        indentUnit.of("    "),
        isPython ? python() : OPENSCAD,
        lintGutter(),
        LOOK,
        syntaxHighlighting(COLOURS),
        EditorView.contentAttributes.of({ "aria-label": texts.title, tabindex: "0" }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) this.dispatchEvent(new CustomEvent("text-changed", { detail: update.state.doc.toString(), bubbles: true }));
        }),
      ],
    });
  }

  connectedCallback(): void {
    const root = this.shadowRoot ?? this.attachShadow({ mode: "open" });
    this.view = new EditorView({ state: this.state(), parent: root, root });
  }

  disconnectedCallback(): void {
    if (this.view !== null) this.given = { ...this.given, text: this.view.state.doc.toString() };
    this.view?.destroy();
    this.view = null;
  }
}
customElements.define("catenary-code", CatenaryCode);
