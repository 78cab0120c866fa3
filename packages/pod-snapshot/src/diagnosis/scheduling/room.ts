/** Explains that nodes lack unrequested CPU, memory or devices for the pod. Upstream: NodeResourcesFit. */
import { type FieldFact, type NextCommand, textOf } from '@podscope/trace/explain';
import { heapOf } from '../heap.ts';
import { quantityNanos, quantityText } from '../memory-limit.ts';
import { factsOf, type PodCase } from '../pod-case.ts';
import { claimNames, type Explained, type Reason, readReasons, reasonText } from './reason.ts';

interface Request {
  readonly name: string;
  readonly value: string;
  readonly path: string;
  readonly nanos: bigint;
}

/** Formats an amount of a resource: CPUs as `1500m` or `2`, memory as `1536Mi` or `96Gi`, others as a number. */
function amountOf(resource: string, nanos: bigint): string {
  if (resource === 'cpu') return nanos % 1_000_000_000n === 0n ? `${nanos / 1_000_000_000n}` : `${nanos / 1_000_000n}m`;
  const whole = nanos / 1_000_000_000n;
  return resource === 'memory' || resource === 'ephemeral-storage' ? quantityText(whole) : String(whole);
}

/**
 * Returns the pod's request of a resource. It is the sum of its containers and sidecars, or the request of its largest
 * init container if that is more. Upstream: resourcehelper.PodRequests.
 */
function requestOf(
  it: PodCase,
  resource: string,
): { readonly amount: string; readonly facts: readonly FieldFact[]; readonly largest: Request | undefined } {
  const asked = it.containers.flatMap(({ spec, specPath, name, role }) => {
    const value = spec.resources?.requests?.[resource] ?? spec.resources?.limits?.[resource];
    const nanos = quantityNanos(value);
    return value === undefined || nanos === undefined
      ? []
      : [{ name, role, value: String(value), nanos, path: `${specPath}.resources.requests.${resource}` }];
  });
  const together = asked.filter(({ role }) => role !== 'init');
  const sum = together.reduce((total, { nanos }) => total + nanos, 0n);
  const init = asked.find(({ role, nanos }) => role === 'init' && nanos > sum);
  const counted = init ? [init] : together;
  const total = init?.nanos ?? sum;
  const [first] = counted;
  return {
    amount:
      first === undefined
        ? ''
        : counted.length === 1
          ? `${first.value} (${first.name})`
          : `${amountOf(resource, total)} (${counted.map(({ name, value }) => `${name} ${value}`).join(' + ')})`,
    largest: counted.toSorted((a, b) => (a.nanos < b.nanos ? 1 : a.nanos > b.nanos ? -1 : 0))[0],
    facts: factsOf(...counted.map(({ path, value }) => [path, value] as const)),
  };
}

/**
 * Returns the only node on which the pod may run: the node of a DaemonSet's pod, or the node that the pod's selector
 * names.
 */
export function pinnedNode({ pod: { spec } }: PodCase): string | undefined {
  const terms = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const named = terms.flatMap(({ matchFields = [], matchExpressions = [] }) =>
    [...matchFields, ...matchExpressions].flatMap(({ key, operator, values = [] }) =>
      operator === 'In' && values.length === 1 && (key === 'metadata.name' || key === 'kubernetes.io/hostname')
        ? values
        : [],
    ),
  );
  return spec.nodeSelector?.['kubernetes.io/hostname'] ?? (terms.length === 1 ? named[0] : undefined);
}

/** Returns the pod's request of the resource that a reason names, and the container with the largest request. */
export function roomOf(
  it: PodCase,
  { text }: Reason,
): { readonly resource: string; readonly amount: string; readonly container: string; readonly request: string } {
  const resource = text.replace(/^Insufficient /, '');
  const { amount, largest } = requestOf(it, resource);
  return { resource, amount, container: largest?.name ?? '', request: largest?.value ?? '' };
}

const zoneOfVolumes: NextCommand = {
  why: textOf('schedZonePv'),
  command:
    "kubectl get pv -o custom-columns='VOLUME:.metadata.name,CLAIM:.spec.claimRef.name," +
    "NODES:.spec.nodeAffinity.required.nodeSelectorTerms[*].matchExpressions[*].values'",
};

const sizesCommand =
  'kubectl get nodes -o ' +
  `custom-columns='NODE:.metadata.name,CPU:.status.allocatable.cpu,MEMORY:.status.allocatable.memory,` +
  `ZONE:.metadata.labels.topology\\.kubernetes\\.io/zone'`;

/**
 * Returns whether the request is larger than the nodes that lack the resource, even if they were empty: preemption,
 * which removes other pods, isn't helpful on any node. Upstream: NodeResourcesFit returns UnschedulableAndUnresolvable
 * for such nodes (v1.34); before, each node without room could be a candidate for preemption.
 */
function isTooLarge(message: string): boolean {
  const { nodes, hopeless } =
    /^0\/(?<nodes>\d+) nodes[\s\S]*preemption: 0\/\d+ nodes are available: (?<hopeless>\d+) Preemption is not helpful/.exec(
      message,
    )?.groups ?? {};
  const short = readReasons(message).filter(({ text }) => text.startsWith('Insufficient '));
  return nodes !== undefined && nodes === hopeless && short.length === 1;
}

/** Returns the program's heap, and twice its size as a request, if the memory request is more than eight times that. */
function smallHeap(
  it: PodCase,
  { name, nanos }: Request,
): { readonly setting: string; readonly fitting: string } | undefined {
  const container = it.containers.find((each) => each.name === name);
  const heap = container && heapOf(container);
  if (heap?.bytes === undefined || heap.bytes * 8n > nanos / 1_000_000_000n) return undefined;
  return { setting: heap.setting, fitting: quantityText(heap.bytes * 2n) };
}

/** Explains `Insufficient RESOURCE` for the pod. */
export function insufficient(it: PodCase, { nodes, text }: Reason): Explained {
  const resource = text.replace(/^Insufficient /, '');
  const { amount, facts, largest } = requestOf(it, resource);
  const pinned = pinnedNode(it);
  const values = { resource, amount, nodes, container: largest?.name ?? '', request: largest?.value ?? '' };
  if (pinned !== undefined)
    return {
      cause: textOf('schedPinned', { ...values, node: pinned }),
      facts: [
        ...facts,
        ...factsOf(['spec.affinity', it.pod.spec.affinity], ['spec.nodeSelector', it.pod.spec.nodeSelector]),
      ],
      until: textOf('schedUntilPinned', { ...values, node: pinned }),
      next: [
        { why: textOf('schedPinnedLook', { ...values, node: pinned }), command: `kubectl describe node ${pinned}` },
        ...it.change('schedLower', values),
        ...(it.owner.kind === 'DaemonSet' ? it.change('schedPriority', values) : []),
      ],
    };
  const message = reasonText(it) ?? '';
  const claims = claimNames(it).join(', ');
  const isZoned = claims !== '' && /volume node affinity conflict|no available volume zone/.test(message);
  if (isTooLarge(message) && amount !== '' && !resource.includes('/') && !resource.startsWith('hugepages-')) {
    const heap = resource === 'memory' && largest ? smallHeap(it, largest) : undefined;
    const all = { ...values, ...heap, owner: it.owner.label };
    return {
      cause: textOf('schedTooLarge', all),
      ...(heap ? { more: textOf('schedSmallHeap', all) } : {}),
      facts,
      until: textOf('schedUntilLarger', all),
      next: [
        ...it.change(heap ? 'schedLowerHeap' : 'schedLower', all),
        ...(isZoned ? [zoneOfVolumes] : []),
        { why: textOf('schedLargerNode', all), command: sizesCommand },
      ],
    };
  }
  const wanted = Object.entries(it.pod.spec.nodeSelector ?? {})
    .map(([key, value]) => `${key}=${value}`)
    .join(', ');
  const isLabelled = wanted !== '' && /node affinity|node selector|NodeAffinity/i.test(message);
  const kind = isZoned ? 'Zone' : isLabelled ? 'Labels' : '';
  const sizes: NextCommand = {
    why: textOf(`schedAddNode${kind}`, { ...values, claims, wanted }),
    command: sizesCommand,
  };
  return {
    cause: textOf(
      amount === '' ? 'schedShort' : kind === '' && nodes === 1 ? 'schedInsufficientOne' : `schedInsufficient${kind}`,
      { ...values, claims, wanted },
    ),
    ...(resource.startsWith('hugepages-') ? { more: textOf('schedHugePagesAre', values) } : {}),
    facts,
    until: textOf(`schedUntilRoom${kind}`, { ...values, claims, wanted }),
    next: resource.startsWith('hugepages-')
      ? [
          {
            why: textOf('schedHugePages', values),
            command:
              `kubectl get nodes${wanted === '' ? '' : ` -l '${wanted.replaceAll(', ', ',')}'`} -o ` +
              `custom-columns='NODE:.metadata.name,CAPACITY:.status.capacity.${resource},` +
              `ALLOCATABLE:.status.allocatable.${resource}'`,
          },
          { why: textOf('schedRoom', values), command: `kubectl describe nodes | grep -A 12 'Allocated resources'` },
          ...it.change('schedHugePagesFix', values),
        ]
      : resource.includes('/')
        ? [
            {
              why: textOf('schedDevice', values),
              command:
                'kubectl get nodes -o ' +
                `custom-columns='NODE:.metadata.name,` +
                `${(resource.split('/')[1] ?? resource).toUpperCase()}:.status.allocatable.` +
                `${resource.replaceAll('.', '\\.')}'`,
            },
            ...(/^1(?!\d)/.test(amount)
              ? [
                  {
                    why: textOf('schedFreeDevice', values),
                    command: 'kubectl get pods -A -o wide --field-selector status.phase=Running',
                  },
                ]
              : it.change('schedFewerDevices', values)),
          ]
        : [
            {
              why: textOf('schedRoom', values),
              command: `kubectl describe nodes | grep -A 12 'Allocated resources'`,
            },
            ...(isZoned ? [zoneOfVolumes] : []),
            ...(amount === '' ? [] : [...it.change('schedLower', values), sizes]),
          ],
  };
}
