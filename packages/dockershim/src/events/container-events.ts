/**
 * Implements GetContainerEvents with Docker's event stream. After a lost connection, it derives the missed events from
 * a list of containers. Upstream: containerd's CRI events (1.7); no dockershim had this RPC.
 */
import { errorMessage } from '@podscope/base';
import type { ContainerEventResponse, ContainerEventType } from '@podscope/cri';
import { type Context, sleep, toNanoseconds } from '@podscope/trace';
import { containerStatusOf } from '../container/container-status.ts';
import type { DockershimDependencies } from '../dependencies.ts';
import type { DockerEvent } from '../docker/schemas.ts';
import { labelKeys } from '../objects/labels.ts';
import { containersOfSandbox } from '../sandbox/containers-of-sandbox.ts';
import { sandboxStatusOf } from '../sandbox/pod-sandbox-status.ts';
import { type LifeStage, type MissedEvent, missedEvents, type SnapshotEntry } from './missed-events.ts';

const firstPauseMs = 250;
const maxPauseMs = 5_000;
/** How many seconds before the list the stream starts. A duplicate event can be recognized; a missing one can't. */
const overlapSeconds = 1;

const types: Readonly<Record<string, ContainerEventType>> = {
  create: 'CONTAINER_CREATED_EVENT',
  start: 'CONTAINER_STARTED_EVENT',
  die: 'CONTAINER_STOPPED_EVENT',
  destroy: 'CONTAINER_DELETED_EVENT',
};

const stageAfter: Readonly<Record<ContainerEventType, LifeStage | undefined>> = {
  CONTAINER_CREATED_EVENT: 'created',
  CONTAINER_STARTED_EVENT: 'running',
  CONTAINER_STOPPED_EVENT: 'exited',
  CONTAINER_DELETED_EVENT: undefined,
};

interface Change {
  readonly id: string;
  readonly sandboxId: string;
  readonly type: ContainerEventType;
  readonly at: bigint;
  /** The Docker name of the container; empty in a change that was derived from lists. */
  readonly name: string;
  /** True for a change that was derived from lists. */
  readonly isMissed?: true;
}

/** What to do with the events of a sandbox while its RunPodSandbox call runs. */
export type StartingSandboxEvents = 'hold' | 'drop';

/**
 * Yields the events of this instance's containers and sandboxes from now on. Ends when the context is aborted.
 * @param ofStarting `hold`: yields a sandbox's events once RunPodSandbox has ended, because EventedPLEG needs events
 * with the sandbox's final state and IP; `drop`: omits them
 */
export async function* containerEvents(
  ctx: Context,
  dependencies: DockershimDependencies,
  ofStarting: StartingSandboxEvents = 'hold',
): AsyncGenerator<ContainerEventResponse> {
  let pause = firstPauseMs;
  let known: Map<string, SnapshotEntry> | undefined;
  let isFailing = false;
  while (!ctx.signal.aborted) {
    try {
      const since = (ctx.clock.now() / 1000 - overlapSeconds).toFixed(3);
      const current = await takeSnapshot(ctx, dependencies);
      isFailing = false;
      const takenAt = toNanoseconds(ctx.clock.now());
      const missed = known ? missedEvents(known, current) : [];
      // A missed change is recorded when it is yielded, so a change that was delayed and then dropped is found again.
      known = known ? new Map(known) : current;
      const source = changes(ctx, dependencies, since, missed);
      for await (const change of holdWhileStarting(dependencies, source, ofStarting)) {
        if (!change.isMissed) pause = firstPauseMs;
        if (!note(known, change, !change.isMissed && change.at <= takenAt)) continue;
        if (ofStarting === 'drop' && dependencies.startingSandboxes.isStarting(change.id, change.name)) continue;
        yield await toResponse(ctx, dependencies, change);
      }
    } catch (error) {
      if (ctx.signal.aborted) return;
      // Logs only the first of several failures in a row.
      if (!isFailing) reportFailure(ctx, error);
      isFailing = true;
    }
    await sleep(ctx.clock, pause, ctx.signal).catch(() => undefined);
    pause = Math.min(pause * 2, maxPauseMs);
  }
}

function reportFailure(ctx: Context, error: unknown): void {
  const message = `Listening to Docker's events failed, trying again: ${errorMessage(error)}`;
  ctx.tracer.emit(ctx, { type: 'output', level: 'warning', message });
}

const stages: readonly LifeStage[] = ['created', 'running', 'exited'];

/**
 * Delays the changes of a sandbox and its containers until its RunPodSandbox call has ended. The changes of each
 * sandbox stay in order. If the source fails, delayed changes are dropped; the next comparison of lists finds them
 * again.
 */
async function* holdWhileStarting(
  { startingSandboxes }: DockershimDependencies,
  source: AsyncGenerator<Change>,
  ofStarting: StartingSandboxEvents,
): AsyncGenerator<Change> {
  if (ofStarting === 'drop') {
    yield* source;
    return;
  }
  const held = new Map<string, { readonly changes: Change[]; readonly ended: Promise<string> }>();
  try {
    // The source is read ahead while a change is handled. Its failure is handled afterwards, by the await below.
    const readAhead = (): Promise<IteratorResult<Change>> => {
      const read = source.next();
      read.catch(() => undefined);
      return read;
    };
    let next = readAhead();
    for (;;) {
      const first = await Promise.race([next, ...[...held.values()].map(({ ended }) => ended)]);
      if (typeof first === 'string') {
        const changes = held.get(first)?.changes ?? [];
        held.delete(first);
        yield* changes;
        continue;
      }
      if (first.done) return;
      const change = first.value;
      next = readAhead();
      const waiting = held.get(change.sandboxId);
      const ended = startingSandboxes.callEnded(change.sandboxId, change.name);
      if (waiting) waiting.changes.push(change);
      else if (ended) held.set(change.sandboxId, { changes: [change], ended: ended.then(() => change.sandboxId) });
      else yield change;
    }
  } finally {
    // The pending read settles when the context is aborted. Its result isn't needed.
    source.return(undefined).catch(() => undefined);
  }
}

/**
 * Records a change in the snapshot. Returns false if the change is a duplicate. A change that is older than the
 * snapshot is already part of it. A newer change may have an earlier stage, because another client may have restarted
 * the container.
 */
function note(snapshot: Map<string, SnapshotEntry>, { id, sandboxId, type }: Change, isOld: boolean): boolean {
  const stage = stageAfter[type];
  const known = snapshot.get(id)?.stage;
  if (known === stage) return false;
  if (isOld && known && stage && stages.indexOf(stage) < stages.indexOf(known)) return false;
  if (stage) snapshot.set(id, { stage, sandboxId });
  else snapshot.delete(id);
  return true;
}

/** Yields the missed changes, then those that the engine reports. */
async function* changes(
  ctx: Context,
  dependencies: DockershimDependencies,
  since: string,
  missed: readonly MissedEvent[],
): AsyncGenerator<Change> {
  for (const { id, sandboxId, type } of missed)
    yield { id, sandboxId, type, at: toNanoseconds(ctx.clock.now()), name: '', isMissed: true };
  const filters = {
    type: ['container'],
    event: Object.keys(types),
    label: [`${labelKeys.instance}=${dependencies.options.instance}`, labelKeys.type],
  };
  for await (const event of dependencies.docker.events(ctx, { filters, since })) {
    const type = types[event.Action];
    if (!type) continue;
    const { ID: id, Attributes } = event.Actor;
    yield { id, sandboxId: sandboxIdOf(event), type, at: BigInt(event.timeNano), name: Attributes['name'] ?? '' };
  }
}

const sandboxIdOf = ({ Actor }: DockerEvent): string => Actor.Attributes[labelKeys.sandboxId] ?? Actor.ID;

const stageOf = (state: string): LifeStage =>
  state === 'created' ? 'created' : state === 'running' || state === 'paused' ? 'running' : 'exited';

async function takeSnapshot(ctx: Context, dependencies: DockershimDependencies): Promise<Map<string, SnapshotEntry>> {
  const label = [`${labelKeys.instance}=${dependencies.options.instance}`, labelKeys.type];
  const summaries = await dependencies.docker.listContainers(ctx, { all: true, filters: { label } });
  return new Map(
    summaries.map(({ Id, State, Labels }) => [
      Id,
      { stage: stageOf(State), sandboxId: Labels[labelKeys.sandboxId] ?? Id },
    ]),
  );
}

/** Returns the CRI event with the current statuses of the pod. Objects that no longer exist are omitted. */
async function toResponse(
  ctx: Context,
  dependencies: DockershimDependencies,
  { id, sandboxId, type, at }: Change,
): Promise<ContainerEventResponse> {
  if (type === 'CONTAINER_DELETED_EVENT') dependencies.objects.forget(id);
  const podSandboxStatus = await dependencies.objects
    .inspect(ctx, sandboxId, 'podsandbox')
    .then((sandbox) => sandboxStatusOf(ctx, dependencies, sandbox))
    .catch(() => undefined);
  const summaries = await containersOfSandbox(ctx, dependencies, sandboxId).catch(() => []);
  const statuses = await Promise.all(
    summaries.map(({ Id }) =>
      dependencies.objects
        .inspect(ctx, Id, 'container')
        .then((container) => containerStatusOf(ctx, dependencies, container))
        .catch(() => undefined),
    ),
  );
  // A client that receives this event reads the log next, so the last lines must have been written.
  if (type === 'CONTAINER_STOPPED_EVENT') await dependencies.logWriters.drained(ctx, id);
  return {
    containerId: id,
    containerEventType: type,
    createdAt: at,
    ...(podSandboxStatus ? { podSandboxStatus } : {}),
    containersStatuses: statuses.filter((each) => each !== undefined),
  };
}
