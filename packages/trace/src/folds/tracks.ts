/**
 * Defines the model of a run that views read. {@link RunFold} builds it. Readers must not change it. Objects are
 * updated in place, so compare version numbers instead of object identity.
 */
import type { Attributes } from '../event.ts';

/** The current state of a span. */
export interface SpanRecord {
  readonly id: number;
  readonly parent: number | undefined;
  readonly point: string;
  readonly kind: string;
  readonly title: string;
  readonly thread: string;
  readonly pod: string | undefined;
  readonly start: number;
  readonly startSeq: number;
  /** Undefined while the span is open. */
  readonly end: number | undefined;
  readonly endSeq: number | undefined;
  readonly outcome: 'ok' | 'error' | 'canceled' | undefined;
  readonly error: { readonly reason: string; readonly message: string } | undefined;
  readonly attributes: Attributes;
  readonly endAttributes: Attributes | undefined;
  /** Source of a span of a genuine kubelet; absent for our own. `shadow`: the shadow engine computed it. */
  readonly source?: 'cri' | 'pods' | 'otlp' | 'api' | 'shadow' | undefined;
  /** True if the span was inferred and not observed. */
  readonly inferred?: boolean | undefined;
  /** Ids of the child spans, in order of their starts. */
  readonly children: readonly number[];
  readonly decisions: readonly DecisionRecord[];
  /** Interventions by users and faults on this span. */
  readonly interventions: readonly InterventionRecord[];
}

/** An intervention by a user or a fault. */
export interface InterventionRecord {
  readonly seq: number;
  readonly time: number;
  /** Number of the intervention in the run. */
  readonly id: number;
  readonly action: string;
  readonly origin: 'fault' | 'stop' | 'command';
  readonly text: string;
  /** The injected text: the message of a failure or the output of an answer. */
  readonly said: string | undefined;
  readonly span: number | undefined;
}

export interface DecisionRecord {
  readonly seq: number;
  readonly time: number;
  readonly rule: string;
  readonly facts: Attributes;
  readonly outcome: unknown;
  readonly decisive: boolean;
}

export interface SyncResultRecord {
  readonly seq: number;
  readonly time: number;
  readonly span: number | undefined;
  readonly action: string;
  readonly target: string;
  readonly error: string | undefined;
  readonly message: string | undefined;
  readonly duration: number | undefined;
}

/** One pass of the pod worker. In a log without pod workers: one call of the runtime manager's SyncPod or KillPod. */
export interface SyncRecord {
  /** Number of the sync in the pod, from 1. */
  readonly number: number;
  /** Id of the sync's span. */
  readonly span: number;
  /** Id of the span of `kuberuntime.SyncPod` in it; undefined if the sync didn't reach that call. */
  readonly runtime: number | undefined;
  readonly start: number;
  readonly end: number | undefined;
  /**
   * True once the sync changed or tried to change something: it called a hook, made a CRI call that writes, reported a
   * failed SyncResult, terminated the pod, or failed. False for a sync that found everything as it should be. A
   * successful SyncResult isn't enough: v1.20 reports ConfigPodSandbox in every sync.
   */
  readonly acted: boolean;
  readonly results: readonly SyncResultRecord[];
}

export interface KubernetesEventRecord {
  readonly seq: number;
  readonly time: number;
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  readonly container: string | undefined;
  readonly count: number;
}

/** An attempt of a container or of the sandbox. Times are undefined until known. */
export interface AttemptRecord {
  readonly id: string;
  readonly attempt: number;
  readonly createdAt: number | undefined;
  readonly startedAt: number | undefined;
  readonly finishedAt: number | undefined;
  readonly removedAt: number | undefined;
  readonly state: 'created' | 'running' | 'exited' | 'unknown' | 'removed';
  readonly exitCode: number | undefined;
  readonly reason: string | undefined;
  readonly message: string | undefined;
  readonly image: string | undefined;
  /** For sandboxes: the pod's IP address. */
  readonly ip: string | undefined;
  /** For containers: id of the sandbox. */
  readonly sandbox: string | undefined;
}

/** A layer of a pull. */
export interface PullLayerRecord {
  readonly id: string;
  readonly status: string;
  readonly current: number | undefined;
  readonly total: number | undefined;
  /**
   * Times at which download began, download finished, unpacking began, and the layer was complete. Undefined before
   * that, and for layers that were already present.
   */
  readonly startedAt: number | undefined;
  readonly downloadedAt: number | undefined;
  readonly extractingAt: number | undefined;
  readonly doneAt: number | undefined;
}

/** An operation on a container or sandbox that takes time, for example creating or pulling. */
export interface ActivityRecord {
  readonly kind: 'pull' | 'create' | 'start' | 'postStart' | 'preStop' | 'stop' | 'remove';
  /** Id of the operation's span. */
  readonly span: number;
  readonly start: number;
  readonly end: number | undefined;
  readonly outcome: 'ok' | 'error' | 'canceled' | undefined;
  readonly detail: string;
  /** Only pulls: progress from 0 to 1, if known. Never decreases. */
  readonly progress: number | undefined;
  /** Only pulls: the layers as last reported. */
  readonly layers: readonly PullLayerRecord[] | undefined;
}

/** An attempt of a probe. */
export interface ProbeRecord {
  /** Id of the attempt's span. */
  readonly span: number;
  readonly type: 'startup' | 'readiness' | 'liveness';
  readonly container: string;
  readonly start: number;
  /** Undefined while the probe runs. */
  readonly end: number | undefined;
  /** `error`: the attempt failed to run. `missed`: the pod was stopped. Undefined while the probe runs. */
  readonly result: 'success' | 'warning' | 'failure' | 'error' | 'missed' | 'canceled' | undefined;
  readonly output: string;
  /** True if a fault or an intervention at a stop affected the attempt. */
  readonly injected: boolean;
}

/** A back-off of a container or image. */
export interface BackOffRecord {
  readonly kind: 'container' | 'image';
  readonly seconds: number;
  readonly since: number;
  readonly until: number;
  readonly image: string | undefined;
  /** False while the entry is only armed and nothing waits for it. */
  readonly waiting: boolean;
  /**
   * Time at which a start, pull or reset ended the back-off. Undefined while it is in force, including the time between
   * `until` and the next sync.
   */
  readonly endedAt: number | undefined;
}

/**
 * The reason in the pod status for a container that isn't running, valid from `time`. Undefined if the container no
 * longer waits.
 */
export interface WaitRecord {
  readonly time: number;
  readonly reason: string | undefined;
  readonly message: string | undefined;
}

/** A period during which the pod worker was stopped. */
export interface StopRecord {
  readonly seq: number;
  readonly point: string;
  readonly phase: 'before' | 'after';
  readonly reason: string;
  readonly span: number | undefined;
  readonly start: number;
  /** Undefined while the worker is stopped. */
  readonly end: number | undefined;
}

/** The history of a container name, or (name `POD`) of the sandboxes. */
export interface ContainerTrack {
  readonly name: string;
  readonly type: 'sandbox' | 'init' | 'sidecar' | 'container' | 'ephemeral';
  readonly attempts: readonly AttemptRecord[];
  readonly activities: readonly ActivityRecord[];
  readonly backOffs: readonly BackOffRecord[];
  readonly waits: readonly WaitRecord[];
  /** Increases with every change of this track. */
  readonly version: number;
}

/** The history of a pod. */
export interface PodTrack {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
  /** The newest v1.Pod in the API. */
  readonly object: Attributes | undefined;
  /** The newest v1.PodStatus. */
  readonly status: Attributes | undefined;
  /** Times of the first and the last event about the pod. */
  readonly firstTime: number;
  readonly lastTime: number;
  /** Time at which the log first showed the deletion request. */
  readonly deletionRequestedAt: number | undefined;
  /** Time of the deletion from the API; undefined while the pod exists. */
  readonly deletedAt: number | undefined;
  readonly sandbox: ContainerTrack;
  /** Init, app and ephemeral containers, each in spec order. */
  readonly containers: readonly ContainerTrack[];
  /** Spans of the pod worker's syncs, oldest first. */
  readonly workerSpans: readonly number[];
  readonly syncs: readonly SyncRecord[];
  readonly events: readonly KubernetesEventRecord[];
  /** Changes of the phase. */
  readonly phases: readonly { readonly time: number; readonly phase: string; readonly reason: string | undefined }[];
  /** All stops of the pod worker, oldest first. */
  readonly stops: readonly StopRecord[];
  /** Interventions by users and faults, oldest first. */
  readonly interventions: readonly InterventionRecord[];
  /** Attempts of its probes, oldest first. */
  readonly probes: readonly ProbeRecord[];
  /** Set while the pod worker is stopped. */
  readonly stoppedAt:
    | { readonly point: string; readonly phase: 'before' | 'after'; readonly span: number | undefined }
    | undefined;
  /** Increases with every change. */
  readonly version: number;
}
