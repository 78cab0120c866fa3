/** What is wrong with a pod of the run, or with one of its containers. Default export: lazy. */
import { interventionsQuoted, type PodTrack } from '@podscope/trace';
import { type Diagnosis, diagnosePod } from '@podscope/trace/explain';
import { useSession } from '../../run/node-session.ts';
import { useNow } from '../../run/use-now.ts';
import { CauseList } from './CauseList.tsx';

/** All that was said of it by others: where words of an injected failure can be. */
const wordsOf = ({ said, facts }: Diagnosis): string => [said, ...facts.map(({ value }) => value)].filter(Boolean).join('\n');

/** @param container only what concerns this one */
export default function Causes({ pod, container }: { readonly pod: PodTrack; readonly container?: string }) {
  const { run } = useSession();
  const now = useNow(pod.deletedAt === undefined);
  const all = diagnosePod(run.fold, pod, now);
  const shown = container === undefined ? all : all.filter((each) => each.container === container);
  return <CauseList diagnoses={shown} injectedInto={(diagnosis) => interventionsQuoted(pod, wordsOf(diagnosis))} />;
}
