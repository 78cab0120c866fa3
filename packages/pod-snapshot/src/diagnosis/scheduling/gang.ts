/**
 * Explains pods that a scheduler starts only together with the other pods of their group. Upstream: the plugin
 * Coscheduling of scheduler-plugins, Volcano, KAI, and the plugin GangScheduling of kube-scheduler (v1.35).
 */
import { textOf } from '@podscope/trace/explain';
import { factsOf, type PodCase } from '../pod-case.ts';
import type { Explained, Reason } from './reason.ts';

/** Matches the words of schedulers about a group that isn't complete. */
export const gangWords =
  /sibling pods|minMember|minAvailable|minCount|pod ?group|\bgang\b|last failed in \S+, deny|plugin "?Coscheduling/i;

/** The labels and annotations that name the group of a pod, with the resource of the group. */
const keys: readonly (readonly [key: string, resource: string])[] = [
  ['scheduling.x-k8s.io/pod-group', 'podgroups.scheduling.x-k8s.io'],
  ['pod-group.scheduling.sigs.k8s.io', 'podgroups.scheduling.x-k8s.io'],
  ['pod-group.scheduling.sigs.k8s.io/name', 'podgroups.scheduling.x-k8s.io'],
  ['scheduling.k8s.io/group-name', 'podgroups.scheduling.volcano.sh'],
  ['scheduling.volcano.sh/group-name', 'podgroups.scheduling.volcano.sh'],
  ['pod-group-name', 'podgroups.scheduling.run.ai'],
];

/** Explains a group that lacks pods, or whose pods don't all find a node. */
export function gangReason(it: PodCase, { text }: Reason): Explained {
  const { labels = {}, annotations = {} } = it.pod.metadata;
  const [key, resource] = keys.find(([each]) => (labels[each] ?? annotations[each]) !== undefined) ?? [];
  const group = key === undefined ? '' : (labels[key] ?? annotations[key] ?? '');
  const { have, want } = /current pods number: (?<have>\d+), minMember of group: (?<want>\d+)/.exec(text)?.groups ?? {};
  const all = { group, have: have ?? '', want: want ?? '', text, owner: it.owner.label };
  const isIncomplete = have !== undefined && Number(have) < Number(want);
  return {
    cause: textOf(isIncomplete ? 'schedGangFew' : 'schedGang', all),
    facts: factsOf([key === undefined ? '' : `metadata.labels["${key}"]`, key === undefined ? '' : labels[key]]),
    until: textOf('schedUntilGang', all),
    next: [
      {
        why: textOf('schedGangLook', all),
        command: it.kubectl(`describe ${resource ?? 'podgroups'}${group === '' ? '' : ` ${group}`}`),
      },
      {
        why: textOf('schedGangPods', all),
        command: it.kubectl(
          `get pods -o wide${key === undefined || labels[key] === undefined ? '' : ` -l ${key}=${group}`}`,
        ),
      },
      ...it.change('schedGangFix', all),
    ],
  };
}
