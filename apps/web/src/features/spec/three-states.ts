/** Compares a pod's fields in three states: desired by the spec, allocated by the kubelet, observed. */
import {
  type Container,
  type ContainerStatus,
  compareQuantities,
  type Pod,
  type PodStatus,
  parseQuantity,
  QuantityError,
} from '@podscope/k8s';
import type { PodTrack } from '@podscope/trace';

/**
 * `same`: all states are equal. Otherwise, the first state that doesn't have the desired value yet. Undefined if the
 * states can't be compared.
 */
export type StateVerdict = 'same' | 'notAllocated' | 'notObserved' | undefined;

export interface StateRow {
  /** Name of the field: `resources.requests.cpu`. */
  readonly field: string;
  /** Path of the desired value, for links. */
  readonly path: string;
  readonly desired: string | undefined;
  readonly allocated: string | undefined;
  readonly observed: string | undefined;
  readonly verdict: StateVerdict;
}

export interface StateGroup {
  /** Name of the container; undefined for fields of the pod itself. */
  readonly container: string | undefined;
  readonly rows: readonly StateRow[];
}

/** Texts of the rows. */
export interface StateWords {
  readonly running: string;
  readonly waiting: (reason: string | undefined) => string;
  readonly ended: (code: number) => string;
}

type Values = Readonly<Record<string, string | number>> | undefined;

function sameQuantity(left: string, right: string): boolean {
  if (left === right) return true;
  try {
    return compareQuantities(parseQuantity(left), parseQuantity(right)) === 0;
  } catch (error) {
    if (error instanceof QuantityError) return false;
    throw error;
  }
}

/** Returns true if both names refer to the same image. The runtime reports full image names. */
const sameImage = (desired: string, observed: string): boolean =>
  observed === desired || observed.endsWith(`/${desired}`) || observed.startsWith(`${desired}@`);

function verdictOf(
  desired: string | undefined,
  allocated: string | undefined,
  observed: string | undefined,
  isSame: (left: string, right: string) => boolean,
): StateVerdict {
  if (desired === undefined) return undefined;
  if (allocated !== undefined && !isSame(desired, allocated)) return 'notAllocated';
  if (observed !== undefined && !isSame(allocated ?? desired, observed)) return 'notObserved';
  return allocated === undefined && observed === undefined ? undefined : 'same';
}

const text = (value: unknown): string | undefined =>
  value === undefined || value === null ? undefined : typeof value === 'string' ? value : JSON.stringify(value);

interface Cells {
  readonly desired?: unknown;
  readonly allocated?: unknown;
  readonly observed?: unknown;
}

function row(path: string, field: string, cells: Cells, isSame = sameQuantity): StateRow[] {
  const [desired, allocated, observed] = [text(cells.desired), text(cells.allocated), text(cells.observed)];
  if (desired === undefined && allocated === undefined && observed === undefined) return [];
  return [{ field, path, desired, allocated, observed, verdict: verdictOf(desired, allocated, observed, isSame) }];
}

const member = (values: unknown, name: string): unknown => (values as Values)?.[name];

function resourceRows(
  path: string,
  desired: Container['resources'],
  allocated: unknown,
  observed: ContainerStatus['resources'],
): StateRow[] {
  return (['requests', 'limits'] as const).flatMap((kind) => {
    const names = new Set([
      ...Object.keys(desired?.[kind] ?? {}),
      ...Object.keys(observed?.[kind] ?? {}),
      ...(kind === 'requests' ? Object.keys((allocated as Values) ?? {}) : []),
    ]);
    return [...names].toSorted().flatMap((name) =>
      row(`${path}.resources.${kind}.${name}`, `resources.${kind}.${name}`, {
        desired: desired?.[kind]?.[name],
        // The status contains only the requests of the allocated resources.
        allocated: kind === 'requests' ? member(allocated, name) : undefined,
        observed: observed?.[kind]?.[name],
      }),
    );
  });
}

function stateText({ state }: ContainerStatus, words: StateWords): string {
  if (state?.running) return words.running;
  if (state?.terminated) return words.ended(state.terminated.exitCode);
  return words.waiting(state?.waiting?.reason);
}

interface ContainerPlace {
  readonly path: string;
  readonly spec: Container;
  readonly isInit: boolean;
}

function containerGroup(
  { path, spec, isInit }: ContainerPlace,
  statuses: readonly ContainerStatus[],
  words: StateWords,
): StateGroup {
  const status = statuses.find(({ name }) => name === spec.name);
  const runsOn = !isInit || Reflect.get(spec, 'restartPolicy') === 'Always';
  return {
    container: spec.name,
    rows: [
      ...row(`${path}.name`, 'state', {
        desired: runsOn ? words.running : words.ended(0),
        observed: status && stateText(status, words),
      }),
      ...row(`${path}.image`, 'image', { desired: spec.image, observed: status?.image || undefined }, sameImage),
      ...resourceRows(path, spec.resources, status?.allocatedResources, status?.resources),
      ...row(`${path}.readinessProbe`, 'ready', {
        desired: runsOn ? true : undefined,
        observed: runsOn ? status?.ready : undefined,
      }),
      ...row(path, 'restartCount', { observed: status?.restartCount }),
    ],
  };
}

/** Returns the fields of the pod, then those of its containers in the order of the spec. */
export function threeStates(track: Pick<PodTrack, 'object' | 'status'>, words: StateWords): readonly StateGroup[] {
  // The casts are safe: the API server validated these objects, and missing members are handled where they are read.
  const { spec, metadata } = (track.object ?? {}) as Partial<Pod>;
  const status = (track.status ?? {}) as PodStatus;
  const statuses = [
    ...(status.initContainerStatuses ?? []),
    ...(status.containerStatuses ?? []),
    ...(status.ephemeralContainerStatuses ?? []),
  ];
  const places = (['initContainers', 'containers', 'ephemeralContainers'] as const).flatMap((list) =>
    (spec?.[list] ?? []).map(
      (each, index): ContainerPlace => ({
        path: `spec.${list}[${index}]`,
        spec: each,
        isInit: list === 'initContainers',
      }),
    ),
  );
  const pod = [
    ...row('metadata.generation', 'generation', {
      desired: metadata?.generation,
      observed: Reflect.get(status, 'observedGeneration'),
    }),
    ...row('status.phase', 'phase', { observed: status.phase }),
    ...row('status.podIP', 'podIP', { observed: status.podIP || undefined }),
    ...row('status.qosClass', 'qosClass', { observed: status.qosClass }),
    ...row('metadata.deletionTimestamp', 'deletionTimestamp', { desired: metadata?.deletionTimestamp }),
    ...resourceRows('spec', spec?.resources, status.allocatedResources, status.resources),
  ];
  return [
    ...(pod.length > 0 ? [{ container: undefined, rows: pod }] : []),
    ...places.map((place) => containerGroup(place, statuses, words)),
  ];
}
