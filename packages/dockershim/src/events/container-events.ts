/**
 * Implements GetContainerEvents on Docker's event stream. After a lost connection it derives missed events from a
 * listing. Upstream: containerd's CRI events (1.7); no dockershim had this RPC.
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
import { type LifeStage, missedEvents, type Snapshot } from './missed-events.ts';

const firstPauseMs = 250;
const maxPauseMs = 5_000;
/**
 * The stream starts this long before the listing it is compared with: a duplicate event can be recognized, a missing
 * one not.
 */
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
}

/** What to do with events of a sandbox whose RunPodSandbox call is in progress. */
export type StartingSandboxEvents = 'hold' | 'drop';

/**
 * Yields the events of this instance's containers and sandboxes from now on. Ends when the context is aborted.
 * @param ofStarting `hold`: yield a sandbox's events once RunPodSandbox has ended, so that they carry its final state
 * and IP, which EventedPLEG needs
 */
export async function* containerEvents(
  ctx: Context,
  dependencies: DockershimDependencies,
  ofStarting: StartingSandboxEvents = 'hold',
): AsyncGenerator<ContainerEventResponse> {
  let pause = firstPauseMs;
  let known: Snapshot | undefined;
  let isFailing = false;
  while (!ctx.signal.aborted) {
    try {
      const since = (ctx.clock.now() / 1000 - overlapSeconds).toFixed(3);
      const current = await takeSnapshot(ctx, dependencies);
      isFailing = false;
      const takenAt = toNanoseconds(ctx.clock.now());
      for (const { id, sandboxId, type } of known ? missedEvents(known, current) : []) {
        yield await toResponse(ctx, dependencies, { id, sandboxId, type, at: toNanoseconds(ctx.clock.now()) });
      }
      known = current;
      for await (const change of holdWhileStarting(dependencies, changes(ctx, dependencies, since), ofStarting)) {
        pause = firstPauseMs;
        if (!note(current, change, change.at <= takenAt)) continue;
        if (ofStarting === 'drop' && dependencies.startingSandboxes.has(change.id)) continue;
        yield await toResponse(ctx, dependencies, change);
      }
    } catch (error) {
      if (ctx.signal.aborted) return;
      // Warn once, not at every attempt.
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
 * Delays the changes of a sandbox and its containers until its RunPodSandbox call has ended. Keeps the order per
 * sandbox. Changes that are still delayed when the source fails are found again by the next comparison of listings.
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
    let next = source.next();
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
      next = source.next();
      const waiting = held.get(change.sandboxId);
      const ended = startingSandboxes.callEnded(change.sandboxId);
      if (waiting) waiting.changes.push(change);
      else if (ended) held.set(change.sandboxId, { changes: [change], ended: ended.then(() => change.sandboxId) });
      else yield change;
    }
  } finally {
    // The pending read settles when the context is aborted; its result isn't needed.
    source.return(undefined).catch(() => undefined);
  }
}

/**
 * Records a change in the snapshot. Returns false if it is a duplicate. A change from before the snapshot is contained
 * in it already; a later one may also lead back to an earlier stage, because the container was restarted from outside.
 */
function note(
  snapshot: Map<string, { stage: LifeStage; sandboxId: string }>,
  { id, sandboxId, type }: Change,
  isOld: boolean,
): boolean {
  const stage = stageAfter[type];
  const known = snapshot.get(id)?.stage;
  if (known === stage) return false;
  if (isOld && known && stage && stages.indexOf(stage) < stages.indexOf(known)) return false;
  if (stage) snapshot.set(id, { stage, sandboxId });
  else snapshot.delete(id);
  return true;
}

async function* changes(ctx: Context, dependencies: DockershimDependencies, since: string): AsyncGenerator<Change> {
  const filters = {
    type: ['container'],
    event: Object.keys(types),
    label: [`${labelKeys.instance}=${dependencies.options.instance}`, labelKeys.type],
  };
  for await (const event of dependencies.docker.events(ctx, { filters, since })) {
    const type = types[event.Action];
    if (type) yield { id: event.Actor.ID, sandboxId: sandboxIdOf(event), type, at: BigInt(event.timeNano) };
  }
}

const sandboxIdOf = ({ Actor }: DockerEvent): string => Actor.Attributes[labelKeys.sandboxId] ?? Actor.ID;

const stageOf = (state: string): LifeStage =>
  state === 'created' ? 'created' : state === 'running' || state === 'paused' ? 'running' : 'exited';

async function takeSnapshot(
  ctx: Context,
  dependencies: DockershimDependencies,
): Promise<Map<string, { stage: LifeStage; sandboxId: string }>> {
  const label = [`${labelKeys.instance}=${dependencies.options.instance}`, labelKeys.type];
  const summaries = await dependencies.docker.listContainers(ctx, { all: true, filters: { label } });
  return new Map(
    summaries.map(({ Id, State, Labels }) => [
      Id,
      { stage: stageOf(State), sandboxId: Labels[labelKeys.sandboxId] ?? Id },
    ]),
  );
}

/** Returns the CRI event with the pod's present statuses. Omits objects that no longer exist. */
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
  // Clients read the log after this event, so its last lines must be written.
  if (type === 'CONTAINER_STOPPED_EVENT') await dependencies.logWriters.drained(ctx, id);
  return {
    containerId: id,
    containerEventType: type,
    createdAt: at,
    ...(podSandboxStatus ? { podSandboxStatus } : {}),
    containersStatuses: statuses.filter((each) => each !== undefined),
  };
}
