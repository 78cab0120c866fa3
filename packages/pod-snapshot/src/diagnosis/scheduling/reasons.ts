/** Explains the reasons of the scheduler's plugins by their wording (kube-scheduler, v1.20 to v1.36). */
import { isRecord } from '@podscope/base';
import { type NextCommand, textOf } from '@podscope/trace/explain';
import { factsOf, type PodCase } from '../pod-case.ts';
import { antiAffinity, podAffinity } from './anti-affinity.ts';
import { gangReason, gangWords } from './gang.ts';
import { claimNames, type Explained, type Reason, reasonText } from './reason.ts';
import { insufficient, pinnedNode } from './room.ts';

const selectorText = (labels: Readonly<Record<string, string>>): string =>
  Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(',');

/** Labels of nodes that the kubelet, a cloud or an autoscaler sets. */
const givenLabels =
  /^(?:(?:node\.|topology\.)?kubernetes\.io\/(?!role)|(?:[\w.-]+\.)?(?:beta\.kubernetes\.io|karpenter\.(?:sh|k8s\.aws)|eks\.amazonaws\.com|cloud\.google\.com|kubernetes\.azure\.com|nvidia\.com)\/)/;

/** Returns the labels that nodeSelector and required node affinity ask for; empty without any. */
function wantedLabels({ pod: { spec } }: PodCase): string {
  const terms = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  return [
    ...(spec.nodeSelector ? [selectorText(spec.nodeSelector)] : []),
    ...terms.flatMap(({ matchExpressions = [], matchFields = [] }) =>
      [...matchExpressions, ...matchFields].map(({ key, operator, values = [] }) =>
        `${key} ${operator} ${values.join('|')}`.trim(),
      ),
    ),
  ].join('; ');
}

/** Words of labels and taints that don't name a kind of node. */
const plainWords =
  /^(?:node|nodes|true|false|exists|pool|group|type|name|role|class|kind|only|dedicated|workload|priority)$/;

const wordsOf = (text: string): readonly string[] => text.toLowerCase().split(/[^a-z0-9]+/);

/** Returns the key and the value of the taint in a reason; empty without one. */
function taintIn(text: string): { readonly key: string; readonly value: string } {
  const { key = '', value = '' } = /\{(?<key>[^:}=]+)(?:[:=]\s*(?<value>[^}:]*))?/.exec(text)?.groups ?? {};
  return { key: key.trim(), value: value.trim() };
}

/**
 * Returns whether a reason is a taint of the nodes that the pod's labels ask for: both have a word in common, like
 * `scalesetpriority=spot` and `agentpool=spotcpu`. The scheduler checks taints first, so its message doesn't tell.
 */
export function isMeant(it: PodCase, text: string): boolean {
  if (!/taint/.test(text)) return false;
  const wanted = wantedLabels(it).toLowerCase();
  const { key, value } = taintIn(text);
  return wordsOf(`${key.split('/').at(-1)} ${value}`)
    .filter((word) => word.length > 1 && !plainWords.test(word))
    .some((word) =>
      word.length > 3
        ? wanted.includes(word)
        : wordsOf(wanted).some((other) => other === word || (word.length === 3 && other.startsWith(word))),
    );
}

function affinityReason(it: PodCase, { nodes }: Reason): Explained {
  const { nodeSelector, affinity } = it.pod.spec;
  const terms = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const wanted = wantedLabels(it);
  const keys = [
    ...Object.keys(nodeSelector ?? {}),
    ...terms.flatMap(({ matchExpressions = [] }) => matchExpressions.map(({ key }) => key)),
  ];
  const [[key, value] = []] = Object.entries(nodeSelector ?? {});
  const isGiven = keys.some((each) => givenLabels.test(each));
  return {
    cause: textOf(nodes === 1 ? 'schedLabelsOne' : 'schedLabels', {
      wanted: wanted || 'spec.affinity.nodeAffinity',
      nodes,
    }),
    facts: factsOf(['spec.nodeSelector', nodeSelector], ['spec.affinity.nodeAffinity', affinity?.nodeAffinity]),
    until: textOf('schedUntilLabels', { wanted: wanted || 'nodeAffinity' }),
    next: [
      {
        why: textOf('schedShowLabels'),
        command:
          keys.length > 0 ? `kubectl get nodes -L ${[...new Set(keys)].join(',')}` : 'kubectl get nodes --show-labels',
      },
      ...(isGiven
        ? [{ why: textOf('schedPool'), command: 'kubectl get nodes --show-labels' }]
        : key === undefined
          ? []
          : [{ why: textOf('schedAddLabel'), command: `kubectl label node NODE ${key}=${value}` }]),
      ...it.change('schedSelector'),
    ],
  };
}

/** The taints that a node gets because of a problem or of maintenance. */
const nodeTaints: Readonly<Record<string, string>> = {
  'node.kubernetes.io/not-ready': 'NotReady',
  'node.kubernetes.io/unreachable': 'NotReady',
  'node.kubernetes.io/memory-pressure': 'MemoryPressure',
  'node.kubernetes.io/disk-pressure': 'DiskPressure',
  'node.kubernetes.io/pid-pressure': 'PIDPressure',
  'node.kubernetes.io/network-unavailable': 'NetworkUnavailable',
  'node.kubernetes.io/unschedulable': 'SchedulingDisabled',
  ToBeDeletedByClusterAutoscaler: 'ToBeDeleted',
};

/** The programs that remove the taint with which a node starts, by the key of the taint. */
const startupTaints: readonly (readonly [RegExp, agent: string, words: string])[] = [
  [/^node\.cloudprovider\.kubernetes\.io\/uninitialized$/, 'the cloud-controller-manager', 'cloud-controller|ccm'],
  [/^node\.cilium\.io\//, 'the Cilium agent of the node', 'cilium'],
  [/^karpenter\.sh\/unregistered$/, 'Karpenter', 'karpenter'],
  [/^(?<driver>[\w.-]+)\/(?:agent-|node-)?not-ready$/, 'the agent of the node', 'csi|agent'],
];

/** Returns the program that removes the taint of a node that has just started; undefined for other taints. */
function starterOf(key: string): { readonly agent: string; readonly words: string } | undefined {
  if (key.startsWith('node.kubernetes.io/')) return undefined;
  const [, agent, words] = startupTaints.find(([pattern]) => pattern.test(key)) ?? [];
  return agent === undefined || words === undefined ? undefined : { agent, words };
}

/** Returns the command that lets a pending pod of a Job tolerate a taint. Pods accept additional tolerations. */
function tolerate(
  it: PodCase,
  key: string,
  value: string,
  values: Readonly<Record<string, string>>,
): readonly NextCommand[] {
  if (key === '' || !['Job', 'CronJob', 'Pod'].includes(it.owner.kind)) return [];
  const toleration = { key, operator: value === '' ? 'Exists' : 'Equal', ...(value === '' ? {} : { value }) };
  const hasList = (it.pod.spec.tolerations ?? []).length > 0;
  const operation = hasList
    ? { op: 'add', path: '/spec/tolerations/-', value: toleration }
    : { op: 'add', path: '/spec/tolerations', value: [toleration] };
  return [
    {
      why: textOf('schedTolerateNow', values),
      command: it.kubectl(`patch pod ${it.name} --type=json -p '${JSON.stringify([operation])}'`),
    },
  ];
}

/**
 * Returns whether the pod asks for certain nodes. That they run Linux isn't counted, because nearly all nodes do.
 */
const isSelective = (it: PodCase): boolean =>
  wantedLabels(it).replaceAll(/(?:beta\.)?kubernetes\.io\/os(?:=| In )linux\b|[,;\s]/g, '') !== '';

/** Returns the number of all nodes in the scheduler's message. */
const allNodes = (it: PodCase): number =>
  Number(/^\d+\/(?<all>\d+) nodes/.exec(reasonText(it) ?? '')?.groups?.['all'] ?? 0);

/** Returns the command that lets pods run on the control plane, for clusters that have no other nodes. */
const untaint = (key: string): NextCommand => ({
  why: textOf('schedUntaint'),
  command: `kubectl taint nodes --all ${key}-`,
});

const showTaints: NextCommand = {
  why: textOf('schedShowTaints'),
  command:
    'kubectl get nodes -o ' +
    "custom-columns='NODE:.metadata.name,TAINTS:.spec.taints[*].key,VALUES:.spec.taints[*].value'",
};

/** Explains a taint that the scheduler doesn't name: `node(s) had untolerated taint(s)`. */
function unnamedTaint(it: PodCase, { nodes }: Reason): Explained {
  const all = allNodes(it);
  const isSelected = isSelective(it);
  // Few tainted nodes, beside nodes that are excluded for other reasons, are usually those of the control plane.
  const isControl = !isSelected && nodes > 0 && nodes * 2 < all;
  return {
    cause: textOf('schedTaintUnnamed', { nodes }),
    ...(isSelected
      ? { more: textOf('schedTaintUnnamedSelected', { nodes, wanted: wantedLabels(it) }) }
      : isControl
        ? { more: textOf('schedTaintUnnamedControl', { nodes }) }
        : {}),
    facts: [],
    until: textOf(isSelected ? 'schedUntilUnnamedSelected' : 'schedUntilUnnamed'),
    next: isControl ? [showTaints] : [showTaints, ...it.change('schedTolerateUnnamed')],
  };
}

function taintReason(it: PodCase, reason: Reason): Explained {
  const { nodes, text } = reason;
  const { key, value } = taintIn(text);
  if (key === '') return unnamedTaint(it, reason);
  const taint = value === '' ? key : `${key}=${value}`;
  const state = nodeTaints[key];
  const starter = starterOf(key);
  if (starter) {
    const all = { nodes, taint, agent: starter.agent };
    return {
      cause: textOf(nodes === 1 ? 'schedStartupTaintOne' : 'schedStartupTaint', all),
      facts: [],
      until: textOf('schedUntilStarted', all),
      next: [
        {
          why: textOf('schedStarterLook', all),
          command: `kubectl get pods -A -o wide | grep -iE 'NAME|${starter.words}'`,
        },
        { why: textOf('schedStarterNodes', all), command: 'kubectl describe nodes | grep -A 3 Taints' },
      ],
    };
  }
  if (state !== undefined)
    return {
      cause: textOf(nodes === 1 ? 'schedNodeStateOne' : 'schedNodeState', { state, nodes, taint }),
      facts: [],
      until: textOf('schedUntilNodes', { state }),
      next: [
        { why: textOf('schedNodes', { state }), command: 'kubectl get nodes -o wide' },
        state === 'SchedulingDisabled'
          ? { why: textOf('schedUncordon'), command: 'kubectl uncordon NODE' }
          : { why: textOf('nodeDescribe'), command: 'kubectl describe nodes | grep -A 10 Conditions' },
      ],
    };
  const isSelected = isSelective(it);
  return {
    cause: textOf(
      isMeant(it, text)
        ? 'schedTaintMeant'
        : isSelected
          ? 'schedTaintSelected'
          : nodes === 1
            ? 'schedTaintOne'
            : 'schedTaint',
      { taint, nodes, wanted: wantedLabels(it) },
    ),
    facts: factsOf(
      ...(it.pod.spec.tolerations ?? []).flatMap((each, index) =>
        each.key?.startsWith('node.kubernetes.io/') ? [] : [[`spec.tolerations[${index}]`, each] as const],
      ),
    ),
    until: textOf(isSelected ? 'schedUntilTolerated' : 'schedUntilTaint', { taint }),
    // Nodes with a role of the cluster aren't for ordinary pods.
    next: key.startsWith('node-role.kubernetes.io/')
      ? [
          showTaints,
          ...(nodes > 0 && nodes === allNodes(it) ? [untaint(key)] : []),
          ...it.change('schedTolerate', { taint }),
        ]
      : [
          ...tolerate(it, key, value, { taint }),
          ...it.change(isMeant(it, text) ? 'schedTolerateMeant' : 'schedTolerate', { taint }),
          showTaints,
        ],
  };
}

const freePorts = (it: PodCase): string =>
  it.containers
    .flatMap(({ spec }) =>
      (spec.ports ?? []).flatMap(
        ({ hostPort, containerPort }) => hostPort ?? (it.pod.spec.hostNetwork ? containerPort : []),
      ),
    )
    .join(', ');

const templateOf = (claim: unknown): string =>
  isRecord(claim) && typeof claim['resourceClaimTemplateName'] === 'string' ? claim['resourceClaimTemplateName'] : '';

/** The reasons of the scheduler's plugins by their message, the most specific first. */
export const reasons: readonly (readonly [RegExp, (it: PodCase, reason: Reason) => Explained])[] = [
  [gangWords, gangReason],
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
    (it, { nodes }) => {
      const labels = Object.entries(it.pod.spec.nodeSelector ?? {})
        .map(([key, value]) => `${key}=${value}`)
        .join(', ');
      return {
        cause: textOf('schedVolumeCount', { nodes, claims: claimNames(it).join(', ') }),
        facts: [],
        until: textOf('schedUntilRoom', { resource: 'volumes', amount: 1, nodes }),
        next: [
          {
            why: labels === '' ? textOf('schedVolumeAdd') : textOf('schedVolumeAddLabels', { labels }),
            command: 'kubectl get nodes -L topology.kubernetes.io/zone,node.kubernetes.io/instance-type',
          },
          {
            why: textOf('schedVolumeLimits'),
            command:
              "kubectl get csinodes -o custom-columns='NODE:.metadata.name,LIMIT:.spec.drivers[*].allocatable.count'",
          },
        ],
      };
    },
  ],
  [/didn't match (?:Pod's )?(?:node affinity|node selector)|plugin\(s\) \[[^\]]*NodeAffinity/i, affinityReason],
  [/pod anti-affinity|anti-affinity rules/, antiAffinity],
  [/pod affinity/, podAffinity],
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
    (it, { nodes }) => {
      const node = pinnedNode(it);
      const isPinned = node !== undefined;
      const values = { nodes, ports: freePorts(it), node: node ?? '', owner: it.owner.label };
      // A Deployment adds surge pods; the controllers of other kinds stop a pod before they replace it.
      const rollingUpdate = { maxSurge: 0, maxUnavailable: 1 };
      const isSurge = !isPinned && it.owner.kind === 'Deployment';
      return {
        cause: textOf(isPinned ? 'schedPortsNode' : isSurge ? 'schedPortsSurgeNodes' : 'schedPorts', values),
        facts: factsOf(...it.containers.map(({ spec, specPath }) => [`${specPath}.ports`, spec.ports] as const)),
        until: textOf(isPinned ? 'schedUntilPortsNode' : isSurge ? 'schedUntilSurge' : 'schedUntilPorts', values),
        next: [
          ...(isSurge
            ? [
                {
                  why: textOf('schedPortsSurgeFix', values),
                  command: it.kubectl(
                    `patch ${it.owner.ref} -p ` +
                      `'${JSON.stringify({ spec: { strategy: { type: 'RollingUpdate', rollingUpdate } } })}'`,
                  ),
                },
              ]
            : []),
          {
            why: textOf(isPinned ? 'schedPortsNodeWho' : 'schedPortsWho', values),
            command:
              `kubectl get pods -A ${isPinned ? `--field-selector spec.nodeName=${node} ` : ''}-o ` +
              "custom-columns='NODE:.spec.nodeName,NAMESPACE:.metadata.namespace,POD:.metadata.name," +
              "HOSTPORTS:.spec.containers[*].ports[*].hostPort' " +
              `| grep -wE '${values.ports.replaceAll(', ', '|')}'`,
          },
          ...it.change(isPinned ? 'schedPortsNodeFix' : 'schedPortsFix', values),
        ],
      };
    },
  ],
  [/taint/, taintReason],
  [
    /unschedulable|were not ready|not ready|not-ready|unreachable|out of disk/i,
    (_it, { nodes, text }) => {
      const state = /unschedulable/.test(text) ? 'SchedulingDisabled' : 'NotReady';
      return {
        cause:
          state === 'SchedulingDisabled'
            ? textOf(nodes === 1 ? 'schedCordonedOne' : 'schedCordoned', { nodes })
            : textOf('schedNodeState', { state, nodes, taint: text }),
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
    /resourceclaimtemplate\S* "(?<template>[^"]+)" not found|waiting for resource claim|resourceclaim "[^"]+" not found/i,
    (it, { text }) => {
      const template =
        /resourceclaimtemplate\S* "(?<name>[^"]+)" not found/i.exec(text)?.groups?.['name'] ??
        (it.pod.spec.resourceClaims ?? []).map((each) => templateOf(each)).find((each) => each !== '') ??
        '';
      const all = { template, namespace: it.namespace };
      return {
        cause: textOf('schedTemplate', all),
        facts: factsOf(['spec.resourceClaims', it.pod.spec.resourceClaims]),
        until: textOf('schedUntilTemplate', all),
        next: [
          { why: textOf('schedTemplateLook', all), command: it.kubectl('get resourceclaimtemplates,resourceclaims') },
          ...it.change('schedTemplateFix', all),
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
