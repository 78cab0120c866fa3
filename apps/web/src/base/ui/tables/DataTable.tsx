/**
 * Renders a virtual table, which contains only the visible rows. The table supports the arrow keys and can stay at its
 * last row.
 */
import { type CSSProperties, memo, type ReactNode, useId, useMemo } from 'react';
import { cx } from '../marks/cx.ts';
import styles from './DataTable.module.css';
import { useActiveRow } from './use-active-row.ts';
import { useRowHeight } from './use-row-height.ts';
import { useRowWindow } from './use-row-window.ts';

export interface Column<Row> {
  readonly id: string;
  readonly title: string;
  /** Width of the column, as a track of a CSS grid: `7rem`, `minmax(8rem, 1fr)`. */
  readonly width: string;
  readonly align?: 'end';
  /** True to hide the column in a narrow table, for data that is also shown elsewhere. */
  readonly isSpare?: boolean;
  readonly cell: (row: Row) => ReactNode;
}

interface DataTableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string | number;
  readonly isSelected?: (row: Row) => boolean;
  readonly onSelect?: (row: Row) => void;
  /** True to keep the last row visible while rows are added, until the user scrolls away. */
  readonly followEnd?: boolean;
  readonly empty: ReactNode;
}

/** Height of a row in pixels, at a scale of 1. */
const usualRowHeight = 28;

interface RowViewProps<Row> {
  readonly id: string;
  readonly index: number;
  readonly top: number;
  readonly row: Row;
  readonly columns: readonly Column<Row>[];
  readonly template: CSSProperties;
  readonly isSelected: boolean;
  readonly isActive: boolean;
}

function RowViewNow<Row>({ id, index, top, row, columns, template, isSelected, isActive }: RowViewProps<Row>) {
  return (
    <div
      id={id}
      role="row"
      data-index={index}
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      className={cx(styles.row, styles.item, isActive && styles.active)}
      style={{ ...template, transform: `translateY(${top}px)` }}
    >
      {columns.map(({ id: column, align, isSpare, cell }) => (
        <div key={column} role="gridcell" className={cx(styles.cell, align && styles.end, isSpare && styles.spare)}>
          {cell(row)}
        </div>
      ))}
    </div>
  );
}

/** Doesn't render a row again while other rows are added. */
const RowView = memo(RowViewNow) as typeof RowViewNow;

const never = (): boolean => false;

const joined = (columns: readonly { readonly width: string }[]): string => columns.map(({ width }) => width).join(' ');

/** Returns the grid tracks, for normal and narrow tables. */
function tracksOf<Row>(columns: readonly Column<Row>[]): CSSProperties {
  const tracks: Record<`--${string}`, string> = {
    '--columns': joined(columns),
    '--columns-narrow': joined(columns.filter(({ isSpare }) => !isSpare)),
  };
  return tracks;
}

export function DataTable<Row>({
  label,
  columns,
  rows,
  rowKey,
  isSelected = never,
  onSelect,
  followEnd = false,
  empty,
}: DataTableProps<Row>) {
  const id = useId();
  const rowHeight = useRowHeight(usualRowHeight);
  const { scroller, first, end, onScroll, onWheel, reveal } = useRowWindow({
    count: rows.length,
    rowHeight,
    headHeight: rowHeight,
    followEnd,
  });
  const choose = (index: number): void => {
    const row = rows[index];
    if (row !== undefined) onSelect?.(row);
  };
  const { active, setActive, onKeyDown } = useActiveRow({ count: rows.length, onMove: reveal, onActivate: choose });
  const template = useMemo(() => tracksOf(columns), [columns]);
  if (rows.length === 0) return <>{empty}</>;
  return (
    <div
      ref={scroller}
      className={styles.table}
      role="grid"
      aria-label={label}
      aria-rowcount={rows.length + 1}
      aria-colcount={columns.length}
      tabIndex={0}
      aria-activedescendant={active >= 0 ? `${id}-${active}` : undefined}
      onKeyDown={onKeyDown}
      onScroll={onScroll}
      onWheel={onWheel}
      onClick={({ target }) => {
        const index =
          target instanceof Element ? target.closest<HTMLElement>('[data-index]')?.dataset['index'] : undefined;
        if (index === undefined) return;
        setActive(Number(index));
        choose(Number(index));
      }}
    >
      <div role="rowgroup" className={styles.head}>
        <div role="row" aria-rowindex={1} className={styles.row} style={template}>
          {columns.map(({ id: column, title, align, isSpare }) => (
            <div
              key={column}
              role="columnheader"
              className={cx(styles.cell, align && styles.end, isSpare && styles.spare)}
            >
              {title}
            </div>
          ))}
        </div>
      </div>
      <div className={styles.body} role="rowgroup">
        {rows.slice(first, end).map((row, at) => {
          const index = first + at;
          return (
            <RowView
              key={rowKey(row)}
              id={`${id}-${index}`}
              index={index}
              top={index * rowHeight}
              row={row}
              columns={columns}
              template={template}
              isSelected={isSelected(row)}
              isActive={index === active}
            />
          );
        })}
      </div>
      {/* This element is as high as all rows together. Only this element changes its height, so that the container
          of the rows keeps its size. */}
      <div style={{ height: rows.length * rowHeight }} aria-hidden="true" />
    </div>
  );
}
