/** Defines all texts of the timeline. The page passes them in its language; the defaults are English. */
import type { FactSource } from '@podscope/trace';
import type { ItemState, LaneKind, Marker } from '../model.ts';

export interface TimelineWords {
  /** Names of states, for tooltips, screen readers and the table. */
  readonly states: Readonly<Record<ItemState, string>>;
  /** Names of kinds of markers, for the table. */
  readonly markers: Readonly<Record<Marker['kind'], string>>;
  /** The kind of container, shown beside the name of its lane. */
  readonly kinds: Readonly<Partial<Record<LaneKind, string>>>;
  readonly lanes: {
    readonly pod: string;
    readonly worker: string;
    readonly sandbox: string;
    readonly events: string;
    readonly pulls: string;
    readonly debug: string;
    probes(container: string): string;
    syncs(count: number): string;
    warnings(count: number): string;
    pullCount(count: number): string;
    failedOf(failed: number, all: number): string;
    healthy(count: number): string;
    /** The note of a collapsed lane. The note explains that a click on the lane's name expands the lane. */
    readonly expand: string;
    /** The note of the first lane of several that a click on its name collapses. */
    readonly collapse: string;
    /** The name of the lane with the work of the node that belongs to no pod. */
    readonly node: string;
  };
  /** The names of the node's threads, by id. */
  readonly nodeThreads: Readonly<
    Record<
      | 'pleg'
      | 'housekeeping'
      | 'runtimeCheck'
      | 'stats'
      | 'images'
      | 'imageGC'
      | 'garbageCollection'
      | 'kubeletAPI'
      | 'containerEvents',
      string
    >
  >;
  readonly activities: Readonly<
    Record<'pull' | 'create' | 'start' | 'postStart' | 'preStop' | 'stop' | 'remove', string>
  >;
  readonly container: {
    readonly running: string;
    readonly ready: string;
    readonly stopped: string;
    readonly terminating: string;
    readonly waiting: string;
    readonly nextSync: string;
    readonly backOffOver: string;
    readonly imagePull: string;
    readonly exited: string;
    exit(code: number): string;
    backOff(length: string): string;
  };
  readonly pulls: {
    readonly download: string;
    readonly unpack: string;
    readonly present: string;
    layers(count: number): string;
    /** For example `12.3 MB of 40 MB`. */
    bytes(done: string, all: string): string;
  };
  readonly probes: {
    readonly types: Readonly<Record<'startup' | 'readiness' | 'liveness', string>>;
    readonly results: Readonly<Record<'success' | 'warning' | 'failure' | 'error' | 'missed' | 'canceled', string>>;
  };
  readonly backOff: {
    /** The delays of the curve, with the current one marked. */
    readonly curve: string;
    readonly cap: string;
    readonly reset: string;
    /** Returns how a back-off is reset. */
    rule(length: string): string;
  };
  readonly facts: {
    readonly lane: string;
    readonly state: string;
    readonly start: string;
    readonly time: string;
    readonly duration: string;
    readonly progress: string;
    readonly left: string;
    readonly detail: string;
    readonly error: string;
    readonly source: string;
  };
  readonly failed: string;
  readonly injected: string;
  /** Returns the text of the source of a fact about a genuine kubelet; undefined without a source. */
  sourceOf(fact: FactSource): string | undefined;
  goingOn(length: string): string;
  /** Returns how long something has taken, for screen readers. */
  soFar(length: string): string;
  left(length: string): string;
  /** Returns the title of a step. @param recorded its title in the log, for points that the page doesn't know */
  step(point: string, recorded: string): string;
  /** Returns the name of the reason of a stop, as in DAP. */
  stopReason(reason: string): string;
  stopped(reason: string): string;
  /** Returns where a thread stopped: before or after a step. */
  stopPlace(phase: 'before' | 'after', step: string): string;
  attempt(number: string): string;
  readonly inView: string;
  readonly untilNow: string;
  readonly inAll: string;
  /** Describes the keys to screen readers. */
  readonly help: string;
  itemsInView(label: string): string;
}

const counted =
  (one: string, many: string) =>
  (count: number): string =>
    `${count} ${count === 1 ? one : many}`;

export const englishWords: TimelineWords = {
  states: {
    pending: 'pending',
    pulling: 'pulling',
    creating: 'creating',
    running: 'running',
    stopping: 'stopping',
    succeeded: 'completed',
    error: 'failed',
    backoff: 'back-off',
    waiting: 'waiting',
    worker: 'pod worker',
    sync: 'sync',
    step: 'step',
    call: 'call',
    hook: 'hook',
    paused: 'paused',
    probe: 'probe',
  },
  markers: {
    event: 'event',
    warning: 'warning',
    exit: 'exit',
    failure: 'failure',
    stop: 'stop',
    fault: 'intervention',
    probeSuccess: 'success',
    probeWarning: 'warning',
    probeFailure: 'failure',
    probeError: 'error',
    probeMissed: 'missed',
  },
  kinds: { init: 'init', sidecar: 'sidecar', ephemeral: 'debug' },
  lanes: {
    pod: 'Pod',
    worker: 'Pod worker',
    sandbox: 'Sandbox',
    events: 'Events',
    pulls: 'Image pulls',
    debug: 'Stops, faults',
    probes: (container) => `${container} probes`,
    syncs: counted('sync', 'syncs'),
    warnings: counted('warning', 'warnings'),
    pullCount: counted('pull', 'pulls'),
    failedOf: (failed, all) => `${failed} of ${all} failed`,
    healthy: counted('healthy container', 'healthy containers'),
    expand: 'click to expand',
    collapse: 'click to collapse',
    node: 'Node',
  },
  nodeThreads: {
    pleg: 'PLEG',
    housekeeping: 'Housekeeping',
    runtimeCheck: 'Runtime status',
    stats: 'Statistics',
    images: 'Images',
    imageGC: 'Image garbage collection',
    garbageCollection: 'Garbage collection',
    kubeletAPI: "Kubelet's API",
    containerEvents: 'Container events',
  },
  activities: {
    pull: 'pull',
    create: 'create',
    start: 'start',
    postStart: 'postStart',
    preStop: 'preStop',
    stop: 'stop',
    remove: 'remove',
  },
  container: {
    running: 'running',
    ready: 'ready',
    stopped: 'stopped',
    terminating: 'Terminating',
    waiting: 'waiting',
    nextSync: 'next sync',
    backOffOver: 'the back-off is over',
    imagePull: 'image pull',
    exited: 'exited',
    exit: (code) => `exit ${code}`,
    backOff: (length) => `back-off ${length}`,
  },
  pulls: {
    download: 'download',
    unpack: 'unpack',
    present: 'already there',
    layers: counted('layer', 'layers'),
    bytes: (done, all) => `${done} of ${all}`,
  },
  probes: {
    types: { startup: 'startup', readiness: 'readiness', liveness: 'liveness' },
    results: {
      success: 'success',
      warning: 'warning',
      failure: 'failure',
      error: 'could not be made',
      missed: 'missed',
      canceled: 'canceled',
    },
  },
  backOff: {
    curve: 'curve',
    cap: 'cap',
    reset: 'reset',
    rule: (length) => `after ${length} without a failure`,
  },
  facts: {
    lane: 'lane',
    state: 'state',
    start: 'start',
    time: 'time',
    duration: 'duration',
    progress: 'progress',
    left: 'left',
    detail: 'detail',
    error: 'error',
    source: 'source',
  },
  failed: 'failed',
  injected: 'injected',
  sourceOf: ({ source, inferred }) =>
    source === undefined ? undefined : `${inferred ? 'inferred' : 'observed'} (${source})`,
  goingOn: (length) => `${length}, ongoing`,
  soFar: (length) => `for ${length} so far`,
  left: (length) => `${length} left`,
  step: (_point, recorded) => recorded,
  stopReason: (reason) => reason,
  stopped: (reason) => `stopped: ${reason}`,
  stopPlace: (phase, step) => `${phase} ${step}`,
  attempt: (number) => `attempt ${number}`,
  inView: 'in view',
  untilNow: 'so far',
  inAll: 'in all',
  help:
    'Arrow keys go from item to item and from lane to lane; W and S zoom, A and D pan, F fits, Home and End go to ' +
    'the ends, G folds idle time, Enter opens.',
  itemsInView: (label) => `${label}: items in view`,
};
