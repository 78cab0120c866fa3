/** A table of any length: draws the rows in view, is walked through with the arrow keys, can stay at its end while rows come in. */
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { cx } from './cx.ts';
import styles from './DataTable.module.css';
import { useActiveRow } from './use-active-row.ts';
import { useRemeasure, useRowHeight } from './use-row-height.ts';

export interface Column<Row> {
  readonly id: string;
  readonly title: string;
  /** A track of CSS grid: `7rem`, `minmax(8rem, 1fr)`. */
  readonly width: string;
  readonly align?: 'end';
  readonly cell: (row: Row) => ReactNode;
}

interface DataTableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string | number;
  readonly isSelected?: (row: Row) => boolean;
  readonly onSelect?: (row: Row) => void;
  /** Stay at the last row as rows come in, until scrolled away from it. */
  readonly followEnd?: boolean;
  readonly empty: ReactNode;
}

/** Height of a row in pixels, at a scale of 1. */
const usualRowHeight = 28;

export function DataTable<Row>({ label, columns, rows, rowKey, isSelected, onSelect, followEnd = false, empty }: DataTableProps<Row>) {
  const scroller = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  const id = useId();
  const rowHeight = useRowHeight(usualRowHeight);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    // The head lies over the first rows.
    scrollPaddingStart: rowHeight,
    getItemKey: (index) => {
      const row = rows[index];
      return row === undefined ? index : rowKey(row);
    },
  });
  const choose = (index: number): void => {
    const row = rows[index];
    if (row !== undefined) onSelect?.(row);
  };
  const { active, setActive, onKeyDown } = useActiveRow({ count: rows.length, onMove: (index) => virtual.scrollToIndex(index), onActivate: choose });
  const template = { gridTemplateColumns: columns.map(({ width }) => width).join(' ') };
  useRemeasure(virtual, rowHeight);
  useEffect(() => {
    if (followEnd && atEnd.current && rows.length > 0) virtual.scrollToIndex(rows.length - 1, { align: 'end' });
  }, [followEnd, rows.length, virtual]);
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
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        atEnd.current = scrollTop + clientHeight >= scrollHeight - rowHeight / 2;
      }}
    >
      <div role="rowgroup" className={styles.head}>
        <div role="row" aria-rowindex={1} className={styles.row} style={template}>
          {columns.map(({ id: column, title, align }) => (
            <div key={column} role="columnheader" className={cx(styles.cell, align && styles.end)}>
              {title}
            </div>
          ))}
        </div>
      </div>
      <div className={styles.body} style={{ height: virtual.getTotalSize() }} role="rowgroup">
        {virtual.getVirtualItems().map(({ index, key, start }) => {
          const row = rows[index];
          if (row === undefined) return null;
          return (
            // Keys are handled by the grid.
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
            <div
              key={key}
              id={`${id}-${index}`}
              role="row"
              aria-rowindex={index + 2}
              aria-selected={isSelected?.(row) ?? false}
              className={cx(styles.row, styles.item, index === active && styles.active)}
              style={{ ...template, transform: `translateY(${start}px)` }}
              onClick={() => {
                setActive(index);
                choose(index);
              }}
            >
              {columns.map(({ id: column, align, cell }) => (
                <div key={column} role="gridcell" className={cx(styles.cell, align && styles.end)}>
                  {cell(row)}
                </div>
              ))}
            </div>
          );
        })}
      </div>
    </div>
  );
}
