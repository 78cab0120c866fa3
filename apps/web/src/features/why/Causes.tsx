/** Shows the diagnoses of a pod or container in the run. Default export: loaded when first shown. */
import { diagnosePodOfRun } from '@podscope/pod-snapshot/diagnosis';
import { interventionsQuoted, type PodTrack } from '@podscope/trace';
import type { Diagnosis } from '@podscope/trace/explain';
import type { ReactNode } from 'react';
import { useSession } from '../../node/run/node-session.ts';
import { useNow } from '../../node/run/use-now.ts';
import { useNodeInfo } from '../../node/run/use-run.ts';
import { CauseList } from './CauseList.tsx';
import { LastLines } from './LastLines.tsx';
import { useLastLogs } from './use-last-logs.ts';

/** Returns the texts of a diagnosis that may contain the message of an injected failure. */
const wordsOf = ({ said, facts }: Diagnosis): string =>
  [said, ...facts.map(({ value }) => value)].filter(Boolean).join('\n');

/**
 * Shows the diagnoses of a pod.
 * @param container if given, only diagnoses of this container are shown
 */
export default function Causes({ pod, container }: { readonly pod: PodTrack; readonly container?: string }) {
  const { run } = useSession();
  const now = useNow(pod.deletedAt === undefined);
  const info = useNodeInfo();
  // The simulator counts as dockershim, because both emit the same messages.
  const node = info && ({ name: info.nodeName, runtime: info.runtime.kind === 'cri' ? 'crictl' : 'docker' } as const);
  const known = diagnosePodOfRun(run.fold, pod, now, { node });
  const logs = useLastLogs(pod, known);
  // Diagnose again with the logs, because a log can reveal causes that the status doesn't contain.
  const all = Object.keys(logs).length === 0 ? known : diagnosePodOfRun(run.fold, pod, now, { node, logs });
  const shown = container === undefined ? all : all.filter((each) => each.container === container);
  const lastLines = ({ container: name, log }: Diagnosis): ReactNode =>
    name !== undefined && log !== undefined && <LastLines container={name} log={logs[name] ?? ''} />;
  return (
    <CauseList
      diagnoses={shown}
      injectedInto={(diagnosis) => interventionsQuoted(pod, wordsOf(diagnosis))}
      logOf={lastLines}
    />
  );
}
