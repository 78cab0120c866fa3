/** Lists the fields in which two pods differ. */
import { useMemo } from 'react';
import { type translate, useT } from '../../../base/i18n/i18n.ts';
import { EmptyState } from '../../../base/ui/layout/EmptyState.tsx';
import { type Column, DataTable } from '../../../base/ui/tables/DataTable.tsx';
import { type ValueDifference, valueDifferences } from '../../../node/pods/value-differences.ts';
import styles from '../CompareTab.module.css';
import { compareMessages } from '../messages.en.ts';

interface Titles {
  readonly before: string;
  readonly after: string;
}

const columnsIn = (t: typeof translate, { before, after }: Titles): readonly Column<ValueDifference>[] => {
  const value = (text: string | undefined) =>
    text === undefined ? (
      <span className={styles.absent}>{t(compareMessages.absent)}</span>
    ) : (
      <code title={text}>{text}</code>
    );
  return [
    {
      id: 'path',
      title: t(compareMessages.field),
      width: 'minmax(10rem, 1.2fr)',
      cell: ({ path }) => <span title={path}>{path}</span>,
    },
    { id: 'before', title: before, width: 'minmax(7rem, 1fr)', cell: (row) => value(row.before) },
    { id: 'after', title: after, width: 'minmax(7rem, 1fr)', cell: (row) => value(row.after) },
  ];
};

interface FieldDifferencesProps extends Titles {
  readonly label: string;
  readonly first: unknown;
  readonly second: unknown;
}

export function FieldDifferences({ label, first, second, before, after }: FieldDifferencesProps) {
  const t = useT();
  const rows = useMemo(() => valueDifferences(first, second), [first, second]);
  const columns = useMemo(() => columnsIn(t, { before, after }), [t, before, after]);
  return (
    <DataTable
      label={label}
      columns={columns}
      rows={rows}
      rowKey={({ path }) => path}
      empty={
        <EmptyState icon="check" title={t(compareMessages.noFieldDiffers)}>
          {t(compareMessages.ids)}
        </EmptyState>
      }
    />
  );
}
