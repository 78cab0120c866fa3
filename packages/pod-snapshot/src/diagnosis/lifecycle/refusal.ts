/**
 * Diagnoses a pod that its kubelet did not admit. Upstream: lifecycle.PodAdmitHandler implementations and
 * admission_failure_handler.go.
 */
import { type NextCommand, textOf } from '@podscope/trace/explain';
import { instantOf } from '../../pod-snapshot.ts';
import { type ContainerCase, factsOf, failedOutlook, type Matcher, type PodCase } from '../pod-case.ts';
import { onNode } from '../runtime.ts';
import { describeNode } from './node-loss.ts';
import { amountText, fitting, nodeResources, unitsOf } from './node-resources.ts';

/** The reasons with which a kubelet refuses a pod. Upstream: lifecycle.PodAdmitHandler implementations. */
const refusals: Readonly<
  Record<
    string,
    | 'refuseAffinity'
    | 'refuseSysctl'
    | 'refuseOs'
    | 'refuseAppArmor'
    | 'refuseTaint'
    | 'refusePorts'
    | 'refuseAdmission'
    | 'refuseTopology'
    | 'refuseOther'
  >
> = {
  NodeAffinity: 'refuseAffinity',
  MatchNodeSelector: 'refuseAffinity',
  SysctlForbidden: 'refuseSysctl',
  PodOSNotSupported: 'refuseOs',
  PodOSSelectorNodeLabelDoesNotMatch: 'refuseOs',
  AppArmor: 'refuseAppArmor',
  Taint: 'refuseTaint',
  TaintToleration: 'refuseTaint',
  HostPortConflict: 'refusePorts',
  NodePorts: 'refusePorts',
  UnexpectedAdmissionError: 'refuseAdmission',
  InvalidNodeInfo: 'refuseAdmission',
  TopologyAffinityError: 'refuseTopology',
  ResourceAllocationFailure: 'refuseTopology',
};

/** Returns the node labels that the pod requires. */
function wantedLabels({ pod: { spec } }: PodCase): string {
  const terms = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  return [
    ...Object.entries(spec.nodeSelector ?? {}).map(([key, value]) => `${key}=${value}`),
    ...terms.flatMap(({ matchExpressions = [] }) =>
      matchExpressions.map(({ key, operator, values = [] }) => `${key} ${operator} ${values.join('|')}`.trim()),
    ),
  ].join(', ');
}

const cpuOf = ({ spec }: ContainerCase): string => String(spec.resources?.requests?.['cpu'] ?? 0);

/**
 * Returns the commands that show which pods use up a resource of the node, and commands that make room for a pod that
 * is bound to this node.
 */
function shortage(it: PodCase, values: Readonly<Record<string, string>>): readonly NextCommand[] {
  const isBound = it.owner.kind === 'DaemonSet';
  if (values['resource'] === 'pods')
    return [
      {
        why: textOf('refusePodsMove', values),
        command: `kubectl get pods -A -o wide --field-selector spec.nodeName=${it.node}`,
      },
      { why: textOf('refusePodsMax', values), command: onNode(it, 'grep -i maxPods /var/lib/kubelet/config.yaml') },
      ...(isBound ? it.change('schedPriority', values) : []),
    ];
  return [
    describeNode(it),
    ...(isBound ? [...it.change('refuseBoundFix', values), ...it.change('schedPriority', values)] : []),
  ];
}

/** How long the API server keeps events by default, in ms. */
const eventAge = 3_600_000;

/** The refusals whose reasons a scheduler checks as well, so that it would not have chosen the node. */
const checkedBefore =
  /^(?:OutOf|NodeAffinity$|MatchNodeSelector$|PodOS|Taint(?:Toleration)?$|HostPortConflict$|NodePorts$)/;

/**
 * Returns whether the template names the node, so that no scheduler placed the pod: the applied file names it; or a
 * scheduler would not have chosen the node, the pod is young enough for its events to exist, and none of them is by a
 * scheduler.
 */
function isPlacedDirectly({ pod, events, now, owner: { kind }, containers, cluster, node }: PodCase): boolean {
  if (cluster.templateNode !== undefined) return cluster.templateNode === node;
  if (!checkedBefore.test(pod.status?.reason ?? '')) return false;
  const applied = pod.metadata.annotations?.['kubectl.kubernetes.io/last-applied-configuration'] ?? '';
  if (kind === 'Pod' && applied.includes(`"nodeName":"${node}"`)) return true;
  const created = instantOf(pod.metadata.creationTimestamp);
  return (
    kind !== 'DaemonSet' &&
    containers.length > 0 &&
    events.length > 0 &&
    created !== undefined &&
    now - created < eventAge &&
    !events.some(({ reason }) => reason === 'Scheduled' || reason === 'FailedScheduling')
  );
}

/** Returns the commands that let the scheduler choose the node again. */
function unpin(it: PodCase, values: Readonly<Record<string, string>>): readonly NextCommand[] {
  const { kind, ref } = it.owner;
  return ['Deployment', 'StatefulSet', 'ReplicaSet'].includes(kind)
    ? [
        ...(it.cluster.templateNode === undefined
          ? [
              {
                why: textOf('refusePinnedLook', values),
                command: it.kubectl(`get ${ref} -o jsonpath='{.spec.template.spec.nodeName}'`),
              },
            ]
          : []),
        {
          why: textOf(it.cluster.templateNode === undefined ? 'refusePinnedIf' : 'refusePinnedFix', values),
          command: it.kubectl(`patch ${ref} --type=json -p '[{"op":"remove","path":"/spec/template/spec/nodeName"}]'`),
        },
      ]
    : it.change('refusePinnedFix', values);
}

/** Diagnoses a pod that its kubelet did not admit. */
export const refusalFindings: Matcher = (it) => {
  const { phase, reason = '', message = '' } = it.pod.status ?? {};
  if (phase !== 'Failed') return [];
  const resources = nodeResources.exec(message)?.groups;
  const known = reason.startsWith('OutOf')
    ? 'refuseResources'
    : (refusals[reason] ??
      (/^Pod was rejected: (?!The node had condition)/.test(message) && reason !== 'Evicted'
        ? 'refuseOther'
        : undefined));
  if (known === undefined) return [];
  const resource = resources?.['resource'] ?? reason.replace(/^OutOf/, '');
  const amount = (name: string): string => amountText(resource, Number(resources?.[name] ?? 0));
  const sysctl =
    /sysctl: "([^"]+)"/.exec(message)?.[1] ??
    (it.pod.spec.securityContext?.sysctls ?? []).map(({ name }) => name).join(', ');
  const largest = it.containers.toSorted((a, b) => unitsOf('cpu', cpuOf(b)) - unitsOf('cpu', cpuOf(a)))[0];
  const values = {
    node: it.node,
    resource,
    requested: amount('requested'),
    used: amount('used'),
    capacity: amount('capacity'),
    owner: it.owner.label,
    message: message.replace(/^Pod was rejected: /, ''),
    sysctl,
    wanted: wantedLabels(it),
    ports: it.containers.flatMap(({ spec }) => (spec.ports ?? []).flatMap(({ hostPort }) => hostPort ?? [])).join(', '),
    free:
      resources?.['used'] === undefined
        ? ''
        : fitting(resource, Number(resources['capacity']) - Number(resources['used'])),
    asked: Object.entries(largest?.spec.resources?.requests ?? {})
      .map(([name, value]) => `${name} ${value}`)
      .join(', '),
  };
  const repeats = known === 'refuseSysctl' || known === 'refuseOs' || known === 'refuseAppArmor';
  const device = /unavailable for (?<resource>\S+?)\. Requested: (?<requested>\d+), Available: (?<available>\d+)/.exec(
    message,
  )?.groups;
  const unhealthy = /no healthy devices present; cannot allocate unhealthy devices (?<resource>[\w./-]+)/.exec(message)
    ?.groups?.['resource'];
  const unregistered = /unregistered device (?<resource>[\w.-]+\/[\w.-]+)/.exec(message)?.groups?.['resource'];
  const ofDevice = {
    ...values,
    resource: device?.['resource'] ?? '',
    requested: device?.['requested'] ?? '',
    available: device?.['available'] ?? '',
  };
  const isPinned = isPlacedDirectly(it);
  const system = it.pod.spec.nodeSelector?.['kubernetes.io/os'];
  const isMisplaced = known === 'refuseOs' && system !== undefined;
  const remove: NextCommand = { why: textOf('refuseDelete', values), command: it.kubectl(`delete pod ${it.name}`) };
  const next: readonly NextCommand[] = isMisplaced
    ? [
        ...(isPinned ? unpin(it, values) : []),
        {
          why: textOf('refuseOsNodes', { ...values, system }),
          command: 'kubectl get nodes -L kubernetes.io/os',
        },
      ]
    : repeats
      ? [
          ...it.change(
            known === 'refuseSysctl' ? 'refuseSysctlFix' : known === 'refuseOs' ? 'refuseOsFix' : 'refuseAppArmorFix',
            values,
          ),
        ]
      : known === 'refuseAffinity'
        ? [
            { why: textOf('refuseLabels', values), command: `kubectl get node ${it.node} --show-labels` },
            ...Object.entries(it.pod.spec.nodeSelector ?? {})
              .slice(0, 1)
              .map(([key, value]) => ({
                why: textOf('refuseAffinityAgain', values),
                command: `kubectl label node ${it.node} ${key}=${value} --overwrite`,
              })),
            ...(it.owner.replaces ? [remove] : it.change('schedSelector')),
          ]
        : [
            // A pod of its own is created again, which removes nodeName as well.
            ...(isPinned && (known !== 'refuseTaint' || it.owner.replaces) ? unpin(it, values) : []),
            ...(device || unhealthy !== undefined || unregistered !== undefined
              ? [
                  {
                    why: textOf('refuseDevicePods', values),
                    command:
                      `kubectl get pods -A -o wide --field-selector spec.nodeName=${it.node} | ` +
                      "grep -iE 'device-plugin|operator|driver'",
                  },
                ]
              : []),
            ...(known === 'refuseTopology'
              ? [
                  ...it.change('refuseTopologyFix', values),
                  { why: textOf('refuseTopologyNuma', values), command: onNode(it, 'sh -c "lscpu | grep NUMA"') },
                ]
              : known === 'refusePorts'
                ? [
                    {
                      why: textOf('schedPortsNodeWho', values),
                      command:
                        `kubectl get pods -A --field-selector spec.nodeName=${it.node} -o ` +
                        "custom-columns='NAMESPACE:.metadata.namespace,POD:.metadata.name," +
                        "HOSTPORTS:.spec.containers[*].ports[*].hostPort' " +
                        `| grep -wE '${values.ports.replaceAll(', ', '|')}'`,
                    },
                  ]
                : known === 'refuseResources'
                  ? shortage(it, values)
                  : known === 'refuseTaint'
                    ? [
                        {
                          why: textOf('refuseTaintShow', values),
                          command: `kubectl get node ${it.node} -o jsonpath='{.spec.taints}'`,
                        },
                      ]
                    : [describeNode(it)]),
            ...(unhealthy === undefined
              ? []
              : [{ why: textOf('refuseUnhealthyCordon', values), command: `kubectl cordon ${it.node}` }]),
            ...(it.owner.replaces
              ? [remove]
              : it.change(
                  known === 'refuseTaint' ? 'refuseTaintAlone' : values.free === '' ? 'refuseAlone' : 'refuseAloneFree',
                  values,
                )),
          ];
  return [
    {
      reason,
      severity: 'error',
      origin: 'kubelet',
      title: textOf('refuseTitle', values),
      cause: [
        device
          ? textOf('refuseDevice', ofDevice)
          : unhealthy !== undefined
            ? textOf('refuseUnhealthy', { ...values, resource: unhealthy })
            : unregistered !== undefined
              ? textOf('refuseUnregistered', { ...values, resource: unregistered })
              : textOf(
                  isMisplaced
                    ? 'refuseOsLabel'
                    : known === 'refuseResources' && resource === 'pods'
                      ? 'refusePods'
                      : known === 'refuseResources' && !resources
                        ? 'refuseShort'
                        : known,
                  { ...values, system: system ?? '' },
                ),
        ...(known === 'refuseTopology' && values.asked !== '' ? [textOf('refuseTopologyAsked', values)] : []),
        ...(isPinned ? [textOf('refusePinned', values)] : []),
        ...(it.pod.spec.schedulerName === undefined || repeats || isPinned
          ? []
          : [textOf('refuseRace', values)].slice(known === 'refuseResources' ? 0 : 1)),
      ],
      said: message,
      facts: factsOf(
        ['status.reason', reason],
        ['status.message', message],
        ['spec.securityContext.sysctls', it.pod.spec.securityContext?.sysctls],
      ),
      outlook: [
        ...failedOutlook(it),
        ...(it.owner.replaces && repeats && !isMisplaced ? [textOf('refuseEach')] : []),
        ...(isPinned && it.owner.replaces ? [textOf('refusePinnedEach', values)] : []),
        ...(it.owner.replaces && !isPinned && (device ?? unhealthy ?? unregistered) !== undefined
          ? [textOf('refuseDeviceEach', values)]
          : []),
        ...(it.owner.kind === 'DaemonSet' && known === 'refuseResources' ? [textOf('evictSameNode', values)] : []),
        ...(it.owner.replaces && known === 'refuseTopology' ? [textOf('refuseTopologyEach')] : []),
      ],
      next,
    },
  ];
};
