/**
 * Applies observations of the runtime to sandboxes and containers: PLEG events and responses of status calls.
 * Observations contain the times and exit codes of the runtime, which take precedence over values derived from calls.
 * An observation arrives late and may be older than the last call, so an applied state never goes back.
 */
import type { TraceEventOf } from '../../events/event.ts';
import { criTimeAt, numberAt, objectAt, textAt } from '../attribute-values.ts';
import { sourceOf } from '../fact-source.ts';
import type { FoldState } from '../state/fold-state.ts';
import { containerOf, type MutableAttempt, type MutablePod, sandboxName, touch } from '../state/mutable-tracks.ts';
import type { AttemptRecord, FactSource } from '../tracks.ts';

/** An observation of a sandbox or container. */
export interface Observation extends FactSource {
  readonly id: string;
  /** The name of the container; `POD` for a sandbox. */
  readonly name: string;
  readonly attempt: number;
  readonly type?: 'init' | 'sidecar' | 'container' | 'ephemeral' | undefined;
  readonly from?: string;
  readonly to: 'nonexistent' | 'created' | 'running' | 'exited' | 'unknown';
  readonly createdAt?: number | undefined;
  readonly startedAt?: number | undefined;
  readonly finishedAt?: number | undefined;
  readonly exitCode?: number | undefined;
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
  readonly image?: string | undefined;
  readonly ip?: string | undefined;
}

const rank: Readonly<Record<AttemptRecord['state'], number>> = {
  unknown: 0,
  created: 1,
  running: 2,
  exited: 3,
  removed: 4,
};

/** Advances an attempt to `state`. Returns false if it has already reached that state or a later one. */
export function advance(attempt: MutableAttempt, state: AttemptRecord['state']): boolean {
  if (rank[state] <= rank[attempt.state]) return false;
  attempt.state = state;
  return true;
}

function exitAt(attempt: MutableAttempt, time: number, from: FactSource): void {
  attempt.finishedAt = time;
  attempt.finishedFrom = sourceOf(from);
}

/**
 * Infers that an attempt exited before `time`, because it was stopped or no longer exists. Does nothing if the exit is
 * known, or if the attempt never started.
 */
export function inferExit(attempt: MutableAttempt, time: number, from: FactSource): void {
  if (attempt.startedAt === undefined || attempt.finishedAt !== undefined) return;
  exitAt(attempt, time, { source: from.source, inferred: true });
}

const known = (time: number | undefined): number | undefined => (time !== undefined && time > 0 ? time : undefined);

/** Applies an observation made at `time`. */
export function observe(state: FoldState, pod: MutablePod, seen: Observation, time: number): void {
  let located = state.attempt(seen.id);
  if (!located) {
    // A container that was removed before it was observed isn't shown.
    if (seen.to === 'nonexistent' && seen.createdAt === undefined) return;
    const track = containerOf(pod, seen.name, seen.type);
    located = { pod, track, attempt: state.attemptOf(pod, track, seen.id, seen.attempt) };
  }
  const { attempt, track } = located;
  touch(track);
  Object.assign(attempt, sourceOf(seen));
  attempt.createdAt = known(seen.createdAt) ?? attempt.createdAt;
  attempt.image = seen.image || attempt.image;
  attempt.ip = seen.ip || attempt.ip;
  const startedAt = known(seen.startedAt);
  // The container was restarted by a program other than the kubelet, and the same attempt continues. A sandbox that is
  // observed between its creation and its start is also reported as exited before it runs.
  const restarted = startedAt !== undefined && startedAt > (attempt.finishedAt ?? 0);
  const again = seen.from === 'exited' && seen.to === 'running' && (restarted || seen.name === sandboxName);
  if (again && attempt.state === 'exited') {
    attempt.state = 'running';
    attempt.finishedAt = undefined;
    attempt.finishedFrom = undefined;
    attempt.exitCode = undefined;
  }
  attempt.startedAt = startedAt ?? attempt.startedAt ?? (again ? time : undefined);
  const finishedAt = known(seen.finishedAt);
  switch (seen.to) {
    case 'created':
      if (advance(attempt, 'created')) attempt.createdAt ??= time;
      break;
    case 'running':
      if (advance(attempt, 'running')) attempt.startedAt ??= time;
      break;
    case 'exited':
      advance(attempt, 'exited');
      // An observation without the time of the exit doesn't confirm an inferred time.
      if (finishedAt !== undefined || attempt.finishedAt === undefined) exitAt(attempt, finishedAt ?? time, seen);
      attempt.exitCode = seen.exitCode ?? attempt.exitCode;
      attempt.reason = seen.reason || attempt.reason;
      attempt.message = seen.message || attempt.message;
      break;
    case 'nonexistent':
      if (attempt.startedAt !== undefined && attempt.finishedAt === undefined && finishedAt !== undefined)
        exitAt(attempt, finishedAt, seen);
      else inferExit(attempt, time, seen);
      if (advance(attempt, 'removed')) attempt.removedAt ??= time;
      break;
    case 'unknown':
      attempt.reason = seen.reason || attempt.reason;
      attempt.message = seen.message || attempt.message;
      break;
  }
}

/** Applies a PLEG event. */
export const applyRuntimeStateChanged = (
  state: FoldState,
  pod: MutablePod,
  event: TraceEventOf<'runtimeStateChanged'>,
): void =>
  observe(
    state,
    pod,
    { ...event, name: event.object === 'sandbox' ? sandboxName : event.name, type: event.containerType },
    event.time,
  );

const containerStates: Readonly<Record<string, Observation['to']>> = {
  CONTAINER_CREATED: 'created',
  CONTAINER_RUNNING: 'running',
  CONTAINER_EXITED: 'exited',
  CONTAINER_UNKNOWN: 'unknown',
};

/** Applies the response of ContainerStatus. */
export function applyContainerStatus(
  state: FoldState,
  pod: MutablePod,
  response: unknown,
  { time, ...from }: FactSource & { readonly time: number },
): void {
  const status = objectAt(response, 'status');
  const id = textAt(status, 'id');
  const name = textAt(status, 'metadata', 'name');
  const to = containerStates[textAt(status, 'state') ?? ''];
  if (!id || !name || !to) return;
  const exited = to === 'exited';
  observe(
    state,
    pod,
    {
      ...from,
      id,
      name,
      to,
      attempt: numberAt(status, 'metadata', 'attempt') ?? 0,
      createdAt: criTimeAt(status, 'createdAt'),
      startedAt: criTimeAt(status, 'startedAt'),
      finishedAt: exited ? criTimeAt(status, 'finishedAt') : undefined,
      exitCode: exited ? numberAt(status, 'exitCode') : undefined,
      reason: textAt(status, 'reason'),
      message: textAt(status, 'message'),
      image: textAt(status, 'image', 'userSpecifiedImage') ?? textAt(status, 'image', 'image'),
    },
    time,
  );
}

/** Returns true if the pod's newest sandbox was being created at `time`. */
function isBeingCreated({ sandbox }: MutablePod, time: number): boolean {
  const creation = sandbox.activities.findLast(({ kind }) => kind === 'create');
  return creation !== undefined && creation.start <= time && (creation.end === undefined || creation.end > time);
}

/** Applies the response of PodSandboxStatus. @param asked when the call began */
export function applySandboxStatus(
  state: FoldState,
  pod: MutablePod,
  response: unknown,
  { asked, time, ...from }: FactSource & { readonly asked: number; readonly time: number },
): void {
  const status = objectAt(response, 'status');
  const id = textAt(status, 'id');
  if (!id) return;
  // A relist may find a sandbox that is still being created. The runtime reports this sandbox as not ready, but it
  // hasn't exited.
  const notReady =
    state.attempt(id)?.attempt.startedAt === undefined && isBeingCreated(pod, asked) ? 'created' : 'exited';
  observe(
    state,
    pod,
    {
      ...from,
      id,
      name: sandboxName,
      to: textAt(status, 'state') === 'SANDBOX_READY' ? 'running' : notReady,
      attempt: numberAt(status, 'metadata', 'attempt') ?? 0,
      createdAt: criTimeAt(status, 'createdAt'),
      ip: textAt(status, 'network', 'ip'),
    },
    time,
  );
}
