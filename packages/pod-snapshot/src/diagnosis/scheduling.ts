/**
 * Diagnoses pods that have no node yet: scheduling gates and the reasons of the scheduler.
 * Upstream: framework.FitError.Error and the plugins' reasons (kube-scheduler, v1.20 to v1.36).
 */
import { type ExplainText, type FieldFact, type NextCommand, textOf } from '@podscope/trace/explain';
import { claimFinding } from './claims.ts';
import { conditionOf, eventFact, type Finding, factsOf, newest, type PodCase, pathOfCondition } from './pod-case.ts';

/** One reason of the scheduler, with the number of nodes. */
interface Reason {
  readonly nodes: number;
  readonly text: string;
}

/** Parses `0/6 nodes are available: 3 Insufficient cpu, 3 node(s) had untolerated taint {a: b}. preemption: …`. */
function readReasons(message: string): readonly Reason[] {
  const own = message
    .replace(/\.?\s*(?:preemption|no new claims to deallocate)[:,][\s\S]*$/i, '')
    .replace(/^\d+\/\d+ nodes are available:\s*/, '');
  return own.split(/,\s+(?=\d+ )|(?<=\})\s*,\s*(?=\d)/).map((part) => {
    const { nodes, text = '' } = /^(?:(?<nodes>\d+) )?(?<text>[\s\S]*?)\.?\s*$/.exec(part.trim())?.groups ?? {};
    return { nodes: Number(nodes ?? 0), text };
  });
}

interface Explained {
  readonly cause: ExplainText;
  readonly facts: readonly FieldFact[];
  readonly next: readonly NextCommand[];
  readonly until: ExplainText;
}

const requestOf = (
  it: PodCase,
  resource: string,
): { readonly amount: string; readonly facts: readonly FieldFact[]; readonly container: string } => {
  const asked = it.containers.flatMap(({ spec, specPath, name }) => {
    const value = spec.resources?.requests?.[resource] ?? spec.resources?.limits?.[resource];
    return value === undefined
      ? []
      : [{ name, value: String(value), path: `${specPath}.resources.requests.${resource}` }];
  });
  return {
    amount: asked.map(({ value }) => value).join(' + '),
    container: asked[0]?.name ?? '',
    facts: factsOf(...asked.map(({ path, value }) => [path, value] as const)),
  };
};

const half = (amount: string): string => {
  const { number = '1', unit = '' } = /^(?<number>[\d.]+)(?<unit>\D*)$/.exec(amount)?.groups ?? {};
  return `${Math.max(1, Math.floor(Number(number) / 2))}${unit}`;
};

function insufficient(it: PodCase, { nodes, text }: Reason): Explained {
  const resource = text.replace(/^Insufficient /, '');
  const { amount, facts, container } = requestOf(it, resource);
  const values = { resource, amount, nodes };
  const look: NextCommand = {
    why: textOf('schedRoom', values),
    command: `kubectl describe nodes | grep -A 12 'Allocated resources'`,
  };
  const isDevice = resource.includes('/');
  return {
    cause: textOf(amount === '' ? 'schedShort' : 'schedInsufficient', values),
    facts,
    until: textOf('schedUntilRoom', values),
    next: isDevice
      ? [
          {
            why: textOf('schedDevice', values),
            command:
              'kubectl get nodes -o ' +
              `custom-columns='NODE:.metadata.name,` +
              `${(resource.split('/')[1] ?? resource).toUpperCase()}:.status.allocatable.` +
              `${resource.replaceAll('.', '\\.')}'`,
          },
          ...it.change('schedFewerDevices', values),
        ]
      : [
          look,
          ...(/^\d+\S*$/.test(amount)
            ? it.set(
                'schedLower',
                values,
                (ref) => `resources ${ref} -c=${container} --requests=${resource}=${half(amount)}`,
              )
            : it.change('schedLower', values)),
          {
            why: textOf('schedAddNode', values),
            command:
              'kubectl get nodes -o ' +
              `custom-columns='NODE:.metadata.name,CPU:.status.allocatable.cpu,MEMORY:.status.allocatable.memory'`,
          },
        ],
  };
}

const selectorText = (labels: Readonly<Record<string, string>>): string =>
  Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(',');

function affinityReason(it: PodCase, { nodes }: Reason): Explained {
  const { nodeSelector, affinity } = it.pod.spec;
  const terms = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const wanted = [
    ...(nodeSelector ? [selectorText(nodeSelector)] : []),
    ...terms.flatMap(({ matchExpressions = [], matchFields = [] }) =>
      [...matchExpressions, ...matchFields].map(({ key, operator, values = [] }) =>
        `${key} ${operator} ${values.join('|')}`.trim(),
      ),
    ),
  ].join('; ');
  const keys = [
    ...Object.keys(nodeSelector ?? {}),
    ...terms.flatMap(({ matchExpressions = [] }) => matchExpressions.map(({ key }) => key)),
  ];
  const [[key, value] = []] = Object.entries(nodeSelector ?? {});
  return {
    cause: textOf('schedLabels', { wanted: wanted || 'spec.affinity.nodeAffinity', nodes }),
    facts: factsOf(['spec.nodeSelector', nodeSelector], ['spec.affinity.nodeAffinity', affinity?.nodeAffinity]),
    until: textOf('schedUntilLabels', { wanted: wanted || 'nodeAffinity' }),
    next: [
      {
        why: textOf('schedShowLabels'),
        command:
          keys.length > 0 ? `kubectl get nodes -L ${[...new Set(keys)].join(',')}` : 'kubectl get nodes --show-labels',
      },
      ...(key === undefined
        ? []
        : [{ why: textOf('schedAddLabel'), command: `kubectl label node NODE ${key}=${value}` }]),
      ...it.change('schedSelector'),
    ],
  };
}

/** Taints that a problem of the node or its maintenance sets. */
const nodeTaints: Readonly<Record<string, string>> = {
  'node.kubernetes.io/not-ready': 'NotReady',
  'node.kubernetes.io/unreachable': 'NotReady',
  'node.kubernetes.io/memory-pressure': 'MemoryPressure',
  'node.kubernetes.io/disk-pressure': 'DiskPressure',
  'node.kubernetes.io/pid-pressure': 'PIDPressure',
  'node.kubernetes.io/network-unavailable': 'NetworkUnavailable',
  'node.kubernetes.io/unschedulable': 'SchedulingDisabled',
  'node.cloudprovider.kubernetes.io/uninitialized': 'uninitialized',
  'node.cilium.io/agent-not-ready': 'NetworkUnavailable',
  ToBeDeletedByClusterAutoscaler: 'ToBeDeleted',
};

function taintReason(it: PodCase, { nodes, text }: Reason): Explained {
  const { key = '', value = '' } = /\{(?<key>[^:}=]+)(?:[:=]\s*(?<value>[^}:]*))?/.exec(text)?.groups ?? {};
  const taint = value.trim() === '' ? key.trim() : `${key.trim()}=${value.trim()}`;
  const state = nodeTaints[key.trim()];
  const show: NextCommand = {
    why: textOf('schedShowTaints'),
    command:
      'kubectl get nodes -o ' +
      "custom-columns='NODE:.metadata.name,TAINTS:.spec.taints[*].key,VALUES:.spec.taints[*].value'",
  };
  if (state !== undefined)
    return {
      cause: textOf('schedNodeState', { state, nodes, taint }),
      facts: [],
      until: textOf('schedUntilNodes', { state }),
      next: [
        { why: textOf('schedNodes', { state }), command: 'kubectl get nodes -o wide' },
        state === 'SchedulingDisabled'
          ? { why: textOf('schedUncordon'), command: 'kubectl uncordon NODE' }
          : { why: textOf('nodeDescribe'), command: 'kubectl describe nodes | grep -A 10 Conditions' },
      ],
    };
  return {
    cause: textOf('schedTaint', { taint: taint || text, nodes }),
    facts: factsOf([
      'spec.tolerations',
      it.pod.spec.tolerations?.filter((each) => !each.key?.startsWith('node.kubernetes.io/')),
    ]),
    until: textOf('schedUntilTaint', { taint: taint || text }),
    next: [show, ...it.change('schedTolerate', { taint: taint || text })],
  };
}

function affinityKey(it: PodCase, kind: 'podAntiAffinity' | 'podAffinity'): string {
  const terms = it.pod.spec.affinity?.[kind]?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  return terms.map(({ topologyKey }) => topologyKey).join(', ') || 'kubernetes.io/hostname';
}

const freePorts = (it: PodCase): string =>
  it.containers
    .flatMap(({ spec }) =>
      (spec.ports ?? []).flatMap(
        ({ hostPort, containerPort }) => hostPort ?? (it.pod.spec.hostNetwork ? containerPort : []),
      ),
    )
    .join(', ');

/** The reasons of the scheduler's plugins by their wording, most specific first. */
const reasons: readonly (readonly [RegExp, (it: PodCase, reason: Reason) => Explained])[] = [
  [/^Insufficient /, insufficient],
  [
    /Too many pods/,
    (_it, { nodes }) => ({
      cause: textOf('schedTooMany', { nodes }),
      facts: [],
      until: textOf('schedUntilRoom', { resource: 'pods', amount: 1, nodes }),
      next: [
        {
          why: textOf('schedMaxPods'),
          command: "kubectl get nodes -o custom-columns='NODE:.metadata.name,PODS:.status.allocatable.pods'",
        },
      ],
    }),
  ],
  [
    /ReadWriteOncePod/,
    (it) => {
      const claims = claimNames(it).join(', ');
      return {
        cause: textOf('schedRwop', { claims }),
        facts: factsOf(['spec.volumes', claims]),
        until: textOf('schedUntilRwop'),
        next: [
          { why: textOf('schedRwopWho'), command: it.kubectl(`describe pvc ${claimNames(it).join(' ')}`) },
          ...(it.owner.kind === 'Deployment' ? it.change('schedRwopFix') : []),
        ],
      };
    },
  ],
  [
    /volume node affinity conflict|no available volume zone/,
    (it, { nodes }) => {
      const claims = claimNames(it).join(', ');
      return {
        cause: textOf('schedVolumeZone', { nodes, claims }),
        facts: factsOf(['spec.volumes', claims]),
        until: textOf('schedUntilZone', { claims }),
        next: [
          {
            why: textOf('schedZoneOf', { claims }),
            command: it.kubectl(
              `get pvc ${claimNames(it).join(' ')} -o custom-columns='CLAIM:.metadata.name,VOLUME:.spec.volumeName'`,
            ),
          },
          {
            why: textOf('schedZonePv'),
            command:
              'kubectl get pv -o ' +
              "custom-columns='VOLUME:.metadata.name,CLAIM:.spec.claimRef.name,NODES:.spec.nodeAffinity.required." +
              "nodeSelectorTerms[*].matchExpressions[*].values'",
          },
          {
            why: textOf('schedZoneNodes'),
            command: 'kubectl get nodes -L topology.kubernetes.io/zone,kubernetes.io/hostname',
          },
        ],
      };
    },
  ],
  [
    /exceed max volume count/,
    (it, { nodes }) => ({
      cause: textOf('schedVolumeCount', { nodes, claims: claimNames(it).join(', ') }),
      facts: [],
      until: textOf('schedUntilRoom', { resource: 'volumes', amount: 1, nodes }),
      next: [
        {
          why: textOf('schedVolumeLimits'),
          command:
            "kubectl get csinodes -o custom-columns='NODE:.metadata.name,LIMIT:.spec.drivers[*].allocatable.count'",
        },
      ],
    }),
  ],
  [/didn't match (?:Pod's )?(?:node affinity|node selector)/i, affinityReason],
  [
    /pod anti-affinity|anti-affinity rules/,
    (it, { nodes }) => ({
      cause: textOf(/existing pods/.test(String(reasonText(it))) ? 'schedAntiOther' : 'schedAnti', {
        nodes,
        key: affinityKey(it, 'podAntiAffinity'),
      }),
      facts: factsOf(['spec.affinity.podAntiAffinity', it.pod.spec.affinity?.podAntiAffinity]),
      until: textOf('schedUntilAnti', { key: affinityKey(it, 'podAntiAffinity') }),
      next: [
        { why: textOf('schedWhere'), command: it.kubectl(`get pods -o wide${appSelector(it)}`) },
        ...it.change('schedAntiFix'),
      ],
    }),
  ],
  [
    /pod affinity/,
    (it, { nodes }) => ({
      cause: textOf('schedAffinity', { nodes, key: affinityKey(it, 'podAffinity') }),
      facts: factsOf(['spec.affinity.podAffinity', it.pod.spec.affinity?.podAffinity]),
      until: textOf('schedUntilAffinity'),
      next: [
        { why: textOf('schedWhereOthers'), command: 'kubectl get pods -A -o wide --show-labels' },
        ...it.change('schedAffinityFix'),
      ],
    }),
  ],
  [
    /topology spread constraints/,
    (it, { nodes, text }) => {
      const constraint =
        it.pod.spec.topologySpreadConstraints?.find(({ whenUnsatisfiable }) => whenUnsatisfiable === 'DoNotSchedule') ??
        it.pod.spec.topologySpreadConstraints?.[0];
      const key = constraint?.topologyKey ?? '';
      return {
        cause: textOf(/missing required label/.test(text) ? 'schedSpreadLabel' : 'schedSpread', {
          nodes,
          key,
          skew: constraint?.maxSkew ?? 1,
        }),
        facts: factsOf(['spec.topologySpreadConstraints', it.pod.spec.topologySpreadConstraints]),
        until: textOf('schedUntilSpread', { key }),
        next: [
          { why: textOf('schedSpreadShow', { key }), command: `kubectl get nodes -L ${key}` },
          ...it.change('schedSpreadFix', { key }),
        ],
      };
    },
  ],
  [
    /free ports/,
    (it, { nodes }) => ({
      cause: textOf('schedPorts', { nodes, ports: freePorts(it) }),
      facts: factsOf(...it.containers.map(({ spec, specPath }) => [`${specPath}.ports`, spec.ports] as const)),
      until: textOf('schedUntilPorts', { ports: freePorts(it) }),
      next: [
        {
          why: textOf('schedPortsWho', { ports: freePorts(it) }),
          command:
            'kubectl get pods -A -o ' +
            "custom-columns='NODE:.spec.nodeName,NAMESPACE:.metadata.namespace,POD:.metadata.name," +
            "HOSTPORTS:.spec.containers[*].ports[*].hostPort' " +
            `| grep -w '${freePorts(it).split(', ')[0] ?? ''}'`,
        },
        ...it.change('schedPortsFix'),
      ],
    }),
  ],
  [/taint/, taintReason],
  [
    /unschedulable|were not ready|not ready|not-ready|unreachable|out of disk/i,
    (_it, { nodes, text }) => {
      const state = /unschedulable/.test(text) ? 'SchedulingDisabled' : 'NotReady';
      return {
        cause: textOf('schedNodeState', { state, nodes, taint: text }),
        facts: [],
        until: textOf('schedUntilNodes', { state }),
        next: [
          { why: textOf('schedNodes', { state }), command: 'kubectl get nodes -o wide' },
          ...(state === 'SchedulingDisabled'
            ? [{ why: textOf('schedUncordon'), command: 'kubectl uncordon NODE' }]
            : []),
        ],
      };
    },
  ],
  [
    /cannot allocate all claims|resourceclaim|DeviceClass|no devices/i,
    (it, { text }) => ({
      cause: textOf('schedClaims', { text }),
      facts: factsOf(['spec.resourceClaims', it.pod.spec.resourceClaims]),
      until: textOf('schedUntilClaims'),
      next: [
        { why: textOf('schedClaimsLook'), command: it.kubectl('describe resourceclaims') },
        { why: textOf('schedSlices'), command: 'kubectl get resourceslices' },
      ],
    }),
  ],
];

const reasonText = (it: PodCase): string | undefined =>
  newest(it.events, ['FailedScheduling'])?.message ?? conditionOf(it, 'PodScheduled')?.message;

export const claimNames = ({ pod }: PodCase): readonly string[] =>
  (pod.spec.volumes ?? []).flatMap(({ name, persistentVolumeClaim, ephemeral }) =>
    persistentVolumeClaim ? [persistentVolumeClaim.claimName] : ephemeral ? [`${pod.metadata.name}-${name}`] : [],
  );

/** Returns a label selector that selects the pod's siblings: ` -l app=web`. */
function appSelector({ pod: { metadata } }: PodCase): string {
  const key = ['app.kubernetes.io/name', 'app', 'k8s-app'].find((each) => metadata.labels?.[each] !== undefined);
  return key === undefined ? '' : ` -l ${key}=${metadata.labels?.[key]}`;
}

/** Why a cluster autoscaler adds no node, or that it adds one. */
function autoscaler(it: PodCase): {
  readonly cause: readonly ExplainText[];
  readonly facts: readonly FieldFact[];
  readonly next: readonly NextCommand[];
  readonly isComing: boolean;
} {
  const no = newest(it.events, ['NotTriggerScaleUp']);
  const yes = newest(it.events, ['TriggeredScaleUp', 'Nominated']);
  const said = (no?.message ?? '').replace(/^pod didn't trigger scale-up[^:]*:?\s*/, '');
  if (yes && (!no || yes.last >= no.last))
    return {
      cause: [textOf('schedScaling', { said: yes.message })],
      facts: eventFact(yes),
      next: [{ why: textOf('schedNewNode'), command: 'kubectl get nodes -w' }],
      isComing: true,
    };
  if (!no) return { cause: [], facts: [], next: [], isComing: false };
  return {
    cause: [textOf(/max node group size|max limit|limit/.test(said) ? 'schedGroupFull' : 'schedNotScaling', { said })],
    facts: eventFact(no),
    next: [
      { why: textOf('schedGroup'), command: 'kubectl -n kube-system get configmap cluster-autoscaler-status -o yaml' },
    ],
    isComing: false,
  };
}

/** The controllers that set well-known gates, with a command that shows what they wait for. */
const gateOwners: readonly (readonly [RegExp, string, (it: PodCase) => string])[] = [
  [/kueue/, 'Kueue', (it) => it.kubectl('get workloads.kueue.x-k8s.io,localqueues.kueue.x-k8s.io')],
  [/karpenter/, 'Karpenter', () => 'kubectl get nodeclaims'],
  [/volcano/, 'Volcano', (it) => it.kubectl('get podgroups.scheduling.volcano.sh')],
  [/grove|lws|leaderworkerset/, 'LeaderWorkerSet', (it) => it.kubectl('get leaderworkersets')],
];

function gated(it: PodCase): Finding | undefined {
  const gates = it.pod.spec.schedulingGates ?? [];
  if (gates.length === 0 || it.node !== '') return undefined;
  const names = gates.map(({ name }) => name).join(', ');
  const known = gateOwners.find(([pattern]) => pattern.test(names));
  const queue = Object.entries(it.pod.metadata.labels ?? {}).find(([key]) => key.endsWith('queue-name'));
  const by = known?.[1] ?? names;
  return {
    reason: 'SchedulingGated',
    severity: 'waiting',
    origin: 'controller',
    title: textOf('gateTitle', { names }),
    cause: [
      textOf(known ? 'gateKnown' : 'gateCause', { names, by }),
      ...(queue ? [textOf('gateQueue', { queue: queue[1] })] : []),
    ],
    facts: factsOf(['spec.schedulingGates', names], [queue ? `metadata.labels.${queue[0]}` : '', queue?.[1]]),
    outlook: [textOf('gateOutlook', { names, by })],
    next: known
      ? [{ why: textOf('gateLook', { by }), command: known[2](it) }]
      : [
          {
            why: textOf('gateWho', { names }),
            command: it.kubectl(`get pod ${it.name} -o yaml --show-managed-fields`),
          },
        ],
  };
}

/** Diagnoses a pod that waits for the scheduler. */
export function schedulingFindings(it: PodCase): readonly Finding[] {
  const { phase } = it.pod.status ?? {};
  if (it.node !== '' || (phase !== undefined && phase !== 'Pending') || it.pod.metadata.deletionTimestamp !== undefined)
    return [];
  const gate = gated(it);
  if (gate) return [gate];
  const condition = conditionOf(it, 'PodScheduled');
  const event = newest(it.events, ['FailedScheduling']);
  // The event is newer than the condition, whose message changes only with the reason.
  const message = event?.message ?? condition?.message ?? '';
  const evidence = [
    ...(condition?.message ? factsOf([pathOfCondition('PodScheduled'), condition.message]) : []),
    ...(event && event.message !== condition?.message ? eventFact(event) : []),
  ];
  const claim = claimFinding(it, message, evidence);
  if (claim) return [claim];
  if (message === '') {
    const scheduler = it.pod.spec.schedulerName ?? 'default-scheduler';
    return [
      {
        reason: 'Pending',
        severity: 'waiting',
        origin: 'scheduler',
        certainty: 'unknown',
        title: textOf('schedSilentTitle'),
        cause: [textOf('schedSilent', { scheduler })],
        facts: factsOf(['spec.schedulerName', scheduler]),
        outlook: [textOf('schedSilentOutlook', { scheduler })],
        next: [
          { why: textOf('lookEvents'), command: it.kubectl(`describe pod ${it.name}`) },
          {
            why: textOf('schedSilentLook', { scheduler }),
            command:
              'kubectl get pods -A | grep -i ' + (scheduler === 'default-scheduler' ? 'kube-scheduler' : scheduler),
          },
          ...(scheduler === 'default-scheduler' ? [] : it.change('schedSilentFix', { scheduler })),
        ],
      },
    ];
  }
  const nominated = it.pod.status?.nominatedNodeName ?? '';
  if (nominated !== '') {
    const values = { nominated };
    return [
      {
        reason: condition?.reason ?? 'Unschedulable',
        severity: 'waiting',
        origin: 'scheduler',
        title: textOf('nominatedTitle', values),
        cause: [textOf('nominated', values)],
        said: message,
        facts: [...factsOf(['status.nominatedNodeName', nominated]), ...evidence],
        outlook: [textOf('nominatedOutlook', values)],
        next: [
          {
            why: textOf('nominatedLook', values),
            command: `kubectl get pods -A --field-selector spec.nodeName=${nominated} | grep Terminating`,
          },
          { why: textOf('deletingWait'), command: it.kubectl(`get pod ${it.name} -w`) },
        ],
      },
    ];
  }
  const all = readReasons(message);
  // Control-plane nodes keep workloads off by design.
  const own = all.filter(({ text }) => !/node-role\.kubernetes\.io\/(?:control-plane|master)/.test(text));
  const told = (own.length > 0 ? own : all)
    .toSorted((a, b) => b.nodes - a.nodes)
    .flatMap((reason) => {
      const known = reasons.find(([pattern]) => pattern.test(reason.text));
      return known ? [known[1](it, reason)] : [];
    });
  const scaling = autoscaler(it);
  const isSimple = told.length === 0;
  return [
    {
      reason: condition?.reason ?? 'Unschedulable',
      severity: scaling.isComing ? 'waiting' : 'error',
      origin: 'scheduler',
      ...(isSimple ? { certainty: 'unknown' as const } : {}),
      title: textOf('schedTitle'),
      cause: [
        ...(isSimple ? [textOf('schedOther', { message })] : told.map(({ cause }) => cause)),
        ...scaling.cause,
        textOf('schedNoKubelet'),
      ],
      said: message,
      facts: [...told.flatMap(({ facts }) => facts), ...scaling.facts, ...evidence],
      outlook: [textOf('schedOutlook'), ...told.slice(0, 1).map(({ until }) => until)],
      next: [
        ...(isSimple
          ? [{ why: textOf('schedNodes', { state: '' }), command: 'kubectl describe nodes' }]
          : told.slice(0, 2).flatMap(({ next }) => next)),
        ...scaling.next,
      ],
    },
  ];
}
