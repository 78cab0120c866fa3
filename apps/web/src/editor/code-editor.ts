/**
 * A YAML editor of CodeMirror. It lives in a shadow root: there CodeMirror uses constructed style sheets, which a strict content security
 * policy permits, and the page's styles do not reach in.
 */
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { bracketMatching, foldGutter, foldKeymap, indentOnInput, indentUnit, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { EditorState, type Extension } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers } from '@codemirror/view';
import { colours, look } from './code-look.ts';
import { lineChanges } from './line-changes.ts';
import { podCompletion } from './schema/pod-completion.ts';

/** A mark in the text; lines and columns from 1. */
export interface TextFault {
  readonly line: number | undefined;
  readonly column: number | undefined;
  readonly message: string;
  /** A warning: it reads, but will be refused. */
  readonly isWarning?: boolean;
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

function diagnosticOf({ line, column, message, isWarning = false }: TextFault, state: EditorState): Diagnostic {
  return diagnosticAt(line ?? 1, column ?? 1, message, isWarning ? 'warning' : 'error', state);
}

function diagnosticAt(line: number, column: number, message: string, severity: Diagnostic['severity'], state: EditorState): Diagnostic {
  const at = state.doc.line(Math.min(Math.max(1, line), state.doc.lines));
  const from = Math.min(at.from + column - 1, at.to);
  wordEnd.lastIndex = from - at.from;
  const length = wordEnd.exec(at.text)?.[0].length ?? 0;
  return { from, to: Math.min(at.to, from + Math.max(1, length)), severity, message };
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
        ? [EditorState.readOnly.of(true), EditorView.editable.of(false), highlightActiveLine(), highlightActiveLineGutter()]
        : [podCompletion, history(), lintGutter(), highlightActiveLine(), highlightActiveLineGutter()]),
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
    // Only what differs is replaced: the cursor and what is in view stay at their lines.
    this.#view.dispatch({ changes: lineChanges(old, text) });
  }

  setFaults(faults: readonly TextFault[]): void {
    const { state } = this.#view;
    this.#view.dispatch(
      setDiagnostics(
        state,
        faults.map((fault) => diagnosticOf(fault, state)),
      ),
    );
  }

  /** Brings a place into view and puts the cursor there. */
  goTo(line: number, column = 1): void {
    const view = this.#view;
    const at = view.state.doc.line(Math.min(Math.max(1, line), view.state.doc.lines));
    view.dispatch({ selection: { anchor: Math.min(at.from + column - 1, at.to) } });
    // Only the editor itself scrolls: CodeMirror's own way scrolls whatever is around it as well.
    view.requestMeasure({
      read: () => view.lineBlockAt(at.from),
      write: ({ top, height }) => {
        const { scrollDOM } = view;
        if (top < scrollDOM.scrollTop || top + height > scrollDOM.scrollTop + scrollDOM.clientHeight) scrollDOM.scrollTop = top - scrollDOM.clientHeight / 3;
      },
    });
    view.focus();
  }

  focus(): void {
    this.#view.focus();
  }

  dispose(): void {
    this.#view.destroy();
  }
}
