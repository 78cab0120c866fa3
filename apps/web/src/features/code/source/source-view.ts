/**
 * Implements a read-only CodeMirror view of a source file: running line, breakpoints in the gutter, values on hover,
 * upstream names at line ends.
 */
import { javascript } from '@codemirror/lang-javascript';
import { foldGutter, foldKeymap, syntaxHighlighting } from '@codemirror/language';
import { EditorState, type Range, RangeSet, StateEffect, StateField } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  drawSelection,
  EditorView,
  GutterMarker,
  gutter,
  hoverTooltip,
  keymap,
  lineNumbers,
  WidgetType,
} from '@codemirror/view';
import { colours, look } from '../../../base/code-look/code-look.ts';
import type { HoverValue } from '../values/frame-values.ts';
import { pathAt } from '../values/path-at.ts';

/** Marks of the file; lines count from 1. */
export interface SourceMarks {
  /** The line that runs now, or the line of the selected span. */
  readonly current: number | undefined;
  /** True if a thread is stopped at the current line. */
  readonly isStopped: boolean;
  readonly breakpoints: ReadonlySet<number>;
  /** Lines that can have a breakpoint. */
  readonly stoppable: ReadonlySet<number>;
  /** Names of upstream functions, by line. */
  readonly upstream: ReadonlyMap<number, string>;
}

const nothing: SourceMarks = {
  current: undefined,
  isStopped: false,
  breakpoints: new Set(),
  stoppable: new Set(),
  upstream: new Map(),
};

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

/** Shows the name of the upstream function at the end of a line. */
class UpstreamName extends WidgetType {
  readonly #name: string;

  constructor(name: string) {
    super();
    this.#name = name;
  }

  override eq(other: WidgetType): boolean {
    return other instanceof UpstreamName && other.#name === this.#name;
  }

  override toDOM(): HTMLElement {
    const name = document.createElement('span');
    name.className = 'upstream-name';
    name.textContent = this.#name;
    return name;
  }
}

const upstreamNames = EditorView.decorations.compute([marksField], (state): DecorationSet => {
  const ranges = [...state.field(marksField).upstream]
    .filter(([line]) => line <= state.doc.lines)
    .toSorted(([a], [b]) => a - b)
    .map(([line, name]) =>
      Decoration.widget({ widget: new UpstreamName(name), side: 1 }).range(state.doc.line(line).to),
    );
  return Decoration.set(ranges);
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
  '.stopped-line': {
    backgroundColor: 'color-mix(in srgb, var(--tl-paused) 24%, transparent)',
    boxShadow: 'inset 3px 0 0 var(--busy)',
    // The colors of weak text are unreadable on this background.
    '--text-3': 'var(--text-2)',
    '--syntax-comment': 'var(--text-2)',
  },
  '.dots .cm-gutterElement': { width: '16px', cursor: 'pointer', display: 'grid', placeItems: 'center' },
  '.dot': { width: '9px', height: '9px', borderRadius: '50%', border: '1.5px solid var(--hairline-strong)' },
  '.upstream-name': {
    marginLeft: '2.5em',
    padding: '0 0.5em',
    borderRadius: '999px',
    backgroundColor: 'var(--surface-3)',
    color: 'var(--text-3)',
    fontFamily: 'var(--font)',
    fontSize: 'var(--text-xs)',
    userSelect: 'none',
  },
  '.value': { maxWidth: '34rem', padding: '6px 10px', fontSize: 'var(--text-sm)' },
  '.value-name': { color: 'var(--text-3)', fontFamily: 'var(--mono)' },
  '.value-text': {
    display: 'block',
    maxHeight: '14rem',
    overflow: 'auto',
    fontFamily: 'var(--mono)',
    overflowWrap: 'anywhere',
    whiteSpace: 'pre-wrap',
  },
  '.value-from': { marginLeft: '0.75em', color: 'var(--text-3)', fontSize: 'var(--text-xs)' },
  '.dot.set': { borderColor: 'var(--bad)', backgroundColor: 'var(--bad)' },
});

export interface SourceViewOptions {
  readonly text: string;
  /** Accessible name. */
  readonly label: string;
  readonly onToggle: (line: number) => void;
  /** Called for Ctrl+F10, which continues the thread until it reaches the line. */
  readonly onRunTo: (line: number) => void;
  /** Called when the cursor moves to another line. */
  readonly onLine: (line: number) => void;
  /** Called for a right click on a line, with its position in the window. */
  readonly onMenu: (line: number, x: number, y: number) => void;
  /** Returns the value of a name under the pointer, with a description of its source. */
  readonly valueOf: (path: string) => Promise<(HoverValue & { readonly origin: string }) | undefined>;
}

/** Content of the tooltip. */
function valueTooltip({ name, value, origin }: HoverValue & { readonly origin: string }): HTMLElement {
  const part = (tag: string, className: string, text: string): HTMLElement => {
    const element = document.createElement(tag);
    element.className = className;
    element.textContent = text;
    return element;
  };
  const tooltip = part('div', 'value', '');
  tooltip.append(
    part('span', 'value-name', name),
    part('span', 'value-from', origin),
    part('code', 'value-text', value),
  );
  return tooltip;
}

export class SourceView {
  readonly #view: EditorView;

  constructor(host: HTMLElement, { text, label, onToggle, onRunTo, onLine, onMenu, valueOf }: SourceViewOptions) {
    const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
    this.#view = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: text,
        extensions: [
          marksField,
          lineDecorations,
          upstreamNames,
          gutter({
            class: 'dots',
            markers: ({ state }) => {
              const { breakpoints, stoppable } = state.field(marksField);
              const dots: Range<GutterMarker>[] = [];
              for (const line of new Set([...breakpoints, ...stoppable]))
                if (line <= state.doc.lines)
                  dots.push((breakpoints.has(line) ? setDot : freeDot).range(state.doc.line(line).from));
              return RangeSet.of(dots, true);
            },
            initialSpacer: () => freeDot,
            domEventHandlers: {
              mousedown: (view, { from }, event) => {
                if (event instanceof MouseEvent && event.button !== 0) return false;
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
          hoverTooltip(
            async (view, position) => {
              const line = view.state.doc.lineAt(position);
              const named = pathAt(line.text, position - line.from);
              const value = named && (await valueOf(named.path));
              return named && value
                ? {
                    pos: line.from + named.from,
                    end: line.from + named.to,
                    above: true,
                    create: () => ({ dom: valueTooltip(value) }),
                  }
                : null;
            },
            { hoverTime: 250 },
          ),
          EditorView.domEventHandlers({
            contextmenu: (event, view) => {
              const position = view.posAtCoords({ x: event.clientX, y: event.clientY });
              if (position === null) return false;
              event.preventDefault();
              onMenu(view.state.doc.lineAt(position).number, event.clientX, event.clientY);
              return true;
            },
          }),
          EditorView.updateListener.of(({ state, startState, selectionSet }) => {
            const line = state.doc.lineAt(state.selection.main.head).number;
            if (selectionSet && line !== startState.doc.lineAt(startState.selection.main.head).number) onLine(line);
          }),
          keymap.of([
            ...foldKeymap,
            {
              key: 'Ctrl-F10',
              run: ({ state }) => {
                onRunTo(state.doc.lineAt(state.selection.main.head).number);
                return true;
              },
            },
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

  /** Updates the marks and scrolls to the current line when it changed. */
  mark(marks: SourceMarks): void {
    const { state } = this.#view;
    const moved = marks.current !== state.field(marksField).current;
    const line =
      marks.current !== undefined && marks.current <= state.doc.lines ? state.doc.line(marks.current) : undefined;
    this.#view.dispatch({
      effects: [setMarks.of(marks), ...(moved && line ? [EditorView.scrollIntoView(line.from, { y: 'center' })] : [])],
      ...(moved && line ? { selection: { anchor: line.from } } : {}),
    });
  }

  /** Scrolls a line to the top and puts the cursor there. */
  scrollTo(line: number): void {
    const { doc } = this.#view.state;
    const at = doc.line(Math.min(Math.max(1, line), doc.lines));
    this.#view.dispatch({
      selection: { anchor: at.from },
      effects: EditorView.scrollIntoView(at.from, { y: 'start', yMargin: 24 }),
    });
  }

  dispose(): void {
    this.#view.destroy();
  }
}
