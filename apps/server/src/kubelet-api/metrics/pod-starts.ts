/**
 * Measures the time from a pod's creation until all its containers run and the API shows this. Upstream:
 * pod_startup_latency_tracker.go (v1.36). The SLI (service level indicator) excludes the time of image pulls, counting
 * overlapping pulls once, and the time of init containers. Static pods aren't measured. Pods with persistent data are
 * measured, but not for the SLI.
 */
import { type Pod, podHashAnnotation } from '@podscope/k8s';
import { parseTime, type TraceEvent, type TraceEventOf } from '@podscope/trace';
import type { Meters } from './meters.ts';

interface StartingPod {
  readonly createdAt: number;
  readonly isStateful: boolean;
  readonly containers: ReadonlySet<string>;
  readonly pulls: [from: number, to: number][];
  readonly openPulls: Map<number, number>;
  initStartedAt: number | undefined;
  initMilliseconds: number;
}

/** Volume types without persistent data. Upstream: isStatelessPod. */
const statelessVolumes = new Set(['secret', 'configMap', 'downwardAPI', 'projected', 'emptyDir']);

const isStateful = (spec: Pod['spec']): boolean =>
  (spec.volumes ?? []).some((volume) =>
    Object.keys(volume).some((kind) => kind !== 'name' && !statelessVolumes.has(kind)),
  );

/** Returns the total length that intervals cover. Overlapping parts count once. */
function covered(intervals: readonly (readonly [number, number])[]): number {
  let [sum, end] = [0, Number.NEGATIVE_INFINITY];
  for (const [from, to] of intervals.toSorted((a, b) => a[0] - b[0])) {
    sum += Math.max(0, to - Math.max(from, end));
    end = Math.max(end, to);
  }
  return sum;
}

/** Measures pods from their creation until they run. */
export class PodStarts {
  readonly #meters: Meters;
  readonly #starting = new Map<string, StartingPod>();

  constructor(meters: Meters) {
    this.#meters = meters;
  }

  observe(event: TraceEvent): void {
    const { pod: uid } = event;
    if (uid === undefined) return;
    if (event.type === 'podChanged' && event.operation === 'ADDED') this.#added(uid, event.object);
    else if (event.type === 'podChanged' && event.operation === 'DELETED') this.#starting.delete(uid);
    const starting = this.#starting.get(uid);
    if (!starting) return;
    if (event.type === 'spanStarted' && event.point === 'cri.PullImage') starting.openPulls.set(event.span, event.time);
    else if (event.type === 'spanEnded') {
      const from = starting.openPulls.get(event.span);
      if (from !== undefined && starting.openPulls.delete(event.span)) starting.pulls.push([from, event.time]);
    } else if (event.type === 'runtimeStateChanged' && event.containerType === 'init') this.#init(starting, event);
    else if (event.type === 'podStatus') this.#status(uid, starting, event);
  }

  #added(uid: string, { metadata, spec, status }: Partial<Pod>): void {
    const created = metadata?.creationTimestamp;
    const isStaticOrMirror = metadata?.annotations?.[podHashAnnotation] !== undefined;
    if (!spec || !created || isStaticOrMirror || status?.phase === 'Running') return;
    this.#starting.set(uid, {
      createdAt: parseTime(created),
      isStateful: isStateful(spec),
      containers: new Set(spec.containers.map(({ name }) => name)),
      pulls: [],
      openPulls: new Map(),
      initStartedAt: undefined,
      initMilliseconds: 0,
    });
  }

  #init(starting: StartingPod, { to, time }: TraceEventOf<'runtimeStateChanged'>): void {
    if (to === 'running') starting.initStartedAt ??= time;
    else if (to === 'exited' && starting.initStartedAt !== undefined) {
      starting.initMilliseconds += time - starting.initStartedAt;
      starting.initStartedAt = undefined;
    }
  }

  #status(
    uid: string,
    { createdAt, isStateful: hasState, containers, pulls, initMilliseconds }: StartingPod,
    event: TraceEventOf<'podStatus'>,
  ): void {
    const { phase, containerStatuses } = event.status as {
      readonly phase?: string;
      readonly containerStatuses?: readonly ContainerState[];
    };
    if (phase === 'Succeeded' || phase === 'Failed') this.#starting.delete(uid);
    const run = (containerStatuses ?? []).filter(({ name, state }) => containers.has(name) && state?.running).length;
    if (phase !== 'Running' || run < containers.size) return;
    this.#starting.delete(uid);
    // Creation times have a resolution of one second, so the difference can be negative.
    const total = Math.max(0, event.time - createdAt);
    this.#meters.podStartTotal.observe(total / 1000);
    if (!hasState) this.#meters.podStartSLI.observe(Math.max(0, total - covered(pulls) - initMilliseconds) / 1000);
  }
}

interface ContainerState {
  readonly name: string;
  readonly state?: { readonly running?: object };
}
