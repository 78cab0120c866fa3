/** Compares two syncs of a pod. */
import type { PodTrack, SyncRecord } from '@podscope/trace';
import { compareSteps } from '@podscope/trace/compare';
import { useMemo, useState } from 'react';
import { useT } from '../../../base/i18n/i18n.ts';
import { Button } from '../../../base/ui/fields/Button.tsx';
import { Select } from '../../../base/ui/fields/Select.tsx';
import { formatClock } from '../../../base/ui/text/format.ts';
import { useSession } from '../../../node/run/node-session.ts';
import { compareMessages } from '../messages.en.ts';
import { Comparison } from './Comparison.tsx';
import { syncSteps } from './sync-steps.ts';

interface SyncComparisonProps {
  readonly pod: PodTrack;
  /** A number that changes with the pod. React needs it, because the pod object is updated in place. */
  readonly version: number;
  readonly onOtherRun: () => void;
}

/** Returns the syncs to compare at first: the last two that did something. */
function firstChoice(syncs: readonly SyncRecord[]): readonly [number, number] {
  const telling = syncs.filter(({ results }) => results.length > 0);
  const pair = (telling.length > 1 ? telling : syncs).slice(-2);
  return [pair[0]?.number ?? 0, pair[1]?.number ?? 0];
}

/** Maximum number of syncs to choose from. If the pod has more, the newest are offered. */
const mostChoices = 200;

export function SyncComparison({ pod, version, onOtherRun }: SyncComparisonProps) {
  const t = useT();
  const { run } = useSession();
  const [[first, second], choose] = useState(() => firstChoice(pod.syncs));
  const compared = useMemo(() => {
    if (version < 0) return undefined;
    const words = { decision: t(compareMessages.decision), result: t(compareMessages.result) };
    const read = (number: number) => {
      const sync = pod.syncs.find((each) => each.number === number);
      if (!sync) return undefined;
      const steps = syncSteps(sync, (id) => run.span(id), pod, words);
      const end = run.span(sync.span)?.endSeq;
      // Show the pod as it was after this sync.
      const then = end === undefined ? pod : run.history.seek(end).pod(pod.uid);
      return { steps, pod: then && { object: then.object, status: then.status } };
    };
    const [left, right] = [read(first), read(second)];
    return left && right && { comparison: compareSteps(left.steps, right.steps), left, right };
  }, [pod, version, first, second, run, t]);
  const options = pod.syncs
    .slice(-mostChoices)
    .toReversed()
    .map(({ number, start, results }) => ({
      id: String(number),
      label: t(compareMessages.syncNumber, { number }),
      note: t(compareMessages.syncNote, { clock: formatClock(start, false), results: results.length }),
    }));
  if (!compared) return null;
  return (
    <Comparison
      comparison={compared.comparison}
      title={t(compareMessages.syncAnd, { first, second })}
      before={t(compareMessages.syncNumber, { number: first })}
      after={t(compareMessages.syncNumber, { number: second })}
      first={compared.left.pod}
      second={compared.right.pod}
    >
      <Select
        label={t(compareMessages.firstSync)}
        value={String(first)}
        options={options}
        onChange={(id) => choose([Number(id), second])}
      />
      <Select
        label={t(compareMessages.secondSync)}
        value={String(second)}
        options={options}
        onChange={(id) => choose([first, Number(id)])}
      />
      <Button onPress={onOtherRun}>{t(compareMessages.otherRun)}</Button>
    </Comparison>
  );
}
