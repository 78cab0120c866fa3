/**
 * Restores a pod of another cluster on a simulated node: its API object, its sandbox, the last instances of its
 * containers at the times in its status, and its back-offs. A kubelet that starts on that node continues from this
 * state.
 */
import { CriError, defaultSandboxImages, type RuntimeService } from '@podscope/cri';
import type { KubernetesObject } from '@podscope/k8s';
import {
  getPodCgroupParent,
  profileV120,
  profileV136,
  recognisedContainer,
  recognisedSandbox,
  resourceConfigForPod,
} from '@podscope/kuberuntime';
import { type Simulation, type SimulationOptions, simulatedNode } from '@podscope/node/virtual';
import { addMilliseconds, background, type Context, type Instant, instant, Tracer, withPod } from '@podscope/trace';
import { behaviorScripts } from './behavior-scripts.ts';
import type { ClusterFacts } from './diagnosis/pod-case.ts';
import { readImages } from './images.ts';
import { killOf } from './kills.ts';
import { readActuated, readBackOffs, readStartFailures } from './kubelet-state.ts';
import { type SnapshotText, snapshotText, toNotice } from './notices.ts';
import { type PastInstance, type PastPod, readPast } from './past-instances.ts';
import { readProbeFailures } from './past-probes.ts';
import { createPlaceholders } from './placeholders.ts';
import type { PodSnapshot, SnapshotEvent } from './pod-snapshot.ts';

/** A pod that can continue on a simulated node. */
export interface RestoredPod {
  readonly simulation: SimulationOptions;
  /**
   * Replays the past of the pod. Call it before the node starts. When it resolves, the virtual clock shows the time of
   * the snapshot.
   */
  readonly prepare: (simulation: Simulation) => Promise<void>;
  /** The differences from the real pod, to show to the user. */
  readonly notices: readonly SnapshotText[];
  /** Names of the containers that the kubelet was killing at the time of the snapshot. */
  readonly dying: readonly string[];
  /** The time at which the simulated kubelet starts. */
  readonly observedAt: Instant;
}

export interface RestorePodOptions {
  readonly profile?: 'v1.36' | 'v1.20';
  /** The active back-offs by container, if the kubelet reported them. Default: computed from status and events. */
  readonly backOffs?: ClusterFacts['backOffs'];
  /** Whether the snapshot is the state of an observed kubelet's run. The notices then say so. Default: false. */
  readonly isObserved?: boolean;
  /** When the snapshot was taken. Default: the newest time in it. */
  readonly at?: Instant;
}

/** How long before the first known event the virtual clock starts, in ms. */
const lead = 2_000;
/** The largest difference between a scripted exit and the recorded one, in ms. */
const scriptTolerance = 300;

type PastEvent =
  | { readonly at: Instant; readonly kind: 'sandbox' }
  | { readonly at: Instant; readonly kind: 'start'; readonly instance: PastInstance }
  | {
      readonly at: Instant;
      readonly kind: 'end';
      readonly instance: PastInstance & { readonly end: NonNullable<PastInstance['end']> };
    }
  | { readonly at: Instant; readonly kind: 'event'; readonly event: SnapshotEvent };

/** Returns the pod's past in chronological order. */
function pastEvents(past: PastPod, events: readonly SnapshotEvent[]): readonly PastEvent[] {
  const all: PastEvent[] = events.map((event) => ({ at: event.last, kind: 'event', event }));
  if (past.sandboxAt !== undefined) all.push({ at: past.sandboxAt, kind: 'sandbox' });
  // The events are added in the order of the starts. The sort is stable, so an exit stays before a start in the same
  // second.
  for (const instance of past.instances) {
    all.push({ at: instance.startedAt, kind: 'start', instance });
    if (instance.end) all.push({ at: instance.end.at, kind: 'end', instance: { ...instance, end: instance.end } });
  }
  // Among events at the same time, the sandbox's event comes before the events of its containers.
  const order = { sandbox: 0, start: 1, end: 1, event: 2 } as const;
  return all.toSorted((a, b) => a.at - b.at || order[a.kind] - order[b.kind]);
}

/** Advances virtual time until `call` settles. */
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

/** Replays the past of a pod with the CRI calls that a kubelet would have made. */
class PastPlayer {
  readonly #simulation: Simulation;
  readonly #snapshot: PodSnapshot;
  readonly #profile: typeof profileV136;
  /** The calls aren't traced, because the simulated kubelet doesn't make them. */
  readonly #calls: Context;
  readonly #log: Context;
  #sandbox: { readonly id: string; readonly config: ReturnType<typeof recognisedSandbox> } | undefined;
  /** The ids of containers by `name/attempt`. */
  readonly #containers = new Map<string, string>();

  constructor(simulation: Simulation, snapshot: PodSnapshot, profile: typeof profileV136) {
    this.#simulation = simulation;
    this.#snapshot = snapshot;
    this.#profile = profile;
    const { uid, name, namespace = '' } = snapshot.pod.metadata;
    this.#calls = background(simulation.clock, new Tracer(), 'snapshot');
    this.#log = withPod(simulation.nodeHost.context('snapshot'), { uid, name, namespace });
  }

  async play(past: PastPod, until: Instant): Promise<void> {
    const { clock } = this.#simulation;
    for (const event of pastEvents(past, this.#snapshot.events)) {
      await clock.advanceTo(event.at);
      await this.#play(event);
    }
    await clock.advanceTo(until);
    const sandbox = this.#sandbox;
    if (sandbox && !past.isSandboxReady)
      await this.#call((ctx, runtime) => runtime.stopPodSandbox(ctx, { podSandboxId: sandbox.id }));
  }

  async #play(event: PastEvent): Promise<void> {
    switch (event.kind) {
      case 'sandbox':
        await this.#runSandbox();
        return;
      case 'start':
        await this.#start(event.instance);
        return;
      case 'end':
        await this.#end(event.instance);
        return;
      case 'event': {
        const { type, reason, message, container, count } = event.event;
        this.#log.tracer.emit(this.#log, {
          type: 'kubernetesEvent',
          eventType: type,
          reason,
          message,
          container,
          count,
        });
        return;
      }
      default:
        event satisfies never;
    }
  }

  async #runSandbox(): Promise<void> {
    const { pod } = this.#snapshot;
    const node = simulatedNode('');
    const podLevelResources = this.#profile.name === 'v1.36';
    const cgroupParent = getPodCgroupParent(pod, { ...node, podLevelResources });
    const facts = {
      node: { ...node, seccompProfileRoot: '' },
      gates: { PodLevelResources: podLevelResources },
    };
    await this.#simulation.simulator.cgroups.create(cgroupParent, resourceConfigForPod(pod, facts));
    const recognised = recognisedSandbox(this.#profile, pod, node.podLogsDir);
    const config = { ...recognised, linux: { ...recognised.linux, cgroupParent } };
    const { podSandboxId } = await this.#call((ctx, runtime) => runtime.runPodSandbox(ctx, { config }));
    this.#sandbox = { id: podSandboxId, config };
    const at = this.#simulation.clock.now();
    const state = {
      object: 'sandbox',
      id: podSandboxId,
      name: 'POD',
      attempt: 0,
      from: 'nonexistent',
      to: 'running',
      createdAt: at,
      startedAt: at,
    } as const;
    this.#log.tracer.emit(this.#log, { type: 'runtimeStateChanged', ...state });
  }

  async #start({ container, attempt, end }: PastInstance): Promise<void> {
    const sandbox = this.#sandbox;
    if (!sandbox) return;
    // The image existed when this instance started, although it may have been deleted since.
    this.#simulation.simulator.addImage(container.image ?? '');
    const config = recognisedContainer(this.#profile, this.#snapshot.pod, container, attempt);
    const { containerId } = await this.#call((ctx, runtime) =>
      runtime.createContainer(ctx, { podSandboxId: sandbox.id, config, sandboxConfig: sandbox.config }),
    );
    this.#containers.set(`${container.name}/${attempt}`, containerId);
    await this.#call((ctx, runtime) => runtime.startContainer(ctx, { containerId })).catch((error: unknown) => {
      // The container failed to start in the past, too. The container is then in state exited.
      if (!end || !(error instanceof CriError)) throw error;
    });
    await this.#emitState(containerId, container.name, attempt, 'created');
  }

  async #end({
    container,
    attempt,
    end,
  }: PastInstance & { readonly end: NonNullable<PastInstance['end']> }): Promise<void> {
    const id = this.#containers.get(`${container.name}/${attempt}`);
    if (id === undefined) return;
    // An OOM kill can't be triggered from outside, so the script of the container triggers it. The replay waits until
    // then.
    if (end.reason === 'OOMKilled') await this.#simulation.clock.advance(scriptTolerance);
    const { status } = await this.#call((ctx, runtime) => runtime.containerStatus(ctx, { containerId: id }));
    if (status.state === 'CONTAINER_RUNNING')
      await during(this.#simulation, this.#simulation.simulator.exitContainer(id, end.exitCode));
    await this.#emitState(id, container.name, attempt, 'running');
  }

  /** Emits the state change of a container. */
  async #emitState(id: string, name: string, attempt: number, from: 'created' | 'running'): Promise<void> {
    const { status } = await this.#call((ctx, runtime) => runtime.containerStatus(ctx, { containerId: id }));
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
      ...(isOver
        ? {
            finishedAt: at(status.finishedAt),
            exitCode: status.exitCode,
            reason: status.reason,
            message: status.message,
          }
        : {}),
      image: status.image.image,
    });
  }

  /** Makes a call to the runtime and advances virtual time until it returns. */
  #call<T>(ask: (ctx: Context, runtime: RuntimeService) => Promise<T>): Promise<T> {
    return during(this.#simulation, ask(this.#calls, this.#simulation.simulator.runtime));
  }
}

/** Returns the runtime operations that always fail, each with its error message. */
function unresolvedFailures(
  { pod, events }: PodSnapshot,
  past: PastPod,
): readonly (readonly ['RunPodSandbox' | 'CreateContainer', string])[] {
  const failures: (readonly ['RunPodSandbox' | 'CreateContainer', string])[] = [];
  const sandbox = events.findLast(({ reason }) => reason === 'FailedCreatePodSandBox');
  const withoutPrefix = (text: string): string => text.replace(/^.*?rpc error: code = \w+ desc = /, '');
  if (sandbox && past.sandboxAt === undefined) failures.push(['RunPodSandbox', withoutPrefix(sandbox.message)]);
  const refused = [...(pod.status?.initContainerStatuses ?? []), ...(pod.status?.containerStatuses ?? [])]
    .map(({ state }) => state?.waiting)
    .find((waiting) => waiting?.reason === 'CreateContainerError');
  if (refused)
    failures.push(['CreateContainer', withoutPrefix(refused.message ?? 'the container could not be created')]);
  return failures;
}

/** Loads `objects` when the node starts, and stores no changes. */
const preloaded = (objects: readonly KubernetesObject[]): SimulationOptions['persistence'] => ({
  load: () => Promise.resolve(objects),
  put: () => Promise.resolve(),
  delete: () => Promise.resolve(),
});

const clockText = (at: Instant): string => `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

/**
 * Returns the options of a simulated node for `snapshot`, and the function that replays the pod's past on that node.
 */
export function restorePod(
  snapshot: PodSnapshot,
  { profile = 'v1.36', at, backOffs, isObserved = false }: RestorePodOptions = {},
): RestoredPod {
  const observedAt = instant(Math.max(snapshot.observedAt, at ?? 0));
  const { pod, objects, notices: differences } = createPlaceholders(snapshot);
  const fit: PodSnapshot = { ...snapshot, pod, observedAt };
  const past = readPast(pod, observedAt);
  const { present, registries } = readImages(fit);
  const knownTimes = [
    past.sandboxAt,
    ...past.instances.map(({ startedAt }) => startedAt),
    ...snapshot.events.map(({ last }) => last),
    observedAt,
  ];
  const start = addMilliseconds(instant(Math.min(...knownTimes.filter((time) => time !== undefined))), -lead);
  const failures = unresolvedFailures(fit, past);
  const origin = isObserved
    ? snapshotText('forecast', { time: clockText(observedAt), profile })
    : snapshotText('readBack', { time: clockText(observedAt) });
  const notices = [origin, ...differences];
  const dying = past.instances.flatMap((instance) =>
    !instance.end && killOf(fit, instance) ? [instance.container.name] : [],
  );
  return {
    observedAt,
    notices,
    dying,
    simulation: {
      profile,
      start,
      nodeName: pod.spec.nodeName ?? 'node',
      notices: notices.map(toNotice),
      persistence: preloaded([{ ...pod }, ...objects]),
      memory: {
        backOffs: readBackOffs(fit, past, backOffs),
        startFailures: readStartFailures(fit),
        actuated: readActuated(fit),
        probeFailures: readProbeFailures(fit, past),
      },
      simulator: {
        images: [defaultSandboxImages[profile], ...present],
        registries,
        scripts: behaviorScripts(fit, past),
      },
    },
    prepare: async (simulation) => {
      await new PastPlayer(simulation, fit, profile === 'v1.36' ? profileV136 : profileV120).play(past, observedAt);
      const had = new Set(present);
      for (const { container } of past.instances)
        if (!had.has(container.image ?? '')) simulation.simulator.removeImage(container.image ?? '');
      for (const [operation, message] of failures)
        simulation.simulator.failNext(operation, message, { times: Number.POSITIVE_INFINITY });
    },
  };
}
