/** Shows the diagnoses of a pod or container of the run. Default export: lazy. */
import { interventionsQuoted, type PodTrack } from '@podscope/trace';
import { type Diagnosis, diagnosePod } from '@podscope/trace/explain';
import type { ReactNode } from 'react';
import { useSession } from '../../node/run/node-session.ts';
import { useNow } from '../../node/run/use-now.ts';
import { useNodeInfo } from '../../node/run/use-run.ts';
import { CauseList } from './CauseList.tsx';
import { LastLines } from './LastLines.tsx';

/** Messages that may contain the text of an injected failure. */
const wordsOf = ({ said, facts }: Diagnosis): string =>
  [said, ...facts.map(({ value }) => value)].filter(Boolean).join('\n');

/** Shows the diagnoses. @param container limits them to one container */
export default function Causes({ pod, container }: { readonly pod: PodTrack; readonly container?: string }) {
  const { run } = useSession();
  const now = useNow(pod.deletedAt === undefined);
  const runtime = useNodeInfo()?.runtime.kind;
  // The simulator answers as dockershim does.
  const all = diagnosePod(run.fold, pod, now, runtime === 'cri' ? 'cri' : 'docker');
  const shown = container === undefined ? all : all.filter((each) => each.container === container);
  const lastLines = ({ container: name, log }: Diagnosis): ReactNode =>
    name !== undefined && log !== undefined && <LastLines pod={pod} container={name} previous={log === 'previous'} />;
  return (
    <CauseList
      diagnoses={shown}
      injectedInto={(diagnosis) => interventionsQuoted(pod, wordsOf(diagnosis))}
      logOf={lastLines}
    />
  );
}
