/**
 * Implements the YAML editor with CodeMirror, inside a shadow root. There, CodeMirror uses constructed style sheets,
 * which a strict content security policy allows, and the page's styles don't affect it.
 */
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import {
  bracketMatching,
  foldGutter,
  foldKeymap,
  indentOnInput,
  indentUnit,
  syntaxHighlighting,
} from '@codemirror/language';
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { EditorState, type Extension } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { colours, look } from '../../../base/code-look/code-look.ts';
import { podCompletion } from '../schema/pod-completion.ts';
import { lineChanges } from './line-changes.ts';

/** A problem in the text; lines and columns count from 1. */
export interface TextFault {
  readonly line: number | undefined;
  readonly column: number | undefined;
  readonly message: string;
  /** True for a warning: the YAML is valid, but the node will reject it. */
  readonly isWarning?: boolean;
}

export interface CodeEditorOptions {
  readonly text: string;
  /** Accessible name. */
  readonly label: string;
  readonly readOnly: boolean;
  readonly onChange?: (text: string) => void;
  /** Called for Ctrl+Enter. */
  readonly onSubmit?: () => void;
}

const wordEnd = /\s*\S*/y;

function diagnosticOf({ line, column, message, isWarning = false }: TextFault, state: EditorState): Diagnostic {
  return diagnosticAt(line ?? 1, column ?? 1, message, isWarning ? 'warning' : 'error', state);
}

function diagnosticAt(
  line: number,
  column: number,
  message: string,
  severity: Diagnostic['severity'],
  state: EditorState,
): Diagnostic {
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
      EditorView.contentAttributes.of({
        'aria-label': label,
        ...(readOnly ? { tabindex: '0', 'aria-readonly': 'true' } : {}),
      }),
      keymap.of([
        { key: 'Mod-Enter', run: () => Boolean(onSubmit) && (onSubmit?.(), true) },
        ...defaultKeymap,
        ...historyKeymap,
        ...foldKeymap,
        ...lintKeymap,
      ]),
      ...(readOnly
        ? [
            EditorState.readOnly.of(true),
            EditorView.editable.of(false),
            highlightActiveLine(),
            highlightActiveLineGutter(),
          ]
        : [podCompletion, history(), lintGutter(), highlightActiveLine(), highlightActiveLineGutter()]),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) onChange?.(update.state.doc.toString());
      }),
    ];
    this.#view = new EditorView({ state: EditorState.create({ doc: text, extensions }), parent: root, root });
  }

  /** Replaces the text, keeping cursor and scroll position where possible. */
  setText(text: string): void {
    const { state } = this.#view;
    const old = state.doc.toString();
    if (old === text) return;
    // Only the differing lines are replaced, so the cursor and the visible lines stay.
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

  /** Scrolls to a position and puts the cursor there. */
  goTo(line: number, column = 1): void {
    const view = this.#view;
    const at = view.state.doc.line(Math.min(Math.max(1, line), view.state.doc.lines));
    view.dispatch({ selection: { anchor: Math.min(at.from + column - 1, at.to) } });
    // Scrolls only the editor; CodeMirror's own effect also scrolls the elements around it.
    view.requestMeasure({
      read: () => view.lineBlockAt(at.from),
      write: ({ top, height }) => {
        const { scrollDOM } = view;
        if (top < scrollDOM.scrollTop || top + height > scrollDOM.scrollTop + scrollDOM.clientHeight)
          scrollDOM.scrollTop = top - scrollDOM.clientHeight / 3;
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
