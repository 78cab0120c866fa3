/** What comes next for a pod, if its programs do again what they did: the simulated node runs ahead and is watched. */
import { Simulation } from '@podscope/simulation';
import {
  addMilliseconds,
  explainPod,
  type Instant,
  instant,
  type Milliseconds,
  type PodExplanation,
  RunFold,
  summarizeObject,
  type TraceEvent,
  type TraceEventOf,
} from '@podscope/trace';
import { type SnapshotText, sayOfSnapshot } from './notices.ts';
import { isStartFailure } from './past-lives.ts';
import type { PodSnapshot } from './read-snapshots.ts';
import { type RelivedPod, type RelivePodOptions, relivePod } from './relive.ts';

/** One thing that will happen. */
export type ForecastEntry = { readonly at: Instant } & (
  | { readonly kind: 'start'; readonly container: string; readonly attempt: number }
  /** `isGuess`: by itself, because it did so the last time. */
  | { readonly kind: 'exit'; readonly container: string; readonly exitCode: number; readonly reason: string; readonly isGuess: boolean }
  | { readonly kind: 'wait'; readonly container: string; readonly of: 'container' | 'image'; readonly seconds: number }
  /** A Kubernetes event, in its own words. */
  | { readonly kind: 'event'; readonly reason: string; readonly message: string }
  | { readonly kind: 'phase'; readonly phase: string }
  | { readonly kind: 'gone' }
);

/** An entry in English, without its time. */
export function describeEntry(entry: ForecastEntry): string {
  switch (entry.kind) {
    case 'start':
      return `${entry.container} starts (restart ${entry.attempt})`;
    case 'exit': {
      const reason = entry.reason ? ` (${entry.reason})` : '';
      return `${entry.container} ends with exit code ${entry.exitCode}${reason}${entry.isGuess ? ', if it does as before' : ''}`;
    }
    case 'wait':
      return `${entry.container} waits ${entry.seconds} s before its ${entry.of === 'image' ? 'image is pulled' : 'next start'}`;
    case 'event':
      return `${entry.reason}: ${entry.message}`;
    case 'phase':
      return `The pod is ${entry.phase}`;
    case 'gone':
      return 'The pod is gone';
  }
}

/** The wait that a container is in. */
export interface CurrentWait {
  readonly container: string;
  readonly kind: 'container' | 'image';
  readonly seconds: number;
  /** When it is over: the next attempt comes with the first sync after that. */
  readonly until: Instant;
}

export interface Forecast {
  readonly pod: { readonly namespace: string; readonly name: string; readonly uid: string };
  readonly observedAt: Instant;
  /** Why it is as it is, from the engine's own decisions about it. */
  readonly explanation: PodExplanation | undefined;
  readonly waits: readonly CurrentWait[];
  /** In the order of time, as far as was looked ahead. */
  readonly entries: readonly ForecastEntry[];
  /** Until when that was. */
  readonly until: Instant;
  readonly notices: readonly SnapshotText[];
}

export interface ForecastOptions extends RelivePodOptions {
  /** How far to look ahead at most. Default: 30 minutes. */
  readonly horizon?: Milliseconds;
  /** How many happenings are enough. Default: 12. */
  readonly limit?: number;
}

/** So long after it took over, the kubelet has looked at everything once. */
const firstLook: Milliseconds = 3_000;

/** Happenings that a person waits for, out of the log. */
class Watcher {
  readonly entries: ForecastEntry[] = [];
  readonly waits = new Map<string, CurrentWait>();
  readonly #uid: string;
  readonly #takeover: Instant;
  #phase: string;
  /** What has been told: a warning that comes again every few seconds is one. */
  readonly #told = new Set<string>();
  readonly #dying: Set<string>;
  /** Containers that were told to stop. */
  readonly #stopping = new Set<string>();

  /** @param dying containers that are being killed already: that it begins has been told */
  constructor(uid: string, phase: string, takeover: Instant, dying: readonly string[]) {
    this.#uid = uid;
    this.#dying = new Set(dying);
    this.#takeover = takeover;
    this.#phase = phase;
  }

  see(event: TraceEvent): void {
    if (event.pod !== this.#uid) return;
    const at = instant(event.time);
    switch (event.type) {
      case 'runtimeStateChanged':
        this.#seeContainer(at, event);
        return;
      case 'backOff': {
        const { container, kind, seconds, until, state } = event;
        if (state !== 'waiting') return;
        const known = this.waits.get(container);
        this.waits.set(container, { container, kind, seconds, until: instant(until) });
        if (known?.until !== until) this.entries.push({ at, kind: 'wait', container, of: kind, seconds });
        return;
      }
      case 'kubernetesEvent':
        this.#seeEvent(at, event);
        return;
      case 'podStatus': {
        const phase = typeof event.status['phase'] === 'string' ? event.status['phase'] : this.#phase;
        if (phase !== this.#phase) this.entries.push({ at, kind: 'phase', phase });
        this.#phase = phase;
        return;
      }
      case 'podChanged':
        if (event.operation === 'DELETED') this.entries.push({ at, kind: 'gone' });
        return;
      default:
    }
  }

  #seeContainer(
    at: Instant,
    { object, name: container, attempt, from, to, createdAt = 0, startedAt, finishedAt, exitCode = 0, reason = '' }: TraceEventOf<'runtimeStateChanged'>,
  ): void {
    // What the kubelet finds when it takes over has not happened now.
    if (object !== 'container' || (from === 'nonexistent' && createdAt <= this.#takeover)) return;
    // One that ended before the kubelet looked was never seen to run.
    const hasStarted = to === 'running' || (to === 'exited' && from === 'nonexistent' && startedAt !== undefined && !isStartFailure(reason));
    if (hasStarted) {
      this.waits.delete(container);
      this.entries.push({ at: startedAt === undefined ? at : instant(Math.floor(startedAt)), kind: 'start', container, attempt });
    }
    if (to === 'exited') {
      this.#dying.delete(container);
      const ended = finishedAt === undefined ? at : instant(Math.floor(finishedAt));
      this.entries.push({ at: ended, kind: 'exit', container, exitCode, reason, isGuess: !this.#stopping.delete(container) });
    }
  }

  #seeEvent(at: Instant, { reason, message, eventType, container }: TraceEventOf<'kubernetesEvent'>): void {
    if (reason === 'Killing' && container !== undefined) {
      this.#stopping.add(container);
      if (this.#dying.has(container)) return;
    }
    const matters = reason === 'Pulling' || reason === 'SandboxChanged' || reason === 'Killing' || (eventType === 'Warning' && reason !== 'BackOff');
    const text = `${reason}: ${message}`;
    if (!matters || (reason !== 'Killing' && this.#told.has(text))) return;
    this.#told.add(text);
    this.entries.push({ at, kind: 'event', reason, message });
  }
}

/** It waits for something, and nothing that was given says for what. */
const isSilent = ({ pod: { spec, status = {} }, events }: PodSnapshot): boolean =>
  spec.nodeName !== undefined &&
  events.length === 0 &&
  [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])].some(({ state }) => state?.waiting?.reason === 'ContainerCreating');

/**
 * Runs a snapshot ahead.
 * @returns what holds at its instant, and what comes after it
 */
export async function forecast(snapshot: PodSnapshot, { horizon = 1_800_000, limit = 12, ...options }: ForecastOptions = {}): Promise<Forecast> {
  const relived: RelivedPod = relivePod(snapshot, options);
  const { observedAt } = relived;
  const { uid, name, namespace = 'default' } = snapshot.pod.metadata;
  const simulation = new Simulation(relived.simulation);
  const fold = new RunFold();
  try {
    await relived.prepare(simulation);
    // What there was may have taken a little longer to bring about than up to that instant.
    const watcher = new Watcher(uid, snapshot.pod.status?.phase ?? 'Pending', simulation.clock.now(), relived.dying);
    simulation.cluster.log.after(0).forEach((event) => fold.apply(event));
    simulation.cluster.log.subscribe((event) => watcher.see(event));
    await simulation.start();
    await simulation.clock.advanceTo(addMilliseconds(observedAt, firstLook));
    fold.applyAll(simulation.cluster.log.after(fold.lastSeq));
    // One that starts or ends yet is in no wait now.
    const changed = new Set(watcher.entries.flatMap((entry) => (entry.kind === 'start' || entry.kind === 'exit' ? [entry.container] : [])));
    const waits = [...watcher.waits.values()].filter(({ container }) => !changed.has(container));
    const track = fold.pod(uid);
    // Why is in the decisions that follow; what it is, in the snapshot.
    const explanation = track && { ...explainPod(fold, track, simulation.clock.now()), ...summarizeObject(snapshot.pod) };
    const end = addMilliseconds(observedAt, horizon);
    while (watcher.entries.length < limit && (await simulation.clock.fireNext(end)));
    const until = watcher.entries.length < limit ? end : simulation.clock.now();
    const notices = isSilent(snapshot) ? [...relived.notices, sayOfSnapshot('silence')] : relived.notices;
    return {
      pod: { uid, name, namespace },
      observedAt,
      explanation,
      waits,
      entries: watcher.entries.slice(0, limit).toSorted((a, b) => a.at - b.at),
      until,
      notices,
    };
  } finally {
    await simulation.stop();
  }
}
