/**
 * Shows the metrics that the runtime manager keeps: started pods and containers (v1.36 only), and calls, errors and
 * durations of each CRI operation. Default export: loaded when first opened. Upstream: instrumented_services.go,
 * metrics.go.
 */
import { formatDuration } from '@podscope/timeline';
import { useCallback, useMemo, useState, useSyncExternalStore } from 'react';
import { type translate, useT } from '../../base/i18n/i18n.ts';
import { EmptyState } from '../../base/ui/layout/EmptyState.tsx';
import { type Column, DataTable } from '../../base/ui/tables/DataTable.tsx';
import { useSession } from '../../node/run/node-session.ts';
import { useNodeInfo } from '../../node/run/use-run.ts';
import styles from './MetricsTab.module.css';
import { metricsMessages } from './messages.en.ts';
import { type OperationRow, operationRows, startRows } from './metric-rows.ts';
import { MetricsFold } from './metrics-fold.ts';

const seconds = (value: number): string => formatDuration(value * 1000);

/** The largest finite upper bound of the buckets, in seconds. */
const largestBound = 0.005 * 2.5 ** 13;

const columnsIn = (t: typeof translate): readonly Column<OperationRow>[] => {
  const count = (value: number): string => value.toLocaleString();
  const bound = (value: number): string =>
    Number.isFinite(value)
      ? t(metricsMessages.atMost, { duration: seconds(value) })
      : t(metricsMessages.more, { duration: seconds(largestBound) });
  return [
    {
      id: 'operation',
      title: t(metricsMessages.operation),
      width: 'minmax(9rem, 2fr)',
      cell: ({ operation }) => <code>{operation}</code>,
    },
    {
      id: 'calls',
      title: t(metricsMessages.calls),
      width: 'minmax(3.5rem, 1fr)',
      align: 'end',
      cell: ({ calls }) => count(calls),
    },
    {
      id: 'errors',
      title: t(metricsMessages.errors),
      width: 'minmax(3.5rem, 1fr)',
      align: 'end',
      cell: ({ errors }) => <span className={errors > 0 ? styles.bad : styles.quiet}>{count(errors)}</span>,
    },
    {
      id: 'mean',
      title: t(metricsMessages.mean),
      width: 'minmax(4.5rem, 1fr)',
      align: 'end',
      cell: ({ mean }) => seconds(mean),
    },
    {
      id: 'median',
      title: t(metricsMessages.median),
      width: 'minmax(5rem, 1fr)',
      align: 'end',
      isSpare: true,
      cell: ({ median }) => bound(median),
    },
    {
      id: 'percentile99',
      title: t(metricsMessages.percentile99),
      width: 'minmax(7rem, 1fr)',
      align: 'end',
      isSpare: true,
      cell: ({ percentile99 }) => bound(percentile99),
    },
  ];
};

export default function MetricsTab() {
  const t = useT();
  const { run } = useSession();
  const profile = useNodeInfo()?.profile;
  const version = useSyncExternalStore(
    useCallback((listener) => run.subscribe(listener), [run]),
    () => run.version,
  );
  const [fold] = useState(() => new MetricsFold());
  const columns = useMemo(() => columnsIn(t), [t]);
  const { operations, starts } = useMemo(() => {
    const seq = run.past?.seq ?? run.history.lastSeq;
    const families = version < 0 ? [] : fold.familiesAt(run.history, seq, (uid) => run.pod(uid));
    // The metrics of started pods and containers are newer than v1.20.
    return { operations: operationRows(families), starts: profile === 'v1.20' ? [] : startRows(families) };
  }, [run, version, fold, profile]);
  const { firstSeq } = run.history;
  return (
    <div className={styles.tab}>
      <div className={styles.head}>
        {starts.length > 0 && (
          <table className={styles.starts} aria-label={t(metricsMessages.starts)}>
            <thead>
              <tr>
                <th scope="col">{t(metricsMessages.metric)}</th>
                <th scope="col">{t(metricsMessages.value)}</th>
                <th scope="col">{t(metricsMessages.errors)}</th>
              </tr>
            </thead>
            <tbody>
              {starts.map(({ name, value, errors }) => (
                <tr key={name}>
                  <th scope="row">
                    <code>{name}</code>
                  </th>
                  <td>{value.toLocaleString()}</td>
                  <td className={errors > 0 ? styles.bad : styles.quiet}>{errors.toLocaleString()}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
        <p className={styles.note}>
          {t(metricsMessages.note, { metrics: 'kubelet_runtime_operations_{total,errors_total,duration_seconds}' })}
          {firstSeq > 1 && ` ${t(metricsMessages.partial, { seq: firstSeq })}`}
        </p>
      </div>
      <div className={styles.operations}>
        <DataTable
          label={t(metricsMessages.operations)}
          columns={columns}
          rows={operations}
          rowKey={({ operation }) => operation}
          empty={
            <EmptyState icon="table" title={t(metricsMessages.none)}>
              {t(metricsMessages.noneNote)}
            </EmptyState>
          }
        />
      </div>
    </div>
  );
}
