/** A read-only view of one source file: the running line, breakpoints in the gutter, links to lines. */
import { javascript } from '@codemirror/lang-javascript';
import { foldGutter, foldKeymap, syntaxHighlighting } from '@codemirror/language';
import { EditorState, type Range, RangeSet, StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, drawSelection, EditorView, GutterMarker, gutter, keymap, lineNumbers } from '@codemirror/view';
import { colours, look } from '../editor/code-look.ts';

/** What is marked; lines from 1. */
export interface SourceMarks {
  /** The line that runs, or that the selected span comes from. */
  readonly current: number | undefined;
  /** True when the thread stands still there. */
  readonly isStopped: boolean;
  readonly breakpoints: ReadonlySet<number>;
  /** Lines at which a breakpoint makes sense. */
  readonly stoppable: ReadonlySet<number>;
}

const nothing: SourceMarks = { current: undefined, isStopped: false, breakpoints: new Set(), stoppable: new Set() };

const setMarks = StateEffect.define<SourceMarks>();

const marksField = StateField.define<SourceMarks>({
  create: () => nothing,
  update: (marks, { effects }) => effects.reduce((last, effect) => (effect.is(setMarks) ? effect.value : last), marks),
});

const currentLine = Decoration.line({ class: 'current-line' });
const stoppedLine = Decoration.line({ class: 'stopped-line' });

const lineDecorations = EditorView.decorations.compute([marksField], (state): DecorationSet => {
  const { current, isStopped } = state.field(marksField);
  if (current === undefined || current > state.doc.lines) return Decoration.none;
  return Decoration.set([(isStopped ? stoppedLine : currentLine).range(state.doc.line(current).from)]);
});

class Dot extends GutterMarker {
  readonly #isSet: boolean;

  constructor(isSet: boolean) {
    super();
    this.#isSet = isSet;
  }

  override eq(other: GutterMarker): boolean {
    return other instanceof Dot && other.#isSet === this.#isSet;
  }

  override toDOM(): Node {
    const dot = document.createElement('span');
    dot.className = this.#isSet ? 'dot set' : 'dot';
    return dot;
  }
}

const setDot = new Dot(true);
const freeDot = new Dot(false);

const sourceLook = EditorView.theme({
  '.current-line': { backgroundColor: 'var(--accent-soft)' },
  '.stopped-line': { backgroundColor: 'color-mix(in srgb, var(--tl-paused) 32%, transparent)', boxShadow: 'inset 3px 0 0 var(--busy)' },
  '.dots .cm-gutterElement': { width: '16px', cursor: 'pointer', display: 'grid', placeItems: 'center' },
  '.dot': { width: '9px', height: '9px', borderRadius: '50%', border: '1.5px solid var(--hairline-strong)' },
  '.dot.set': { borderColor: 'var(--bad)', backgroundColor: 'var(--bad)' },
});

export interface SourceViewOptions {
  readonly text: string;
  /** What a screen reader calls it. */
  readonly label: string;
  readonly onToggle: (line: number) => void;
}

export class SourceView {
  readonly #view: EditorView;

  constructor(host: HTMLElement, { text, label, onToggle }: SourceViewOptions) {
    const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
    this.#view = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: text,
        extensions: [
          marksField,
          lineDecorations,
          gutter({
            class: 'dots',
            markers: ({ state }) => {
              const { breakpoints, stoppable } = state.field(marksField);
              const dots: Range<GutterMarker>[] = [];
              for (const line of new Set([...breakpoints, ...stoppable]))
                if (line <= state.doc.lines) dots.push((breakpoints.has(line) ? setDot : freeDot).range(state.doc.line(line).from));
              return RangeSet.of(dots, true);
            },
            initialSpacer: () => freeDot,
            domEventHandlers: {
              mousedown: (view, { from }) => {
                onToggle(view.state.doc.lineAt(from).number);
                return true;
              },
            },
          }),
          lineNumbers(),
          foldGutter(),
          drawSelection(),
          javascript({ typescript: true }),
          syntaxHighlighting(colours),
          look,
          sourceLook,
          keymap.of([
            ...foldKeymap,
            {
              key: 'F9',
              run: ({ state }) => {
                onToggle(state.doc.lineAt(state.selection.main.head).number);
                return true;
              },
            },
          ]),
          EditorState.readOnly.of(true),
          EditorView.contentAttributes.of({ 'aria-label': label, 'aria-readonly': 'true', tabindex: '0' }),
        ],
      }),
    });
  }

  /** Marks lines, and brings the current one into view when it is another. */
  mark(marks: SourceMarks): void {
    const { state } = this.#view;
    const moved = marks.current !== state.field(marksField).current;
    const line = marks.current !== undefined && marks.current <= state.doc.lines ? state.doc.line(marks.current) : undefined;
    this.#view.dispatch({
      effects: [setMarks.of(marks), ...(moved && line ? [EditorView.scrollIntoView(line.from, { y: 'center' })] : [])],
      ...(moved && line ? { selection: { anchor: line.from } } : {}),
    });
  }

  dispose(): void {
    this.#view.destroy();
  }
}
