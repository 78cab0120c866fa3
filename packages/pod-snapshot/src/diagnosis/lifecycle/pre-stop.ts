/** Explains what the preStop hooks of a pod that is being deleted wait for. */
import { type ExplainText, type NextCommand, textOf } from '@podscope/trace/explain';
import { appSelector, type ContainerCase, type PodCase } from '../pod-case.ts';

/** Matches the commands of preStop hooks that wait for other members of a cluster, so that no data is lost. */
const quorumHook = /quorum|synchroni[sz]ed|in[-_]sync|cluster[-_ ]?(?:health|status)|decommission|relocat|evacuat/i;

/**
 * Returns what the preStop hooks of running containers wait for, and how to find out. A hook that waits for the other
 * members of a cluster ends by itself once they are well.
 */
export function preStop(
  it: PodCase,
  hooks: readonly ContainerCase[],
): { readonly isQuorum: boolean; readonly cause: readonly ExplainText[]; readonly next: readonly NextCommand[] } {
  const commandOf = ({ spec }: ContainerCase): string => (spec.lifecycle?.preStop?.exec?.command ?? []).join(' ');
  const waits = hooks.find((each) => quorumHook.test(commandOf(each)));
  const [first] = hooks;
  const look = (container: string): NextCommand => ({
    why: textOf('deletingHookLook', { container }),
    command: it.kubectl(`exec ${it.name} -c ${container} -- ps -ef`),
  });
  if (!waits) return { isQuorum: false, cause: [], next: first ? [look(first.name)] : [] };
  const { name } = waits;
  const values = { container: name, owner: it.owner.label };
  const isRabbit = /rabbitmq-/.test(commandOf(waits));
  return {
    isQuorum: true,
    cause: [textOf('deletingQuorum', values)],
    next: [
      { why: textOf('deletingQuorumPods', values), command: it.kubectl(`get pods -o wide${appSelector(it)}`) },
      ...(isRabbit
        ? ['check_if_node_is_quorum_critical', 'cluster_status'].map((words) => ({
            why: textOf('deletingQuorumLook', values),
            command: it.kubectl(`exec ${it.name} -c ${name} -- rabbitmq-diagnostics ${words}`),
          }))
        : [look(name)]),
    ],
  };
}
