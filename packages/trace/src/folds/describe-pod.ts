/**
 * Describes a pod in one line, with the columns of `kubectl get pod` and its back-off. Upstream: printPod
 * (pkg/printers/internalversion, v1.36).
 */
import type { Attributes } from '../events/event.ts';
import { containersOfSpec } from './apply/pod-object.ts';
import { listAt, numberAt, objectAt, textAt, timeAt } from './attribute-values.ts';
import type { BackOffRecord, ContainerTrack, PodTrack } from './tracks.ts';

/** The severity of a state. The page assigns a color and a shape to each. */
export type PodTone =
  | 'running'
  | 'progressing'
  | 'waiting'
  | 'error'
  | 'succeeded'
  | 'terminating'
  | 'stopped'
  | 'unknown';

/** A back-off that hasn't ended. */
export interface CurrentBackOff {
  readonly container: string;
  readonly kind: BackOffRecord['kind'];
  /** The length of the back-off in seconds. */
  readonly seconds: number;
  readonly since: number;
  readonly until: number;
  /** How many milliseconds remain; 0 if the back-off has passed and the next sync is pending. */
  readonly remaining: number;
}

export interface PodDescription {
  /** The column STATUS of kubectl, for example `Running`, `CrashLoopBackOff`, `Init:0/2` or `Terminating`. */
  readonly status: string;
  readonly tone: PodTone;
  readonly ready: number;
  readonly total: number;
  readonly restarts: number;
  /** The time of the last exit after which a container was restarted. */
  readonly lastRestartAt: number | undefined;
  /** The message of the status; undefined without one. */
  readonly message: string | undefined;
  /** The back-off that ends last; undefined without one. */
  readonly backOff: CurrentBackOff | undefined;
  /** The id of the point at which the pod's worker is stopped; undefined while it isn't stopped. */
  readonly stoppedAt: string | undefined;
}

/** The columns of `kubectl get pod`. */
export interface PodLine {
  readonly status: string;
  readonly ready: number;
  readonly total: number;
  readonly restarts: number;
  readonly lastRestartAt: number | undefined;
  readonly message: string | undefined;
}

const state = (status: Attributes, key: string): Attributes | undefined => objectAt(status, 'state', key);

const exitReason = (terminated: Attributes): string => {
  const signal = numberAt(terminated, 'signal') ?? 0;
  return (
    textAt(terminated, 'reason') ??
    (signal === 0 ? `ExitCode:${numberAt(terminated, 'exitCode') ?? 0}` : `Signal:${signal}`)
  );
};

const hasTrueCondition = (status: unknown, type: string): boolean =>
  listAt(status, 'conditions').some((condition) => condition['type'] === type && condition['status'] === 'True');

/** Returns the number of restarts and the time of the last one. */
function restartsOf(statuses: readonly Attributes[]): { readonly count: number; readonly last: number | undefined } {
  let last: number | undefined;
  let count = 0;
  for (const status of statuses) {
    count += numberAt(status, 'restartCount') ?? 0;
    const finished = timeAt(status, 'lastState', 'terminated', 'finishedAt');
    if (finished !== undefined && finished > (last ?? 0)) last = finished;
  }
  return { count, last };
}

/**
 * Returns the problem that delays the initialization; undefined without one. `before` contains the statuses before the
 * container with the problem, and the status of that container.
 */
function initProblem(statuses: readonly Attributes[], sidecars: ReadonlySet<string>, inits: number) {
  for (const [at, status] of statuses.entries()) {
    const terminated = state(status, 'terminated');
    const waiting = state(status, 'waiting');
    if (terminated && (numberAt(terminated, 'exitCode') ?? 0) === 0) continue;
    if (sidecars.has(textAt(status, 'name') ?? '') && status['started'] === true) continue;
    const before = statuses.slice(0, at + 1);
    if (terminated) return { status: `Init:${exitReason(terminated)}`, message: textAt(terminated, 'message'), before };
    const reason = textAt(waiting, 'reason');
    if (reason && reason !== 'PodInitializing')
      return { status: `Init:${reason}`, message: textAt(waiting, 'message'), before };
    return { status: `Init:${at}/${inits}`, message: undefined, before };
  }
  return undefined;
}

/**
 * Returns the columns READY, STATUS and RESTARTS of a pod object. Upstream: printPod (pkg/printers/internalversion,
 * v1.36).
 */
export function describePodObject(object: unknown, status: unknown): PodLine {
  const spec = containersOfSpec(object).filter(({ type }) => type !== 'ephemeral');
  const sidecars = new Set(spec.filter(({ type }) => type === 'sidecar').map(({ name }) => name));
  const inits = spec.filter(({ type }) => type !== 'container').length;
  const total = spec.filter(({ type }) => type !== 'init').length;
  const initStatuses = listAt(status, 'initContainerStatuses');
  const appStatuses = listAt(status, 'containerStatuses');
  const phase = textAt(status, 'phase') ?? 'Pending';
  const gated = listAt(status, 'conditions').some(
    (condition) => condition['type'] === 'PodScheduled' && condition['reason'] === 'SchedulingGated',
  );
  const problem = initProblem(initStatuses, sidecars, inits);
  const readySidecars = (problem?.before ?? initStatuses).filter(
    (entry) =>
      sidecars.has(textAt(entry, 'name') ?? '') &&
      entry['started'] === true &&
      entry['ready'] === true &&
      !state(entry, 'terminated'),
  ).length;
  const general = gated ? 'SchedulingGated' : (textAt(status, 'reason') ?? phase);
  let line: PodLine;
  if (problem && !hasTrueCondition(status, 'Initialized')) {
    const { count, last } = restartsOf(problem.before);
    line = {
      status: problem.status,
      message: problem.message,
      total,
      ready: readySidecars,
      restarts: count,
      lastRestartAt: last,
    };
  } else {
    const { count, last } = restartsOf([
      ...initStatuses.filter((entry) => sidecars.has(textAt(entry, 'name') ?? '')),
      ...appStatuses,
    ]);
    const apps = describeApps(appStatuses, problem?.status ?? general, hasTrueCondition(status, 'Ready'));
    line = { ...apps, total, ready: readySidecars + apps.ready, restarts: count, lastRestartAt: last };
  }
  const isDeleting = textAt(object, 'metadata', 'deletionTimestamp') !== undefined;
  if (isDeleting && textAt(status, 'reason') === 'NodeLost') return { ...line, status: 'Unknown' };
  if (isDeleting && phase !== 'Succeeded' && phase !== 'Failed') return { ...line, status: 'Terminating' };
  return { ...line, message: line.message ?? textAt(status, 'message') };
}

/** Returns the status of the app containers. The first container with a problem determines the status. */
function describeApps(statuses: readonly Attributes[], general: string, isPodReady: boolean) {
  let status = general;
  let message: string | undefined;
  let ready = 0;
  let isRunning = false;
  for (const entry of statuses.toReversed()) {
    const waiting = state(entry, 'waiting');
    const terminated = state(entry, 'terminated');
    const reason = textAt(waiting, 'reason');
    if (reason) {
      status = reason;
      message = textAt(waiting, 'message');
    } else if (terminated) {
      status = exitReason(terminated);
      message = textAt(terminated, 'message');
    } else if (entry['ready'] === true && state(entry, 'running')) {
      isRunning = true;
      ready++;
    }
  }
  if (status === 'Completed' && isRunning)
    return { status: isPodReady ? 'Running' : 'NotReady', message: undefined, ready };
  return { status, message, ready };
}

/** Returns the active back-off of a container at `now`; undefined without one. */
export function currentBackOff(track: ContainerTrack, now: number): CurrentBackOff | undefined {
  const entry = track.backOffs.findLast(({ waiting }) => waiting);
  if (!entry || entry.endedAt !== undefined || entry.since > now) return undefined;
  const { kind, seconds, since, until } = entry;
  return { container: track.name, kind, seconds, since, until, remaining: Math.max(0, until - now) };
}

const waitingReasons: ReadonlySet<string> = new Set(['CrashLoopBackOff', 'ImagePullBackOff', 'SchedulingGated']);
const progressReasons: ReadonlySet<string> = new Set(['Pending', 'ContainerCreating', 'PodInitializing', 'NotReady']);

function toneOf(status: string, isHeld: boolean): PodTone {
  const plain = status.replace(/^Init:/, '');
  if (isHeld) return 'stopped';
  if (status === 'Terminating') return 'terminating';
  if (status === 'Running') return 'running';
  if (status === 'Completed' || status === 'Succeeded') return 'succeeded';
  if (status === 'Unknown') return 'unknown';
  if (waitingReasons.has(plain)) return 'waiting';
  if (progressReasons.has(plain) || /^\d+\/\d+$/.test(plain)) return 'progressing';
  // Any other status is an error (ErrImagePull, OOMKilled, ExitCode:1) or a rejection (OutOfcpu, NodeAffinity).
  return 'error';
}

const stuckReasons: ReadonlySet<string> = new Set([
  'FailedMount',
  'FailedAttachVolume',
  'FailedCreatePodSandBox',
  'NetworkNotReady',
]);

/**
 * Returns the event that says why a pod hasn't started although it should; undefined if the pod's newest event is of
 * another kind.
 */
const stuckOn = ({ events }: PodTrack) => {
  const last = events.at(-1);
  return last && stuckReasons.has(last.reason) ? last : undefined;
};

/**
 * Describes a pod.
 * @param now in milliseconds since the Unix epoch
 */
export function describePodForPeople(track: PodTrack, now: number): PodDescription {
  const status = track.status ?? objectAt(track.object, 'status');
  const line = describePodObject(track.object, status);
  const backOff = track.containers
    .flatMap((container) => currentBackOff(container, now) ?? [])
    .reduce<CurrentBackOff | undefined>((last, entry) => (last && last.until >= entry.until ? last : entry), undefined);
  const isGone = track.deletedAt !== undefined && track.deletedAt <= now;
  const shown = isGone ? 'Deleted' : line.status;
  const tone = isGone ? 'succeeded' : toneOf(shown, track.stoppedAt !== undefined);
  const stuck = tone === 'progressing' ? stuckOn(track) : undefined;
  return {
    ...line,
    status: shown,
    tone: stuck ? 'waiting' : tone,
    message: line.message ?? stuck?.message,
    backOff: isGone ? undefined : backOff,
    stoppedAt: track.stoppedAt?.point,
  };
}
