/** Computes a pod's table row for `kubectl get pods`. Upstream: printPod (pkg/printers/internalversion, v1.36). */
import type { ContainerStatus, Pod, Time } from '@podscope/k8s';
import { type Instant, parseTime } from '@podscope/trace';
import { translateTimestampSince } from './duration.ts';

interface Restarts {
  readonly count: number;
  readonly last: Time | undefined;
}

const isRestartable = (pod: Pod, name: string): boolean =>
  pod.spec.initContainers?.some((container) => container.name === name && container.restartPolicy === 'Always') ??
  false;

const hasCondition = (pod: Pod, type: string): boolean =>
  pod.status?.conditions?.some((condition) => condition.type === type && condition.status === 'True') ?? false;

/** Returns the sum of the restarts of these containers, and when the container that restarted last had terminated. */
function restartsOf(statuses: readonly ContainerStatus[]): Restarts {
  const ends = statuses.flatMap(({ lastState }) => lastState?.terminated?.finishedAt ?? []);
  return {
    count: statuses.reduce((sum, { restartCount }) => sum + restartCount, 0),
    last: ends.toSorted((a, b) => parseTime(a) - parseTime(b)).at(-1),
  };
}

function terminatedReason({ state }: ContainerStatus): string | undefined {
  if (!state?.terminated) return undefined;
  const { reason, signal, exitCode } = state.terminated;
  return reason || (signal ? `Signal:${signal}` : `ExitCode:${exitCode}`);
}

interface Initialization {
  /**
   * The STATUS column while initialization isn't complete: `Init:0/2`, `Init:CrashLoopBackOff`; undefined afterwards.
   */
  readonly reason: string | undefined;
  readonly readySidecars: number;
  /** The statuses of the init containers up to the first one that is not yet done. */
  readonly seen: readonly ContainerStatus[];
}

function initialization(pod: Pod): Initialization {
  const statuses = pod.status?.initContainerStatuses ?? [];
  let readySidecars = 0;
  for (const [index, status] of statuses.entries()) {
    const { state, started, ready, name } = status;
    if (state?.terminated?.exitCode === 0) continue;
    if (isRestartable(pod, name) && started) {
      if (ready) readySidecars += 1;
      continue;
    }
    const waiting = state?.waiting?.reason;
    const what =
      terminatedReason(status) ??
      (waiting && waiting !== 'PodInitializing' ? waiting : `${index}/${pod.spec.initContainers?.length ?? 0}`);
    return { reason: `Init:${what}`, readySidecars, seen: statuses.slice(0, index + 1) };
  }
  return { reason: undefined, readySidecars, seen: statuses };
}

/** Returns the STATUS column as the regular containers determine it, and the number of ready containers. */
function regularContainers(pod: Pod, reason: string): { readonly reason: string; readonly ready: number } {
  let ready = 0;
  let shown = reason;
  // Iterates backwards, so that the first container's reason wins.
  for (const status of (pod.status?.containerStatuses ?? []).toReversed()) {
    const own = status.state?.waiting?.reason || terminatedReason(status);
    if (own) shown = own;
    else if (status.ready && status.state?.running) ready += 1;
  }
  if (shown === 'Completed' && ready > 0) shown = hasCondition(pod, 'Ready') ? 'Running' : 'NotReady';
  return { reason: shown, ready };
}

/** Returns the STATUS column, the number of ready containers, and the restarts. */
function summarizePod(pod: Pod): {
  readonly status: string;
  readonly ready: number;
  readonly total: number;
  readonly restarts: Restarts;
} {
  const { spec, status, metadata } = pod;
  const phase = status?.phase ?? '';
  const init = initialization(pod);
  const sidecars = (status?.initContainerStatuses ?? []).filter(({ name }) => isRestartable(pod, name));
  let reason = init.reason ?? (status?.reason || phase);
  let ready = init.readySidecars;
  let restarts = restartsOf(init.seen);
  if (init.reason === undefined || hasCondition(pod, 'Initialized')) {
    restarts = restartsOf([...sidecars, ...(status?.containerStatuses ?? [])]);
    const regular = regularContainers(pod, reason);
    reason = regular.reason;
    ready += regular.ready;
  }
  if (metadata.deletionTimestamp && status?.reason === 'NodeLost') reason = 'Unknown';
  else if (metadata.deletionTimestamp && phase !== 'Failed' && phase !== 'Succeeded') reason = 'Terminating';
  const total =
    spec.containers.length +
    (spec.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always').length;
  return { status: reason, ready, total, restarts };
}

function readinessGates({ spec, status }: Pod): string {
  const gates = spec.readinessGates ?? [];
  if (gates.length === 0) return '<none>';
  const met = gates.filter(({ conditionType }) =>
    status?.conditions?.some((condition) => condition.type === conditionType && condition.status === 'True'),
  );
  return `${met.length}/${gates.length}`;
}

/** Returns the cells in the order of the columns. */
export function podCells(pod: Pod, now: Instant): readonly unknown[] {
  const { status, ready, total, restarts } = summarizePod(pod);
  const shownRestarts =
    restarts.count > 0 && restarts.last
      ? `${restarts.count} (${translateTimestampSince(restarts.last, now)} ago)`
      : String(restarts.count);
  return [
    pod.metadata.name,
    `${ready}/${total}`,
    status,
    shownRestarts,
    translateTimestampSince(pod.metadata.creationTimestamp, now),
    pod.status?.podIP || '<none>',
    pod.spec.nodeName || '<none>',
    pod.status?.nominatedNodeName || '<none>',
    readinessGates(pod),
  ];
}
