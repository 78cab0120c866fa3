/** What comes next for a pod, if its programs do again what they did: the simulated node runs ahead and is watched. */
import { Simulation } from '@podscope/simulation';
import { addMilliseconds, explainPod, type Instant, instant, type Milliseconds, type PodExplanation, RunFold, type TraceEvent } from '@podscope/trace';
import type { PodSnapshot } from './read-snapshots.ts';
import { type RelivedPod, type RelivePodOptions, relivePod } from './relive.ts';

/** One thing that will happen. */
export interface ForecastEntry {
  readonly at: Instant;
  readonly kind: 'start' | 'exit' | 'wait' | 'pull' | 'event' | 'phase' | 'gone';
  /** Name of the container, for what concerns one. */
  readonly container: string | undefined;
  readonly text: string;
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
  readonly notices: readonly string[];
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
  /** Containers that were told to stop. */
  readonly #stopping = new Set<string>();

  constructor(uid: string, phase: string, takeover: Instant) {
    this.#uid = uid;
    this.#takeover = takeover;
    this.#phase = phase;
  }

  see(event: TraceEvent): void {
    if (event.pod !== this.#uid) return;
    const at = instant(event.time);
    const add = (kind: ForecastEntry['kind'], container: string | undefined, text: string): void => {
      if ((kind === 'event' || kind === 'pull') && this.#told.has(text)) return;
      this.#told.add(text);
      this.entries.push({ at, kind, container, text });
    };
    switch (event.type) {
      case 'runtimeStateChanged': {
        if (event.object !== 'container') return;
        const { name, attempt, to, from, exitCode, reason } = event;
        // What the kubelet finds when it takes over has not happened now.
        if (from === 'nonexistent' && (event.createdAt ?? 0) < this.#takeover) return;
        if (to === 'running') {
          this.waits.delete(name);
          add('start', name, `${name} starts (restart ${attempt})`);
        }
        if (to === 'exited')
          add(
            'exit',
            name,
            `${name} ends with exit code ${exitCode ?? 0}${reason ? ` (${reason})` : ''}${this.#stopping.delete(name) ? '' : ', if it does as before'}`,
          );
        return;
      }
      case 'backOff': {
        const { container, kind, seconds, until, state } = event;
        if (state !== 'waiting') return;
        const known = this.waits.get(container);
        this.waits.set(container, { container, kind, seconds, until: instant(until) });
        if (known?.until !== until) add('wait', container, `${container} waits ${seconds} s before its ${kind === 'image' ? 'image is pulled' : 'next start'}`);
        return;
      }
      case 'kubernetesEvent':
        if (event.reason === 'Pulling') add('pull', event.container, event.message);
        else if (event.eventType === 'Warning' && event.reason !== 'BackOff') add('event', event.container, `${event.reason}: ${event.message}`);
        else if (event.reason === 'Killing') {
          if (event.container !== undefined) this.#stopping.add(event.container);
          add('event', event.container, event.message);
        }
        return;
      case 'podStatus': {
        const phase = typeof event.status['phase'] === 'string' ? event.status['phase'] : this.#phase;
        if (phase !== this.#phase) add('phase', undefined, `The pod is ${phase}`);
        this.#phase = phase;
        return;
      }
      case 'podChanged':
        if (event.operation === 'DELETED') add('gone', undefined, 'The pod is gone');
        return;
      default:
    }
  }
}

/**
 * Runs a snapshot ahead.
 * @returns what holds at its instant, and what comes after it
 */
export async function forecast(snapshot: PodSnapshot, { horizon = 1_800_000, limit = 12, ...options }: ForecastOptions = {}): Promise<Forecast> {
  const relived: RelivedPod = relivePod(snapshot, options);
  const { observedAt } = relived;
  const { uid, name, namespace = 'default' } = snapshot.pod.metadata;
  const simulation = new Simulation(relived.simulation);
  const watcher = new Watcher(uid, snapshot.pod.status?.phase ?? 'Pending', observedAt);
  const fold = new RunFold();
  try {
    await relived.prepare(simulation);
    simulation.cluster.log.after(0).forEach((event) => fold.apply(event));
    simulation.cluster.log.subscribe((event) => watcher.see(event));
    await simulation.start();
    await simulation.clock.advanceTo(addMilliseconds(observedAt, firstLook));
    fold.applyAll(simulation.cluster.log.after(fold.lastSeq));
    const started = new Set(watcher.entries.filter(({ kind }) => kind === 'start').map(({ container }) => container));
    const waits = [...watcher.waits.values()].filter(({ container }) => !started.has(container));
    const track = fold.pod(uid);
    const explanation = track ? explainPod(fold, track, simulation.clock.now()) : undefined;
    const end = addMilliseconds(observedAt, horizon);
    while (watcher.entries.length < limit && (await simulation.clock.fireNext(end)));
    const until = watcher.entries.length < limit ? end : simulation.clock.now();
    return { pod: { uid, name, namespace }, observedAt, explanation, waits, entries: watcher.entries.slice(0, limit), until, notices: relived.notices };
  } finally {
    await simulation.stop();
  }
}
