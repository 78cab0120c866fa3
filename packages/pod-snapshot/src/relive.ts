/**
 * Puts a pod that a cluster described into a simulated node, as it was there: its sandbox and the last instances of its containers, made at the
 * instants that the status names; its waits; the API's object with the status. A kubelet that starts on that node finds what the real one
 * had, and goes on from there.
 */
import { CriError, type RuntimeService } from '@podscope/cri';
import type { KubernetesObject } from '@podscope/k8s';
import { profileV120, profileV136, recognisedContainer, recognisedSandbox } from '@podscope/kuberuntime';
import { type Simulation, type SimulationOptions, simulatedNode } from '@podscope/simulation';
import { addMilliseconds, background, type Context, type Instant, instant, Tracer, withPod } from '@podscope/trace';
import { expectedLives } from './expected-lives.ts';
import { readImages } from './images.ts';
import { killOf } from './kills.ts';
import { readActuated, readBackOffs, readStartFailures } from './kubelet-memory.ts';
import { asNotice, type SnapshotText, sayOfSnapshot } from './notices.ts';
import { type PastLife, type PastPod, readPast } from './past-lives.ts';
import { readProbeFailures } from './past-probes.ts';
import type { PodSnapshot, SnapshotEvent } from './read-snapshots.ts';
import { standIns } from './stand-ins.ts';

/** A pod ready to go on in a simulated node. */
export interface RelivedPod {
  readonly simulation: SimulationOptions;
  /** Call it before the node starts: it lives through what there was. Virtual time stands at the snapshot's when it resolves. */
  readonly prepare: (simulation: Simulation) => Promise<void>;
  /** What is not as it was in the cluster, for the person who looks. */
  readonly notices: readonly SnapshotText[];
  /** Containers that the kubelet was killing when the pod was looked at. */
  readonly dying: readonly string[];
  /** The node's clock when the kubelet takes over. */
  readonly observedAt: Instant;
}

export interface RelivePodOptions {
  readonly profile?: 'v1.36' | 'v1.20';
  /** When the snapshot was taken, where it is known. Default: the newest time it speaks of. */
  readonly at?: Instant;
}

/** From the first thing that is known to have happened. */
const lead = 2_000;
/** How far a scripted end may be from the told one. */
const scriptTolerance = 300;

type Happening =
  | { readonly at: Instant; readonly kind: 'sandbox' }
  | { readonly at: Instant; readonly kind: 'start'; readonly life: PastLife }
  | { readonly at: Instant; readonly kind: 'end'; readonly life: PastLife & { readonly end: NonNullable<PastLife['end']> } }
  | { readonly at: Instant; readonly kind: 'event'; readonly event: SnapshotEvent };

/** What there was, in its order. */
function happenings(past: PastPod, events: readonly SnapshotEvent[]): readonly Happening[] {
  const all: Happening[] = events.map((event) => ({ at: event.last, kind: 'event', event }));
  if (past.sandboxAt !== undefined) all.push({ at: past.sandboxAt, kind: 'sandbox' });
  // Each life from its start to its end, in the order of their starts: of one that ends in the second in which the next starts, the end is first.
  for (const life of past.lives) {
    all.push({ at: life.startedAt, kind: 'start', life });
    if (life.end) all.push({ at: life.end.at, kind: 'end', life: { ...life, end: life.end } });
  }
  // A sandbox is there before what is in it.
  const order = { sandbox: 0, start: 1, end: 1, event: 2 } as const;
  return all.toSorted((a, b) => a.at - b.at || order[a.kind] - order[b.kind]);
}

/** Lets virtual time pass until the call is answered. */
async function during<T>({ clock }: Simulation, call: Promise<T>): Promise<T> {
  const state = { done: false };
  call.then(
    () => (state.done = true),
    () => (state.done = true),
  );
  await clock.settle();
  while (!state.done) if (!(await clock.fireNext(instant(Number.MAX_SAFE_INTEGER)))) break;
  return call;
}

/** Lives through the past of one pod, by the calls that a kubelet would have made. */
class PastPlayer {
  readonly #simulation: Simulation;
  readonly #snapshot: PodSnapshot;
  readonly #profile: typeof profileV136;
  /** Untraced: these calls are ours, not the kubelet's. */
  readonly #calls: Context;
  readonly #log: Context;
  #sandbox: { readonly id: string; readonly config: ReturnType<typeof recognisedSandbox> } | undefined;
  /** Id of an instance by container and attempt. */
  readonly #containers = new Map<string, string>();

  constructor(simulation: Simulation, snapshot: PodSnapshot, profile: typeof profileV136) {
    this.#simulation = simulation;
    this.#snapshot = snapshot;
    this.#profile = profile;
    const { uid, name, namespace = '' } = snapshot.pod.metadata;
    this.#calls = background(simulation.clock, new Tracer(), 'snapshot');
    this.#log = withPod(simulation.cluster.context('snapshot'), { uid, name, namespace });
  }

  async play(past: PastPod, until: Instant): Promise<void> {
    const { clock } = this.#simulation;
    for (const happening of happenings(past, this.#snapshot.events)) {
      await clock.advanceTo(happening.at);
      await this.#play(happening);
    }
    await clock.advanceTo(until);
    const sandbox = this.#sandbox;
    if (sandbox && !past.isSandboxReady) await this.#call((runtime, ctx) => runtime.stopPodSandbox(ctx, { podSandboxId: sandbox.id }));
  }

  async #play(happening: Happening): Promise<void> {
    switch (happening.kind) {
      case 'sandbox':
        await this.#runSandbox();
        return;
      case 'start':
        await this.#start(happening.life);
        return;
      case 'end':
        await this.#end(happening.life);
        return;
      case 'event': {
        const { type, reason, message, container, count } = happening.event;
        this.#log.tracer.emit(this.#log, { type: 'kubernetesEvent', eventType: type, reason, message, container, count });
        return;
      }
      default:
        happening satisfies never;
    }
  }

  async #runSandbox(): Promise<void> {
    const { pod } = this.#snapshot;
    const config = recognisedSandbox(this.#profile, pod, simulatedNode('').podLogsDir);
    const { podSandboxId } = await this.#call((runtime, ctx) => runtime.runPodSandbox(ctx, { config }));
    this.#sandbox = { id: podSandboxId, config };
    const at = this.#simulation.clock.now();
    const state = { object: 'sandbox', id: podSandboxId, name: 'POD', attempt: 0, from: 'nonexistent', to: 'running', createdAt: at, startedAt: at } as const;
    this.#log.tracer.emit(this.#log, { type: 'runtimeStateChanged', ...state });
  }

  async #start({ container, attempt, end }: PastLife): Promise<void> {
    const sandbox = this.#sandbox;
    if (!sandbox) return;
    // An image that is gone by now was there when this started.
    this.#simulation.simulator.addImage(container.image ?? '');
    const config = recognisedContainer(this.#profile, this.#snapshot.pod, container, attempt);
    const { containerId } = await this.#call((runtime, ctx) =>
      runtime.createContainer(ctx, { podSandboxId: sandbox.id, config, sandboxConfig: sandbox.config }),
    );
    this.#containers.set(`${container.name}/${attempt}`, containerId);
    await this.#call((runtime, ctx) => runtime.startContainer(ctx, { containerId })).catch((error: unknown) => {
      // One that could not be started is there as what it is.
      if (!end || !(error instanceof CriError)) throw error;
    });
    await this.#tell(containerId, container.name, attempt, 'created');
  }

  async #end({ container, attempt, end }: PastLife & { readonly end: NonNullable<PastLife['end']> }): Promise<void> {
    const id = this.#containers.get(`${container.name}/${attempt}`);
    if (id === undefined) return;
    // Want of memory can't be brought about from outside: its script comes to it, give or take how long the start took.
    if (end.reason === 'OOMKilled') await this.#simulation.clock.advance(scriptTolerance);
    const { status } = await this.#call((runtime, ctx) => runtime.containerStatus(ctx, { containerId: id }));
    if (status.state === 'CONTAINER_RUNNING') await during(this.#simulation, this.#simulation.simulator.exitContainer(id, end.exitCode));
    await this.#tell(id, container.name, attempt, 'running');
  }

  /** What the log is told of a container that changed. */
  async #tell(id: string, name: string, attempt: number, from: 'created' | 'running'): Promise<void> {
    const { status } = await this.#call((runtime, ctx) => runtime.containerStatus(ctx, { containerId: id }));
    const at = (ns: bigint): number | undefined => (ns > 0n ? Number(ns / 1_000_000n) : undefined);
    const isOver = status.state === 'CONTAINER_EXITED';
    this.#log.tracer.emit(this.#log, {
      type: 'runtimeStateChanged',
      object: 'container',
      id,
      name,
      attempt,
      from,
      to: isOver ? 'exited' : 'running',
      createdAt: at(status.createdAt),
      startedAt: at(status.startedAt),
      ...(isOver ? { finishedAt: at(status.finishedAt), exitCode: status.exitCode, reason: status.reason, message: status.message } : {}),
      image: status.image.image,
    });
  }

  /** A call of the runtime, as a kubelet makes it. */
  #call<T>(ask: (runtime: RuntimeService, ctx: Context) => Promise<T>): Promise<T> {
    return during(this.#simulation, ask(this.#simulation.simulator.runtime, this.#calls));
  }
}

/** What the runtime was asked for in vain, and said. */
function standingFailures({ pod, events }: PodSnapshot, past: PastPod): readonly (readonly ['RunPodSandbox' | 'CreateContainer', string])[] {
  const failures: (readonly ['RunPodSandbox' | 'CreateContainer', string])[] = [];
  const sandbox = events.findLast(({ reason }) => reason === 'FailedCreatePodSandBox');
  const withoutFrame = (text: string): string => text.replace(/^.*?rpc error: code = \w+ desc = /, '');
  if (sandbox && past.sandboxAt === undefined) failures.push(['RunPodSandbox', withoutFrame(sandbox.message)]);
  const refused = [...(pod.status?.initContainerStatuses ?? []), ...(pod.status?.containerStatuses ?? [])]
    .map(({ state }) => state?.waiting)
    .find((waiting) => waiting?.reason === 'CreateContainerError');
  if (refused) failures.push(['CreateContainer', withoutFrame(refused.message ?? 'the container could not be created')]);
  return failures;
}

/** Objects that a storage begins with; what changes later is not kept anywhere. */
const preloaded = (objects: readonly KubernetesObject[]): SimulationOptions['persistence'] => ({
  load: () => Promise.resolve(objects),
  put: () => Promise.resolve(),
  delete: () => Promise.resolve(),
});

const clockText = (at: Instant): string => `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

/** Makes the simulated node for one snapshot. */
export function relivePod(snapshot: PodSnapshot, { profile = 'v1.36', at }: RelivePodOptions = {}): RelivedPod {
  const observedAt = instant(Math.max(snapshot.observedAt, at ?? 0));
  const { pod, objects, notices: differences } = standIns(snapshot);
  const fit: PodSnapshot = { ...snapshot, pod, observedAt };
  const past = readPast(pod, observedAt);
  const { present, registries } = readImages(fit);
  const begin = [past.sandboxAt, ...past.lives.map(({ startedAt }) => startedAt), ...snapshot.events.map(({ last }) => last), observedAt];
  const start = addMilliseconds(instant(Math.min(...begin.filter((time) => time !== undefined))), -lead);
  const failures = standingFailures(fit, past);
  const notices = [sayOfSnapshot('readBack', { time: clockText(observedAt) }), ...differences];
  const dying = past.lives.flatMap((life) => (!life.end && killOf(fit, life) ? [life.container.name] : []));
  return {
    observedAt,
    notices,
    dying,
    simulation: {
      profile,
      start,
      nodeName: pod.spec.nodeName ?? 'node',
      notices: notices.map(asNotice),
      persistence: preloaded([{ ...pod }, ...objects]),
      memory: {
        backOffs: readBackOffs(fit, past),
        startFailures: readStartFailures(fit),
        actuated: readActuated(fit),
        probeFailures: readProbeFailures(fit, past),
      },
      simulator: { images: ['registry.k8s.io/pause:3.10', ...present], registries, scripts: expectedLives(fit, past) },
    },
    prepare: async (simulation) => {
      await new PastPlayer(simulation, fit, profile === 'v1.36' ? profileV136 : profileV120).play(past, observedAt);
      const had = new Set(present);
      for (const { container } of past.lives) if (!had.has(container.image ?? '')) simulation.simulator.removeImage(container.image ?? '');
      for (const [operation, message] of failures) simulation.simulator.failNext(operation, message, { times: Number.POSITIVE_INFINITY });
    },
  };
}
