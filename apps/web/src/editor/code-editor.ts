/**
 * A YAML editor of CodeMirror. It lives in a shadow root: there CodeMirror uses constructed style sheets, which a strict content security
 * policy permits, and the page's styles do not reach in.
 */
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { bracketMatching, foldGutter, foldKeymap, HighlightStyle, indentOnInput, indentUnit, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { EditorState, type Extension } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';

const look = EditorView.theme({
  '&': { height: '100%', color: 'var(--text)', backgroundColor: 'var(--surface)', fontSize: 'var(--text-sm)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.6', overflow: 'auto' },
  '.cm-content': { padding: '8px 0', caretColor: 'var(--text)' },
  '.cm-line': { padding: '0 12px 0 8px' },
  '.cm-gutters': { backgroundColor: 'var(--surface-2)', color: 'var(--text-3)', border: 'none', borderRight: '1px solid var(--hairline)' },
  '.cm-gutter-lint': { width: '14px' },
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--accent) 6%, transparent)' },
  '.cm-activeLineGutter': { backgroundColor: 'var(--surface-3)', color: 'var(--text)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'color-mix(in srgb, var(--accent) 28%, transparent)',
  },
  '.cm-matchingBracket': { backgroundColor: 'var(--surface-4)', color: 'inherit' },
  '.cm-tooltip': {
    border: '1px solid var(--hairline-strong)',
    borderRadius: 'var(--radius)',
    backgroundColor: 'var(--surface)',
    boxShadow: 'var(--shadow)',
    overflow: 'hidden',
  },
  '.cm-diagnostic': { padding: '6px 10px', maxWidth: '36rem', fontFamily: 'var(--font)', whiteSpace: 'pre-wrap' },
  '.cm-diagnostic-error': { borderLeft: '3px solid var(--bad)' },
  '.cm-lintRange-error': { backgroundImage: 'none', borderBottom: '2px dotted var(--bad)' },
  '.cm-lint-marker': { width: '10px', height: '10px', margin: '4px 2px 0' },
  '.cm-foldPlaceholder': { border: 'none', backgroundColor: 'var(--surface-3)', color: 'var(--text-2)' },
});

const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--syntax-key)' },
  { tag: [tags.string, tags.special(tags.string), tags.content], color: 'var(--syntax-text)' },
  { tag: [tags.number], color: 'var(--syntax-number)' },
  { tag: [tags.bool, tags.null, tags.keyword, tags.typeName, tags.labelName], color: 'var(--syntax-literal)' },
  { tag: [tags.comment, tags.lineComment, tags.meta], color: 'var(--syntax-comment)', fontStyle: 'italic' },
  { tag: [tags.punctuation, tags.separator, tags.squareBracket, tags.brace], color: 'var(--text-3)' },
]);

/** A mark in the text; lines and columns from 1. */
export interface TextFault {
  readonly line: number | undefined;
  readonly column: number | undefined;
  readonly message: string;
}

export interface CodeEditorOptions {
  readonly text: string;
  /** What a screen reader calls it. */
  readonly label: string;
  readonly readOnly: boolean;
  readonly onChange?: (text: string) => void;
  /** Ctrl+Enter. */
  readonly onSubmit?: () => void;
}

const wordEnd = /\s*\S*/y;

function diagnosticOf({ line = 1, column = 1, message }: { line?: number; column?: number; message: string }, state: EditorState): Diagnostic {
  const at = state.doc.line(Math.min(Math.max(1, line), state.doc.lines));
  const from = Math.min(at.from + column - 1, at.to);
  wordEnd.lastIndex = from - at.from;
  const length = wordEnd.exec(at.text)?.[0].length ?? 0;
  return { from, to: Math.min(at.to, from + Math.max(1, length)), severity: 'error', message };
}

export class CodeEditor {
  readonly #view: EditorView;

  constructor(host: HTMLElement, { text, label, readOnly, onChange, onSubmit }: CodeEditorOptions) {
    const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
    const extensions: Extension[] = [
      lineNumbers(),
      foldGutter(),
      drawSelection(),
      bracketMatching(),
      indentOnInput(),
      indentUnit.of('  '),
      yaml(),
      syntaxHighlighting(colours),
      look,
      EditorView.contentAttributes.of({ 'aria-label': label, ...(readOnly ? { tabindex: '0', 'aria-readonly': 'true' } : {}) }),
      keymap.of([{ key: 'Mod-Enter', run: () => Boolean(onSubmit) && (onSubmit?.(), true) }, ...defaultKeymap, ...historyKeymap, ...foldKeymap, ...lintKeymap]),
      ...(readOnly
        ? [EditorState.readOnly.of(true), EditorView.editable.of(false)]
        : [history(), lintGutter(), highlightActiveLine(), highlightActiveLineGutter()]),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) onChange?.(update.state.doc.toString());
      }),
    ];
    this.#view = new EditorView({ state: EditorState.create({ doc: text, extensions }), parent: root, root });
  }

  /** Puts another text in place of all; the cursor and the scroll position stay where they can. */
  setText(text: string): void {
    const { state } = this.#view;
    const old = state.doc.toString();
    if (old === text) return;
    // Only what differs is replaced.
    let from = 0;
    while (from < old.length && from < text.length && old[from] === text[from]) from++;
    let tail = 0;
    while (tail < old.length - from && tail < text.length - from && old[old.length - 1 - tail] === text[text.length - 1 - tail]) tail++;
    this.#view.dispatch({ changes: { from, to: old.length - tail, insert: text.slice(from, text.length - tail) } });
  }

  setFaults(faults: readonly TextFault[]): void {
    const { state } = this.#view;
    this.#view.dispatch(
      setDiagnostics(
        state,
        faults.map(({ line, column, message }) => diagnosticOf({ line, column, message }, state)),
      ),
    );
  }

  /** Brings a place into view and puts the cursor there. */
  goTo(line: number, column = 1): void {
    const at = this.#view.state.doc.line(Math.min(Math.max(1, line), this.#view.state.doc.lines));
    this.#view.dispatch({ selection: { anchor: Math.min(at.from + column - 1, at.to) }, scrollIntoView: true });
    this.#view.focus();
  }

  focus(): void {
    this.#view.focus();
  }

  dispose(): void {
    this.#view.destroy();
  }
}
