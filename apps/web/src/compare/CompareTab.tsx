/** This run beside another one, aligned by what was done, not by when. Default export: loaded when first opened. */
import { type AlignedStep, compareRuns, type StepDifference } from '@podscope/trace/compare';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { FileTrigger } from 'react-aria-components';
import { readSource } from '../alone/source-address.ts';
import { useSession } from '../run/node-session.ts';
import { useIsConnected, useNodeInfo } from '../run/use-run.ts';
import { notify } from '../state/interface.ts';
import { useSelectedPod } from '../state/use-selected-pod.ts';
import { Button, Toggle } from '../ui/Button.tsx';
import { cx } from '../ui/cx.ts';
import { type Column, DataTable } from '../ui/DataTable.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { formatDuration } from '../ui/format.ts';
import { Select } from '../ui/Select.tsx';
import styles from './CompareTab.module.css';
import { type Comparand, fromEngine, fromFile, fromStore } from './comparand.ts';

const words: Readonly<Record<StepDifference, string>> = {
  missing: 'only here',
  extra: 'only there',
  outcome: 'came out otherwise',
  slower: 'slower there',
  faster: 'faster there',
};

const said = ({ outcome, reason, duration }: NonNullable<AlignedStep['before']>): string =>
  [outcome === 'ok' ? undefined : outcome, reason, duration === undefined ? undefined : formatDuration(duration)].filter(Boolean).join(' · ') || 'done';

const stepOf = ({ before, after }: AlignedStep): NonNullable<AlignedStep['before']> | undefined => before ?? after;

const columns: readonly Column<AlignedStep>[] = [
  { id: 'action', title: 'Step', width: 'minmax(8rem, 12rem)', cell: (row) => stepOf(row)?.action },
  {
    id: 'target',
    title: 'Target',
    width: 'minmax(6rem, 1fr)',
    cell: (row) => {
      const step = stepOf(row);
      return (
        step && (
          <code title={step.target}>{`${step.target}${step.attempt > 0 ? ` #${step.attempt}` : ''}${step.occurrence > 1 ? ` ×${step.occurrence}` : ''}`}</code>
        )
      );
    },
  },
  { id: 'before', title: 'This run', width: 'minmax(7rem, 1fr)', cell: ({ before }) => (before ? <span title={before.message}>{said(before)}</span> : '—') },
  { id: 'after', title: 'The other', width: 'minmax(7rem, 1fr)', cell: ({ after }) => (after ? <span title={after.message}>{said(after)}</span> : '—') },
  {
    id: 'difference',
    title: 'Difference',
    width: '10rem',
    cell: ({ difference }) => difference && <span className={cx(styles.difference, styles[difference])}>{words[difference]}</span>,
  },
];

/** Runs of the server's store beside the one in view. */
function useOtherRuns() {
  const { connection } = useSession();
  const node = useNodeInfo();
  const enabled = useIsConnected() && node !== undefined && !node.readOnly;
  return useQuery({
    queryKey: ['runs', node?.run],
    queryFn: async ({ signal }) => (await connection.command<'listRuns'>({ command: 'listRuns' }, signal)).runs.filter(({ id }) => id !== node?.run),
    enabled,
    // A node of the page keeps no runs.
    throwOnError: false,
  }).data;
}

export default function CompareTab() {
  const session = useSession();
  const { pod, version } = useSelectedPod();
  const others = useOtherRuns();
  const [comparand, setComparand] = useState<Comparand>();
  const [isBusy, setBusy] = useState(false);
  const [onlyDifferences, setOnlyDifferences] = useState(true);
  const source = useMemo(() => readSource(location.search, import.meta.env.MODE === 'site'), []);
  const comparison = useMemo(() => {
    if (!comparand || !pod || version < 0) return undefined;
    return compareRuns(session.run.history.events, comparand.events, { pod: `${pod.namespace}/${pod.name}` });
  }, [comparand, pod, version, session]);
  const load = async (loading: () => Promise<Comparand>): Promise<void> => {
    setBusy(true);
    try {
      setComparand(await loading());
    } catch (error) {
      notify('error', error instanceof Error ? error.message : String(error));
    } finally {
      setBusy(false);
    }
  };
  const playOther = (): void => {
    if (source.kind !== 'page') return;
    const profile = source.options.profile === 'v1.20' ? 'v1.36' : 'v1.20';
    const { history } = session.run;
    const start = session.connection.node?.startedAt ?? 0;
    void load(() => fromEngine({ ...source.options, profile }, podscopeVersion, `kubelet ${profile}`, (history.events.at(-1)?.time ?? start) - start));
  };
  const choices = (
    <>
      {source.kind === 'page' && source.options.scenario !== undefined && (
        <Button isDisabled={isBusy} onPress={playOther}>
          Play it as kubelet {source.options.profile === 'v1.20' ? 'v1.36' : 'v1.20'}
        </Button>
      )}
      {others && others.length > 0 && (
        <Select
          label="Compare with a run"
          value={undefined}
          options={others.map(({ id, title, startedAt }) => ({ id, label: title ?? new Date(startedAt).toLocaleString('en') }))}
          onChange={(id) => {
            const run = others.find((each) => each.id === id);
            void load(() => fromStore(session.connection, id, run?.title ?? id, new AbortController().signal));
          }}
        />
      )}
      <FileTrigger
        onSelect={(files) => {
          const file = files?.[0];
          if (file) void load(() => fromFile(file));
        }}
      >
        <Button icon="file" isDisabled={isBusy}>
          Open a saved run
        </Button>
      </FileTrigger>
    </>
  );
  if (!comparison || !comparand) {
    return (
      <EmptyState icon="table" busy={isBusy} title={isBusy ? 'Reading the other run…' : 'Compare this run with another'}>
        <p>Steps are aligned by what was done to what, so that runs of different speed can be laid side by side.</p>
        <div className={styles.choices}>{choices}</div>
      </EmptyState>
    );
  }
  const { steps, counts, alike } = comparison;
  const rows = onlyDifferences ? steps.filter(({ difference }) => difference !== undefined) : steps;
  return (
    <div className={styles.tab}>
      <header className={styles.head}>
        <span className={styles.summary}>
          This run and <strong>{comparand.name}</strong>:{' '}
          {alike ? 'the same steps' : `${counts.missing} only here, ${counts.extra} only there, ${counts.outcome} came out otherwise`}
          {counts.slower + counts.faster > 0 && `, ${counts.slower} slower, ${counts.faster} faster there`}
        </span>
        <Toggle icon="table" isSelected={onlyDifferences} onChange={setOnlyDifferences}>
          Differences only
        </Toggle>
        {choices}
      </header>
      <DataTable
        label="Comparison"
        columns={columns}
        rows={rows}
        rowKey={({ before, after }) => `${before?.seq ?? ''}-${after?.seq ?? ''}`}
        empty={<EmptyState title="No difference">{`All ${steps.length} steps are the same in both.`}</EmptyState>}
      />
    </div>
  );
}
