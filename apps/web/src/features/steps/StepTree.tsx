/**
 * Shows the steps of a sync as a tree. Only the visible rows are rendered. The tree has the focus, and one of its rows
 * is active.
 */
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { useRowHeight } from '../../base/ui/tables/use-row-height.ts';
import { useRowWindow } from '../../base/ui/tables/use-row-window.ts';
import { type StepDepth, type StepRow, stepRows } from '../../node/syncs/step-rows.ts';
import type { StepNode } from '../../node/syncs/step-tree.ts';
import type { SpanOf } from '../../node/syncs/sync-in-view.ts';
import { usePointedAt } from '../../node/view/pointed-at.ts';
import { rowInFocus } from './row-in-focus.ts';
import { type StepMark, StepRowView } from './StepRowView.tsx';
import styles from './StepTree.module.css';
import { useDescribeOutcome } from './step-words.ts';

interface StepTreeProps {
  readonly label: string;
  readonly roots: readonly StepNode[];
  readonly spanOf: SpanOf;
  readonly depth: StepDepth;
  readonly hideNotRun: boolean;
  /** The selected span, and the span at which the pod is stopped. The ancestors of both are expanded. */
  readonly selected: number | undefined;
  readonly stopped: number | undefined;
  readonly onSelect: (span: number | undefined) => void;
  readonly hasBreakpoints: boolean;
  /**
   * The shown instant of the other run in a comparison. If absent, the durations of open spans follow the node's clock.
   */
  readonly clock?: number;
  /** Remarks by step key. */
  readonly marks?: ReadonlyMap<string, StepMark>;
}

/** Height of a row in pixels, at a scale of 1. */
const usualRowHeight = 26;

/** Maximum number of rows for which all rows are rendered, so that the browser's search finds every row. */
const wholeRows = 120;

/** Number of rows above and below the focused step that should also be visible. */
const contextRows = 2;

/** Returns the ancestors of the given spans. */
function pathTo(spans: readonly (number | undefined)[], spanOf: SpanOf): ReadonlySet<number> {
  const path = new Set<number>();
  for (const id of spans)
    for (let span = spanOf(spanOf(id)?.parent); span; span = spanOf(span.parent)) path.add(span.id);
  return path;
}

export function StepTree({
  label,
  roots,
  spanOf,
  depth,
  hideNotRun,
  selected,
  stopped,
  onSelect,
  hasBreakpoints,
  clock,
  marks,
}: StepTreeProps) {
  const id = useId();
  const describe = useDescribeOutcome();
  const rowHeight = useRowHeight(usualRowHeight);
  const [toggled, setToggled] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [activeKey, setActiveKey] = useState<string>();
  const pointed = usePointedAt((at) => at.step);
  // If a lesson highlights a step of SyncPod, show at least this level.
  const deepest = pointed !== undefined && depth === 'kubelet' ? 'kuberuntime' : depth;
  const rows = useMemo(
    () => stepRows(roots, pathTo([selected, stopped], spanOf), { depth: deepest, hideNotRun, toggled }),
    [roots, selected, stopped, spanOf, deepest, hideNotRun, toggled],
  );
  const { scroller, first, end, onScroll, onWheel, reveal } = useRowWindow({
    count: rows.length,
    rowHeight,
    headHeight: 0,
    followEnd: false,
  });
  const [from, to] = rows.length <= wholeRows ? [0, rows.length] : [first, end];
  const focus = rowInFocus(rows, selected, pointed);
  const focusKey = focus && rows[focus.index]?.node.key;
  const seen = useRef<string>(undefined);
  useEffect(() => {
    // Scroll only when another step gets the focus. Otherwise the tree would undo the user's scrolling.
    if (!focus || seen.current === focusKey) return;
    seen.current = focusKey;
    if (focus.isAtTop) reveal(rows.length - 1);
    else {
      reveal(Math.min(rows.length - 1, focus.index + contextRows));
      reveal(Math.max(0, focus.index - contextRows));
    }
    reveal(focus.index);
  }, [focus, focusKey, rows.length, reveal]);

  const active = rows.findIndex(({ node }) => node.key === activeKey);
  const move = (index: number): void => {
    const at = Math.min(rows.length - 1, Math.max(0, index));
    setActiveKey(rows[at]?.node.key);
    reveal(at);
  };
  const toggle = ({ node }: StepRow, isOpen: boolean): void => setToggled(new Map(toggled).set(node.key, isOpen));
  const choose = ({ node: { span } }: StepRow): void => {
    if (span) onSelect(span.id === selected ? undefined : span.id);
  };
  const dotOf = (index: number): HTMLElement | null | undefined =>
    document.getElementById(`${id}-${index}`)?.querySelector<HTMLElement>('button:not(:disabled)');
  const onRow = (row: StepRow): Readonly<Record<string, () => void>> => ({
    ArrowRight: () => (row.isOpen === false ? toggle(row, true) : row.isOpen && move(active + 1)),
    ArrowLeft: () => (row.isOpen ? toggle(row, false) : row.parent >= 0 && move(row.parent)),
    Enter: () => choose(row),
    ' ': () => choose(row),
    F9: () => dotOf(active)?.click(),
    ContextMenu: () => dotOf(active)?.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true })),
    '*': () => {
      const siblings = rows.filter(({ parent, isOpen }) => parent === row.parent && isOpen === false);
      setToggled(new Map([...toggled, ...siblings.map(({ node }) => [node.key, true] as const)]));
    },
  });
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.target !== event.currentTarget || event.altKey || event.ctrlKey || event.metaKey) return;
    const anywhere: Readonly<Record<string, () => void>> = {
      ArrowDown: () => move(active + 1),
      ArrowUp: () => move(active === -1 ? rows.length - 1 : active - 1),
      PageDown: () => move(active + 10),
      PageUp: () => move(active - 10),
      Home: () => move(0),
      End: () => move(rows.length - 1),
    };
    const row = rows[active];
    const action = anywhere[event.key] ?? (row && onRow(row)[event.key]);
    if (!action) return;
    event.preventDefault();
    action();
  };
  return (
    <div
      ref={scroller}
      className={styles.tree}
      role="tree"
      aria-label={label}
      tabIndex={0}
      aria-activedescendant={active >= 0 ? `${id}-${active}` : undefined}
      onKeyDown={onKeyDown}
      onScroll={onScroll}
      onWheel={onWheel}
      onClick={({ target }) => {
        if (!(target instanceof Element) || target.closest('button')) return;
        const row = rows[Number(target.closest<HTMLElement>('[data-index]')?.dataset['index'] ?? Number.NaN)];
        if (!row) return;
        setActiveKey(row.node.key);
        if (target.closest('[data-twisty]') || (!row.node.span && row.isOpen !== undefined)) toggle(row, !row.isOpen);
        else choose(row);
      }}
      onDoubleClick={({ target }) => {
        const index =
          target instanceof Element ? target.closest<HTMLElement>('[data-index]')?.dataset['index'] : undefined;
        const row = rows[Number(index ?? Number.NaN)];
        if (row?.node.span && row.isOpen !== undefined) toggle(row, !row.isOpen);
      }}
    >
      <div className={styles.body} role="presentation">
        {rows.slice(from, to).map((row, at) => {
          const index = from + at;
          const { node } = row;
          return (
            <StepRowView
              key={node.key}
              id={`${id}-${index}`}
              index={index}
              top={index * rowHeight}
              row={row}
              isSelected={node.span !== undefined && node.span.id === selected}
              isActive={index === active}
              hasBreakpoint={hasBreakpoints && node.kind !== 'decision'}
              clock={clock}
              mark={marks?.get(node.key)}
              describe={describe}
              spanOf={spanOf}
            />
          );
        })}
      </div>
      <div style={{ height: rows.length * rowHeight }} aria-hidden="true" />
    </div>
  );
}
