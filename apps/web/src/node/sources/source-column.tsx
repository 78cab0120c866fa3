/** Defines the table column with the source of each fact about a genuine kubelet. */
import type { translate } from '../../base/i18n/i18n.ts';
import type { Column } from '../../base/ui/tables/DataTable.tsx';
import { sourceMessages } from './messages.en.ts';

/** Returns the column. `textOf` returns the source of a row. */
export const sourceColumn = <Row,>(
  t: typeof translate,
  textOf: (row: Row) => string | undefined,
  className?: string,
): Column<Row> => ({
  id: 'source',
  title: t(sourceMessages.source),
  width: 'minmax(6rem, 1.6fr)',
  isSpare: true,
  cell: (row) => {
    const text = textOf(row);
    return (
      <span className={className} title={text}>
        {text}
      </span>
    );
  },
});
