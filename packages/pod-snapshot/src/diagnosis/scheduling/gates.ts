/**
 * Diagnoses a pod that has scheduling gates, so that it isn't scheduled. Upstream: the plugin SchedulingGates (v1.36).
 */
import { textOf } from '@podscope/trace/explain';
import { type Finding, factsOf, type PodCase } from '../pod-case.ts';

/** The controllers that set well-known gates. Each has a command that shows what the controller waits for. */
const gateOwners: readonly (readonly [RegExp, string, (it: PodCase) => string])[] = [
  [/kueue/, 'Kueue', (it) => it.kubectl('describe workloads.kueue.x-k8s.io,localqueues.kueue.x-k8s.io')],
  [/karpenter/, 'Karpenter', () => 'kubectl get nodeclaims'],
  [/volcano/, 'Volcano', (it) => it.kubectl('get podgroups.scheduling.volcano.sh')],
  [/grove|lws|leaderworkerset/, 'LeaderWorkerSet', (it) => it.kubectl('get leaderworkersets')],
];

/** Returns the words of gates by which to find their controllers, for example `acme|quota-check`. */
const wordsOf = (gates: readonly string[]): string =>
  gates
    .flatMap((gate) => gate.split(/[./]/))
    .filter((word) => word.length > 2 && !/^(?:io|com|org|net|dev|k8s|www|gate|scheduling)$/.test(word))
    .join('|');

/** Returns the finding of a pod with scheduling gates; undefined without any. */
export function gated(it: PodCase): Finding | undefined {
  const gates = (it.pod.spec.schedulingGates ?? []).map(({ name }) => name);
  if (gates.length === 0 || it.node !== '') return undefined;
  const known = gates.flatMap((name) => {
    const controller = gateOwners.find(([pattern]) => pattern.test(name));
    return controller ? [{ name, by: controller[1], command: controller[2](it) }] : [];
  });
  const unknown = gates.filter((name) => known.every((each) => each.name !== name));
  const queue = Object.entries(it.pod.metadata.labels ?? {}).find(([key]) => key.endsWith('queue-name'));
  const names = gates.join(', ');
  const rest = unknown.join(', ');
  return {
    reason: 'SchedulingGated',
    severity: 'waiting',
    origin: 'controller',
    title: textOf(gates.length > 1 ? 'gatesTwoTitle' : 'gateTitle', { names }),
    cause: [
      ...known.map(({ name, by }) => textOf('gateKnown', { names: name, by })),
      ...(unknown.length > 0 ? [textOf('gateCause', { names: rest })] : []),
      ...(queue ? [textOf('gateQueue', { queue: queue[1] })] : []),
    ],
    facts: factsOf(['spec.schedulingGates', names], [queue ? `metadata.labels.${queue[0]}` : '', queue?.[1]]),
    outlook: [textOf('gateOutlook', { names, by: [...known.map(({ by }) => by), ...unknown].join(', ') })],
    next: [
      ...known.map(({ by, command }) => ({ why: textOf('gateLook', { by }), command })),
      ...(known.some(({ by }) => by === 'Kueue')
        ? [{ why: textOf('gateQuota'), command: 'kubectl describe clusterqueues.kueue.x-k8s.io' }]
        : []),
      ...(unknown.length > 0
        ? [
            {
              why: textOf('gateFind', { names: rest }),
              command: `kubectl get deployments,pods -A | grep -iE '${wordsOf(unknown)}'`,
            },
            { why: textOf('gateWebhook'), command: 'kubectl get mutatingwebhookconfigurations' },
            {
              why: textOf('gateRemove', { names: rest }),
              command: it.kubectl(
                `patch pod ${it.name} --type=json -p '[{"op":"remove","path":"/spec/schedulingGates"}]'`,
              ),
            },
          ]
        : []),
    ],
  };
}
