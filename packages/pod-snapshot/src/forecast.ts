/**
 * Predicts what happens next to a pod. Restores the pod on a simulated node and lets the virtual time of that node
 * advance.
 */
import { Simulation } from '@podscope/node/virtual';
import {
  addMilliseconds,
  explainDiagnoses,
  explainPod,
  type Instant,
  instant,
  type Milliseconds,
  type PodExplanation,
  RunFold,
  type TraceEvent,
  type TraceEventOf,
} from '@podscope/trace';
import type { Diagnosis } from '@podscope/trace/explain';
import { diagnoseSnapshot } from './diagnosis/diagnose.ts';
import type { ClusterFacts } from './diagnosis/pod-case.ts';
import type { RunSnapshot } from './diagnosis/run-snapshot.ts';
import { type SnapshotText, snapshotText } from './notices.ts';
import { isStartFailure } from './past-instances.ts';
import type { PodSnapshot } from './pod-snapshot.ts';
import { type RestoredPod, type RestorePodOptions, restorePod } from './restore.ts';

/** A predicted event. */
export type ForecastEntry = { readonly at: Instant } & (
  | { readonly kind: 'start'; readonly container: string; readonly attempt: number }
  /** An exit. `isGuess`: the exit repeats the exit of the previous instance, because the kubelet didn't request it. */
  | {
      readonly kind: 'exit';
      readonly container: string;
      readonly exitCode: number;
      readonly reason: string;
      readonly isGuess: boolean;
    }
  | { readonly kind: 'wait'; readonly container: string; readonly of: 'container' | 'image'; readonly seconds: number }
  /** A Kubernetes event with its original message. */
  | { readonly kind: 'event'; readonly reason: string; readonly message: string }
  | { readonly kind: 'phase'; readonly phase: string }
  | { readonly kind: 'gone' }
);

/** Formats an entry in English, without its time. */
export function describeEntry(entry: ForecastEntry): string {
  switch (entry.kind) {
    case 'start':
      return `${entry.container} starts (restart ${entry.attempt})`;
    case 'exit': {
      const reason = entry.reason ? ` (${entry.reason})` : '';
      return (
        `${entry.container} exits with code ` +
        `${entry.exitCode}${reason}${entry.isGuess ? ', if it behaves as before' : ''}`
      );
    }
    case 'wait':
      return (
        `${entry.container} waits ${entry.seconds} s before ` +
        (entry.of === 'image' ? 'its next image pull' : 'its next start')
      );
    case 'event':
      return `${entry.reason}: ${entry.message}`;
    case 'phase':
      return `The pod phase becomes ${entry.phase}`;
    case 'gone':
      return 'The pod is deleted';
  }
}

/** The current back-off of a container. */
export interface CurrentWait {
  readonly container: string;
  readonly kind: 'container' | 'image';
  readonly seconds: number;
  /** When the back-off ends. The first sync after it makes the next attempt. */
  readonly until: Instant;
}

export interface Forecast {
  readonly pod: { readonly namespace: string; readonly name: string; readonly uid: string };
  readonly observedAt: Instant;
  /** Why the pod is in its state, according to the decisions of the simulated kubelet. */
  readonly explanation: PodExplanation | undefined;
  readonly waits: readonly CurrentWait[];
  /** The predicted events in chronological order, up to `until`. */
  readonly entries: readonly ForecastEntry[];
  /**
   * Whether a simulated kubelet predicted the waits and entries. If not, another component decides what happens next
   * (the scheduler, the storage or the node), and only the outlook of the diagnoses is known.
   */
  readonly isSimulated: boolean;
  /** End of the predicted time. */
  readonly until: Instant;
  readonly notices: readonly SnapshotText[];
}

export interface ForecastOptions extends Omit<RestorePodOptions, 'backOffs'> {
  /** The facts about the cluster besides the pod and its events. Its back-offs replace computed ones. */
  readonly cluster?: ClusterFacts;
  /** The longest time to predict, in ms. Default: 30 minutes. */
  readonly horizon?: Milliseconds;
  /** Largest number of entries. Default: 12. */
  readonly limit?: number;
}

/** The time in ms after which the simulated kubelet has synced the pod once. */
const firstSync: Milliseconds = 3_000;

/** Collects forecast entries from the event log. */
class EntryCollector {
  readonly entries: ForecastEntry[] = [];
  readonly waits = new Map<string, CurrentWait>();
  readonly #uid: string;
  readonly #takeover: Instant;
  #phase: string;
  /** The texts of reported events. A repeated warning is reported only once. */
  readonly #reported = new Set<string>();
  readonly #dying: Set<string>;
  /** Containers that the kubelet is stopping. */
  readonly #stopping = new Set<string>();

  /** @param dying the containers that were already being killed at the snapshot; their kills aren't reported again */
  constructor(uid: string, phase: string, takeover: Instant, dying: readonly string[]) {
    this.#uid = uid;
    this.#dying = new Set(dying);
    this.#takeover = takeover;
    this.#phase = phase;
  }

  collect(event: TraceEvent): void {
    if (event.pod !== this.#uid) return;
    const at = instant(event.time);
    switch (event.type) {
      case 'runtimeStateChanged':
        this.#collectContainer(at, event);
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
        this.#collectEvent(at, event);
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

  #collectContainer(
    at: Instant,
    {
      object,
      name: container,
      attempt,
      from,
      to,
      createdAt = 0,
      startedAt,
      finishedAt,
      exitCode = 0,
      reason = '',
    }: TraceEventOf<'runtimeStateChanged'>,
  ): void {
    // Events before the simulated kubelet started aren't part of the forecast.
    if (object !== 'container' || (from === 'nonexistent' && createdAt <= this.#takeover)) return;
    // A container that exited before the first relist was never reported as running, so its exit isn't reported either.
    const hasStarted =
      to === 'running' ||
      (to === 'exited' && from === 'nonexistent' && startedAt !== undefined && !isStartFailure(reason));
    if (hasStarted) {
      this.waits.delete(container);
      this.entries.push({
        at: startedAt === undefined ? at : instant(Math.floor(startedAt)),
        kind: 'start',
        container,
        attempt,
      });
    }
    if (to === 'exited') {
      this.#dying.delete(container);
      const ended = finishedAt === undefined ? at : instant(Math.floor(finishedAt));
      this.entries.push({
        at: ended,
        kind: 'exit',
        container,
        exitCode,
        reason,
        isGuess: !this.#stopping.delete(container),
      });
    }
  }

  #collectEvent(at: Instant, { reason, message, eventType, container }: TraceEventOf<'kubernetesEvent'>): void {
    if (reason === 'Killing' && container !== undefined) {
      this.#stopping.add(container);
      if (this.#dying.has(container)) return;
    }
    const isRelevant =
      reason === 'Pulling' ||
      reason === 'SandboxChanged' ||
      reason === 'Killing' ||
      (eventType === 'Warning' && reason !== 'BackOff');
    const text = `${reason}: ${message}`;
    if (!isRelevant || (reason !== 'Killing' && this.#reported.has(text))) return;
    this.#reported.add(text);
    this.entries.push({ at, kind: 'event', reason, message });
  }
}

/** Returns whether the pod waits and neither its status nor an event names the reason. */
const hasUnknownWait = ({ pod: { spec, status = {} }, events }: PodSnapshot): boolean =>
  spec.nodeName !== undefined &&
  events.length === 0 &&
  [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])].some(
    ({ state }) => state?.waiting?.reason === 'ContainerCreating',
  );

/** Returns the warnings among the snapshot's events. Of each container, each reason occurs once. */
function warningsOf({ events }: PodSnapshot): PodExplanation['warnings'] {
  const warnings = events.filter(({ type }) => type === 'Warning');
  const newest = new Map(warnings.map((event) => [`${event.reason} ${event.container ?? ''}`, event]));
  return [...newest.values()].map(({ last, reason, message, count }) => ({ time: last, reason, message, count }));
}

/**
 * Returns the diagnosis of the pod at the time of the snapshot, and the predicted events after it. If the kubelet alone
 * decides what happens next, a simulated kubelet predicts these events.
 */
export async function forecast(snapshot: PodSnapshot, options: ForecastOptions = {}): Promise<Forecast> {
  const { diagnoses, isKubelets } = diagnoseSnapshot(snapshot, options.cluster, options.at);
  return isKubelets ? simulate(snapshot, diagnoses, options) : withoutSimulation(snapshot, diagnoses, options, []);
}

/** Returns the diagnoses of the pod without predicted events. */
function withoutSimulation(
  snapshot: PodSnapshot,
  diagnoses: readonly Diagnosis[],
  { at, horizon = 1_800_000 }: ForecastOptions,
  notices: Forecast['notices'],
): Forecast {
  const observedAt = instant(Math.max(snapshot.observedAt, at ?? 0));
  const { uid, name, namespace = 'default' } = snapshot.pod.metadata;
  return {
    pod: { uid, name, namespace },
    observedAt,
    explanation: explainDiagnoses(snapshot.pod, diagnoses, warningsOf(snapshot)),
    waits: [],
    entries: [],
    isSimulated: false,
    until: addMilliseconds(observedAt, horizon),
    notices,
  };
}

/**
 * Returns the forecast of a pod that a genuine kubelet runs. If the kubelet restarts a container for an unknown cause,
 * such as a probe of a spec that no source shows, predicts nothing: neither the next kill nor the back-off is known.
 */
export async function forecastOfRun(
  { snapshot, backOffs, isInferred, unexplained }: RunSnapshot,
  options: Omit<ForecastOptions, 'cluster' | 'isObserved'> = {},
): Promise<Forecast> {
  if (unexplained.length > 0) {
    const { diagnoses } = diagnoseSnapshot(snapshot, { backOffs }, options.at);
    const notice = snapshotText('unexplainedRestarts', { containers: unexplained.join(', ') });
    return withoutSimulation(snapshot, diagnoses, options, [notice]);
  }
  const foreseen = await forecast(snapshot, { ...options, isObserved: true, cluster: { backOffs } });
  const { isSimulated, notices } = foreseen;
  return isSimulated && isInferred ? { ...foreseen, notices: [...notices, snapshotText('inferredSpec')] } : foreseen;
}

/** Runs the restored pod ahead on a simulated node. */
async function simulate(
  snapshot: PodSnapshot,
  diagnoses: readonly Diagnosis[],
  { horizon = 1_800_000, limit = 12, cluster, ...options }: ForecastOptions,
): Promise<Forecast> {
  const restored: RestoredPod = restorePod(snapshot, { ...options, backOffs: cluster?.backOffs });
  const { observedAt } = restored;
  const { uid, name, namespace = 'default' } = snapshot.pod.metadata;
  const simulation = new Simulation(restored.simulation);
  const run = new RunFold();
  try {
    await restored.prepare(simulation);
    // The replay may end slightly after the snapshot, so the forecast begins at the current virtual time.
    const collector = new EntryCollector(
      uid,
      snapshot.pod.status?.phase ?? 'Pending',
      simulation.clock.now(),
      restored.dying,
    );
    simulation.nodeHost.log.after(0).forEach((event) => run.apply(event));
    simulation.nodeHost.log.subscribe((event) => collector.collect(event));
    await simulation.start();
    await simulation.clock.advanceTo(addMilliseconds(observedAt, firstSync));
    run.applyAll(simulation.nodeHost.log.after(run.lastSeq));
    // If a container starts or exits during the first sync, it no longer waits.
    const changed = new Set(
      collector.entries.flatMap((entry) => (entry.kind === 'start' || entry.kind === 'exit' ? [entry.container] : [])),
    );
    const waits = [...collector.waits.values()].filter(({ container }) => !changed.has(container));
    const track = run.pod(uid);
    const simulated = track && explainPod(run, track, simulation.clock.now());
    const explanation: PodExplanation = {
      ...explainDiagnoses(snapshot.pod, diagnoses, warningsOf(snapshot), simulated?.containers),
      syncs: simulated?.syncs ?? [],
    };
    const end = addMilliseconds(observedAt, horizon);
    while (collector.entries.length < limit && (await simulation.clock.fireNext(end)));
    const until = collector.entries.length < limit ? end : simulation.clock.now();
    const silence = snapshotText(options.isObserved ? 'silenceOfRun' : 'silence');
    const notices = hasUnknownWait(snapshot) ? [...restored.notices, silence] : restored.notices;
    return {
      pod: { uid, name, namespace },
      observedAt,
      explanation,
      waits,
      isSimulated: true,
      entries: collector.entries.slice(0, limit).toSorted((a, b) => a.at - b.at),
      until,
      notices,
    };
  } finally {
    await simulation.stop();
  }
}
