/** Diagnoses pods that have no node yet. Upstream: the events of kube-scheduler and cluster-autoscaler. */
import { type ExplainText, type FieldFact, type NextCommand, textOf } from '@podscope/trace/explain';
import { conditionOf, eventFact, type Finding, factsOf, newest, type PodCase, pathOfCondition } from '../pod-case.ts';
import { claimFinding } from './claims.ts';
import { gated } from './gates.ts';
import { karpenterReason } from './karpenter.ts';
import { type Explained, karpenterWords, type Reason, readReasons } from './reason.ts';
import { isMeant, reasons } from './reasons.ts';
import { insufficient, pinnedNode, roomOf } from './room.ts';

/** Returns the texts about the cluster autoscaler: that it adds a node, or why it adds none. */
function autoscaler(it: PodCase): {
  readonly cause: readonly ExplainText[];
  readonly facts: readonly FieldFact[];
  readonly next: readonly NextCommand[];
  readonly outlook: readonly ExplainText[];
  readonly isComing: boolean;
  /** Whether no node can be added without a change of the node groups or of the pod. */
  readonly isFull: boolean;
  /** Whether the autoscaler names the only reason that matters, because the existing nodes aren't meant for the pod. */
  readonly decides?: boolean;
} {
  const no = newest(it.events, ['NotTriggerScaleUp']);
  const yes = newest(it.events, ['TriggeredScaleUp', 'Nominated']);
  const karpenter = newest(it.events, ['FailedScheduling'], karpenterWords);
  const refused = karpenter && karpenter.last >= (yes?.last ?? 0) ? karpenterReason(it, karpenter) : undefined;
  if (karpenter && refused)
    return {
      cause: [refused.cause],
      facts: eventFact(karpenter),
      next: refused.next,
      outlook: [refused.until],
      isComing: false,
      isFull: true,
      decides: true,
    };
  const failed = newest(it.events, ['FailedScaleUp']);
  const said = (no?.message ?? '').replace(/^pod didn't trigger scale-up[^:]*:?\s*/, '');
  if (failed && failed.last >= Math.max(yes?.last ?? 0, no?.last ?? 0)) {
    const isStock =
      /out of resources|stockout|ZONE_RESOURCE_POOL_EXHAUSTED|InsufficientInstanceCapacity|does not have enough resources|SkuNotAvailable|AllocationFailed|OverconstrainedAllocation|no capacity/i;
    const why = isStock.test(failed.message)
      ? 'schedStock'
      : /quota|limit exceeded|VcpuLimitExceeded/i.test(failed.message)
        ? 'schedQuota'
        : 'schedScaleFailed';
    const values = { said: failed.message.trim(), owner: it.owner.label };
    return {
      cause: [textOf(why, values)],
      facts: eventFact(failed),
      next: [
        ...(why === 'schedStock' ? it.change('schedStockFix', values) : []),
        {
          why: textOf(why === 'schedQuota' ? 'schedQuotaFix' : 'schedScaleFailedLook'),
          command: 'kubectl -n kube-system get configmap cluster-autoscaler-status -o yaml',
        },
      ],
      outlook: [textOf('schedScaleRetry')],
      isComing: false,
      isFull: true,
    };
  }
  if (yes && (!no || yes.last >= no.last))
    return {
      cause: [textOf('schedScaling', { said: yes.message })],
      facts: eventFact(yes),
      next: [{ why: textOf('schedNewNode'), command: 'kubectl get nodes -w' }],
      outlook: [],
      isComing: true,
      isFull: false,
    };
  if (!no) return { cause: [], facts: [], next: [], outlook: [], isComing: false, isFull: false };
  const isFull = /max node group size|max limit|limit/.test(said);
  const isPaused = /back-?off|fail/i.test(said);
  return {
    cause: [textOf(isFull ? 'schedGroupFull' : 'schedNotScaling', { said })],
    facts: eventFact(no),
    // A larger group doesn't help if its nodes don't fit the pod.
    next:
      isFull || isPaused
        ? [
            {
              why: textOf(isFull ? 'schedGroup' : 'schedScaleFailedLook'),
              command: 'kubectl -n kube-system get configmap cluster-autoscaler-status -o yaml',
            },
          ]
        : [],
    outlook: [],
    isComing: false,
    isFull,
  };
}

/** Returns the topology key of the pod's first spread constraint that the scheduler enforces. */
const spreadKey = ({ pod: { spec } }: PodCase): string | undefined =>
  spec.topologySpreadConstraints?.find(({ whenUnsatisfiable }) => whenUnsatisfiable === 'DoNotSchedule')?.topologyKey;

/**
 * Returns whether nodes have a taint with the name of the resource. If so, these nodes offer the resource, and the
 * other nodes don't.
 */
const isReservedFor = (all: readonly Reason[], resource: string): boolean =>
  all.some(({ text }) => text.includes(`taint {${resource}:`) || text.includes(`taint(s) {${resource}:`));

const lacksDevice = (resource: string, nodes: number): Explained => ({
  cause: textOf('schedNoDevice', { resource, nodes }),
  facts: [],
  until: textOf('schedUntilRoom', { resource, amount: 1, nodes }),
  next: [],
});

const isSpread = (text: string): boolean => /didn't match pod topology spread constraints(?! \(missing)/.test(text);

/**
 * Explains a spread constraint and a lack of resources as one cause: the nodes that the constraint allows are full.
 */
function spreadAndRoom(it: PodCase, key: string, all: readonly Reason[]): Explained | undefined {
  const spread = all.find(({ text }) => isSpread(text));
  const short = all.filter(({ text }) => text.startsWith('Insufficient '));
  const [first] = short.toSorted((a, b) => b.nodes - a.nodes);
  if (!spread || !first) return undefined;
  const room = insufficient(it, first);
  const of = roomOf(it, first);
  const constraint = it.pod.spec.topologySpreadConstraints?.find(({ topologyKey }) => topologyKey === key);
  const values = {
    ...of,
    resource: short.map(({ text }) => text.replace('Insufficient ', '')).join(', '),
    key,
    skew: constraint?.maxSkew ?? 1,
    nodes: first.nodes,
    others: spread.nodes,
    owner: it.owner.label,
  };
  return {
    cause: textOf('schedSpreadRoom', values),
    facts: [...factsOf(['spec.topologySpreadConstraints', it.pod.spec.topologySpreadConstraints]), ...room.facts],
    until: textOf('schedUntilSpreadRoom', { key }),
    next: [
      { why: textOf('schedSpreadRoomAdd', values), command: `kubectl get nodes -L ${key}` },
      ...it.change('schedLower', values),
      ...it.change('schedSpreadRelax', values),
      ...room.next.slice(0, 1),
    ],
  };
}

const byLabels = /node affinity|node selector|NodeAffinity/i;
/**
 * Sorts reasons: first the resources that suitable nodes lack, then taints, then labels. The scheduler checks taints
 * before labels, so a node with a taint may have the right labels.
 */
function rankOf({ text }: Reason, all: readonly Reason[]): number {
  const resource = /^Insufficient (?<resource>\S+\/\S+)/.exec(text)?.groups?.['resource'];
  if (resource !== undefined && isReservedFor(all, resource)) return 3;
  return byLabels.test(text) ? 2 : /taint(?!(?:\(s\))? \{node\.)/.test(text) ? 1 : 0;
}

/** Diagnoses a pod that waits for the scheduler. */
export function schedulingFindings(it: PodCase): readonly Finding[] {
  const { phase } = it.pod.status ?? {};
  if (it.node !== '' || (phase !== undefined && phase !== 'Pending') || it.pod.metadata.deletionTimestamp !== undefined)
    return [];
  const gate = gated(it);
  if (gate) return [gate];
  const condition = conditionOf(it, 'PodScheduled');
  const event =
    it.events.findLast(({ reason, message }) => reason === 'FailedScheduling' && !karpenterWords.test(message)) ??
    newest(it.events, ['FailedScheduling']);
  // The event is newer than the condition, because the condition's message changes only together with its reason.
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
  // Nodes of the control plane and of system pools don't accept ordinary pods, by design.
  const own = all.filter(
    ({ text }) => !/node-role\.kubernetes\.io\/(?:control-plane|master)|CriticalAddonsOnly/.test(text),
  );
  const pinned = pinnedNode(it) !== undefined;
  const counted = (own.length > 0 ? own : all).filter(({ text }) => !(pinned && all.length > 1 && byLabels.test(text)));
  const each = counted
    .toSorted((a, b) => rankOf(a, counted) - rankOf(b, counted) || b.nodes - a.nodes)
    .flatMap((reason) => {
      const resource = /^Insufficient (?<resource>\S+\/\S+)/.exec(reason.text)?.groups?.['resource'];
      if (resource !== undefined && isReservedFor(counted, resource))
        return [{ isPart: false, explained: lacksDevice(resource, reason.nodes) }];
      const known = reasons.find(([pattern]) => pattern.test(reason.text));
      const isPart = isSpread(reason.text) || reason.text.startsWith('Insufficient ');
      const explained = known?.[1](it, reason);
      // Nodes with the labels exist and lack room, so the labels are right.
      const isRight = byLabels.test(reason.text) && counted.some(({ text }) => text.startsWith('Insufficient '));
      // Nodes with the labels exist and have a taint, so no further nodes with the labels are needed.
      const isTainted = byLabels.test(reason.text) && counted.some(({ text }) => isMeant(it, text));
      const next = isRight ? [] : isTainted ? it.change('schedSelector') : explained?.next;
      return explained ? [{ isPart, explained: { ...explained, next: next ?? [] } }] : [];
    });
  const key = spreadKey(it);
  const isBoth =
    key !== undefined &&
    counted.some(({ text }) => text.startsWith('Insufficient ')) &&
    counted.some(({ text }) => isSpread(text));
  const together = isBoth ? spreadAndRoom(it, key, counted) : undefined;
  const told =
    together === undefined
      ? each.map(({ explained }) => explained)
      : [together, ...each.filter(({ isPart }) => !isPart).map(({ explained }) => explained)];
  const until = told.slice(0, 1).map((first) => first.until);
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
        ...(isSimple
          ? [textOf('schedOther', { message })]
          : told.flatMap(({ cause, more }) => (more ? [cause, more] : [cause]))),
        ...scaling.cause,
        textOf('schedNoKubelet'),
      ],
      said: message,
      facts: [...told.flatMap(({ facts }) => facts), ...scaling.facts, ...evidence],
      outlook: [textOf('schedOutlook'), ...(scaling.decides ? [] : until), ...scaling.outlook],
      next: [
        ...(scaling.isFull ? scaling.next : []),
        ...(scaling.decides
          ? []
          : isSimple
            ? [{ why: textOf('schedNodes', { state: '' }), command: 'kubectl describe nodes' }]
            : told.slice(0, 3).flatMap(({ next }) => next)),
        ...(scaling.isFull ? [] : scaling.next),
      ],
    },
  ];
}
