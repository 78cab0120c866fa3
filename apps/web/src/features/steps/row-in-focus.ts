/** Finds the row to which the tree scrolls. */
import type { StepRow } from '../../node/syncs/step-rows.ts';

interface FocusedRow {
  readonly index: number;
  /** True if the rows below the row are also important. The tree then scrolls until the row is at the top. */
  readonly isAtTop: boolean;
}

const isDeepest = ({ isOpen }: StepRow): boolean => isOpen !== true;

/**
 * Returns the most important row. The order of importance is: a row that a lesson highlights, the stop, the selection,
 * a running or waiting step, a failed step, an undecidable step, the runtime manager's work.
 */
export function rowInFocus(
  rows: readonly StepRow[],
  selected: number | undefined,
  pointed: string | undefined,
): FocusedRow | undefined {
  const candidates = [
    pointed === undefined ? -1 : rows.findIndex(({ node }) => node.point === pointed),
    rows.findIndex(({ node }) => node.state === 'stopped'),
    selected === undefined ? -1 : rows.findIndex(({ node }) => node.span?.id === selected),
    rows.findLastIndex((row) => row.node.span !== undefined && row.node.span.end === undefined && isDeepest(row)),
    rows.findIndex((row) => (row.node.state === 'failed' || row.node.state === 'waiting') && isDeepest(row)),
    rows.findIndex((row) => row.node.state === 'undecidable' && isDeepest(row)),
  ];
  const index = candidates.find((candidate) => candidate >= 0);
  if (index !== undefined) return { index, isAtTop: false };
  const runtime = rows.findIndex(({ node }) => node.kind === 'sync' && node.span !== undefined);
  return runtime >= 0 ? { index: runtime, isAtTop: true } : undefined;
}
