var e=`/** GetContainerEvents from Docker's event stream, across lost connections. */
import type { ContainerEventResponse, ContainerEventType } from '@podscope/cri';
import { type Context, sleep, toNanoseconds } from '@podscope/trace';
import { containerStatusOf } from '../container/container-status.ts';
import type { DockerEvent } from '../docker/schemas.ts';
import { labelKeys } from '../labels.ts';
import { containersOfSandbox } from '../sandbox/containers-of-sandbox.ts';
import { sandboxStatusOf } from '../sandbox/pod-sandbox-status.ts';
import type { Shim } from '../shim.ts';
import { type LifeStage, missedEvents, type Snapshot } from './missed-events.ts';

const firstPauseMs = 250;
const maxPauseMs = 5_000;
/** The stream is asked for what happened since shortly before the comparison: what comes twice is told from what is new, a gap could not be. */
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

/** Everything that happens to our containers from now on. Ends when the context is aborted. */
export async function* containerEvents(shim: Shim, ctx: Context): AsyncGenerator<ContainerEventResponse> {
  let pause = firstPauseMs;
  let known: Snapshot | undefined;
  let isFailing = false;
  while (!ctx.signal.aborted) {
    try {
      const since = (ctx.clock.now() / 1000 - overlapSeconds).toFixed(3);
      const current = await takeSnapshot(shim, ctx);
      isFailing = false;
      const takenAt = toNanoseconds(ctx.clock.now());
      for (const { id, sandboxId, type } of known ? missedEvents(known, current) : []) {
        yield await toResponse(shim, ctx, { id, sandboxId, type, at: toNanoseconds(ctx.clock.now()) });
      }
      known = current;
      for await (const change of changes(shim, ctx, since)) {
        pause = firstPauseMs;
        if (!note(current, change, change.at <= takenAt)) continue;
        yield await toResponse(shim, ctx, change);
      }
    } catch (error) {
      if (ctx.signal.aborted) return;
      // An engine that stays away is told once.
      if (!isFailing) tellFailure(ctx, error);
      isFailing = true;
    }
    await sleep(ctx.clock, pause, ctx.signal).catch(() => undefined);
    pause = Math.min(pause * 2, maxPauseMs);
  }
}

function tellFailure(ctx: Context, error: unknown): void {
  const message = \`Listening to Docker's events failed, trying again: \${error instanceof Error ? error.message : String(error)}\`;
  ctx.tracer.emit(ctx, { type: 'output', level: 'warning', message });
}

const stages: readonly LifeStage[] = ['created', 'running', 'exited'];

/**
 * Writes a change into the snapshot; false when it is no news. What happened before the snapshot was taken is in it already; later a
 * container may also go back: somebody restarted it.
 */
function note(snapshot: Map<string, { stage: LifeStage; sandboxId: string }>, { id, sandboxId, type }: Change, isOld: boolean): boolean {
  const stage = stageAfter[type];
  const known = snapshot.get(id)?.stage;
  if (known === stage) return false;
  if (isOld && known && stage && stages.indexOf(stage) < stages.indexOf(known)) return false;
  if (stage) snapshot.set(id, { stage, sandboxId });
  else snapshot.delete(id);
  return true;
}

async function* changes(shim: Shim, ctx: Context, since: string): AsyncGenerator<Change> {
  const filters = { type: ['container'], event: Object.keys(types), label: [\`\${labelKeys.instance}=\${shim.options.instance}\`, labelKeys.type] };
  for await (const event of shim.docker.events(ctx, { filters, since })) {
    const type = types[event.Action];
    if (type) yield { id: event.Actor.ID, sandboxId: sandboxIdOf(event), type, at: BigInt(event.timeNano) };
  }
}

const sandboxIdOf = ({ Actor }: DockerEvent): string => Actor.Attributes[labelKeys.sandboxId] ?? Actor.ID;

const stageOf = (state: string): LifeStage => (state === 'created' ? 'created' : state === 'running' || state === 'paused' ? 'running' : 'exited');

async function takeSnapshot(shim: Shim, ctx: Context): Promise<Map<string, { stage: LifeStage; sandboxId: string }>> {
  const label = [\`\${labelKeys.instance}=\${shim.options.instance}\`, labelKeys.type];
  const summaries = await shim.docker.listContainers(ctx, { all: true, filters: { label } });
  return new Map(summaries.map(({ Id, State, Labels }) => [Id, { stage: stageOf(State), sandboxId: Labels[labelKeys.sandboxId] ?? Id }]));
}

/** An event carries the pod as it is at that moment; what is gone by then is left out. */
async function toResponse(shim: Shim, ctx: Context, { id, sandboxId, type, at }: Change): Promise<ContainerEventResponse> {
  if (type === 'CONTAINER_DELETED_EVENT') shim.objects.forget(id);
  const podSandboxStatus = await shim.objects
    .inspect(ctx, sandboxId, 'podsandbox')
    .then((sandbox) => sandboxStatusOf(shim, ctx, sandbox))
    .catch(() => undefined);
  const summaries = await containersOfSandbox(shim, ctx, sandboxId).catch(() => []);
  const statuses = await Promise.all(
    summaries.map(({ Id }) =>
      shim.objects
        .inspect(ctx, Id, 'container')
        .then((container) => containerStatusOf(shim, ctx, container))
        .catch(() => undefined),
    ),
  );
  // Who hears of the end reads the log next; the statuses are those of the moment.
  if (type === 'CONTAINER_STOPPED_EVENT') await shim.logWriters.drained(ctx, id);
  return {
    containerId: id,
    containerEventType: type,
    createdAt: at,
    ...(podSandboxStatus ? { podSandboxStatus } : {}),
    containersStatuses: statuses.filter((each) => each !== undefined),
  };
}
`;export{e as default};
//# sourceMappingURL=container-events-BCRkmREO.js.map