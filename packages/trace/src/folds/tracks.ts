/**
 * Declares the model of a run that views read. {@link RunFold} builds it, and readers must not change it. Objects are
 * changed in place, so readers compare version numbers and not object identities.
 */
import type { Attributes } from '../events/event.ts';

/** Where a fact about a genuine kubelet comes from. Both are absent for Podscope's own kubelet. */
export interface FactSource {
  /** `shadow`: the shadow engine computed it. */
  readonly source?: 'cri' | 'pods' | 'otlp' | 'api' | 'shadow' | undefined;
  /** True if the fact was inferred from others and not observed. */
  readonly inferred?: boolean | undefined;
}

/** The current state of a span. */
export interface SpanRecord extends FactSource {
  readonly id: number;
  readonly parent: number | undefined;
  readonly point: string;
  readonly kind: string;
  readonly title: string;
  readonly thread: string;
  readonly pod: string | undefined;
  readonly start: number;
  readonly startSeq: number;
  /** The time of the span's end; undefined while the span is open. */
  readonly end: number | undefined;
  readonly endSeq: number | undefined;
  readonly outcome: 'ok' | 'error' | 'canceled' | undefined;
  readonly error: { readonly reason: string; readonly message: string } | undefined;
  readonly attributes: Attributes;
  readonly endAttributes: Attributes | undefined;
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
  /** The number of the intervention in the run. */
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

/** A sync of the pod worker. In a log without pod workers, it is a call of the runtime manager's SyncPod or KillPod. */
export interface SyncRecord {
  /** The number of the sync within the pod, from 1. */
  readonly number: number;
  /** Id of the sync's span. */
  readonly span: number;
  /** The id of the span of `kuberuntime.SyncPod` inside the sync; undefined if the sync didn't reach that call. */
  readonly runtime: number | undefined;
  readonly start: number;
  readonly end: number | undefined;
  /**
   * True once the sync changed something or tried to: it called a hook, made a CRI call that writes, reported a failed
   * SyncResult, terminated the pod, or failed. False for a sync that found everything in its desired state. A
   * successful SyncResult alone doesn't make it true, because v1.20 reports ConfigPodSandbox in every sync.
   */
  readonly acted: boolean;
  readonly results: readonly SyncResultRecord[];
}

export interface KubernetesEventRecord extends FactSource {
  readonly seq: number;
  readonly time: number;
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  readonly container: string | undefined;
  readonly count: number;
}

/**
 * An attempt of a container or of the sandbox. A time is undefined until it is known. The source is that of the newest
 * fact, except the exit.
 */
export interface AttemptRecord extends FactSource {
  readonly id: string;
  readonly attempt: number;
  readonly createdAt: number | undefined;
  readonly startedAt: number | undefined;
  readonly finishedAt: number | undefined;
  /** The source of `finishedAt`; undefined without it. It has no source for Podscope's own kubelet. */
  readonly finishedFrom: FactSource | undefined;
  readonly removedAt: number | undefined;
  readonly state: 'created' | 'running' | 'exited' | 'unknown' | 'removed';
  readonly exitCode: number | undefined;
  readonly reason: string | undefined;
  readonly message: string | undefined;
  readonly image: string | undefined;
  /** The pod's IP address, if this is the attempt of a sandbox. */
  readonly ip: string | undefined;
  /** The id of the sandbox, if this is the attempt of a container. */
  readonly sandbox: string | undefined;
}

/** A layer of a pull. */
export interface PullLayerRecord {
  readonly id: string;
  readonly status: string;
  readonly current: number | undefined;
  readonly total: number | undefined;
  /**
   * The times at which the download began, the download finished, unpacking began, and the layer was complete. A time
   * is undefined until then, and for a layer that was already present.
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
  /** The progress of a pull from 0 to 1, if known; undefined for other operations. It never decreases. */
  readonly progress: number | undefined;
  /** The layers of a pull as last reported; undefined for other operations. */
  readonly layers: readonly PullLayerRecord[] | undefined;
}

/** An attempt of a probe. */
export interface ProbeRecord extends FactSource {
  /** Id of the attempt's span. */
  readonly span: number;
  readonly type: 'startup' | 'readiness' | 'liveness';
  readonly container: string;
  readonly start: number;
  /** The end of the attempt; undefined while the probe runs. */
  readonly end: number | undefined;
  /** The result. `error`: the attempt failed to run. `missed`: the pod was stopped. Undefined while the probe runs. */
  readonly result: 'success' | 'warning' | 'failure' | 'error' | 'missed' | 'canceled' | undefined;
  readonly output: string;
  /** True if a fault or an intervention at a stop affected the attempt. */
  readonly injected: boolean;
}

/** A back-off of a container or image. */
export interface BackOffRecord extends FactSource {
  readonly kind: 'container' | 'image';
  readonly seconds: number;
  readonly since: number;
  readonly until: number;
  readonly image: string | undefined;
  /**
   * Whether a start or pull waits for the end of the back-off. False while the entry only applies to the next failure.
   */
  readonly waiting: boolean;
  /**
   * The time at which a start, pull or reset ended the back-off. Undefined until then, even between `until` and the
   * next sync.
   */
  readonly endedAt: number | undefined;
}

/**
 * Why a container isn't running, from the pod's status. It is valid from `time` on. The reason is undefined if the
 * container no longer waits.
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
  /** The end of the stop; undefined while the worker is stopped. */
  readonly end: number | undefined;
}

/** The history of a container name. The track named `POD` contains the sandboxes. */
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
  /** The source of the newest status of a genuine kubelet's pod. Absent for Podscope's own kubelet. */
  readonly statusFrom?: FactSource | undefined;
  /** The times of the first and the last event about the pod. */
  readonly firstTime: number;
  readonly lastTime: number;
  /** The time of the first event that shows the deletion request. */
  readonly deletionRequestedAt: number | undefined;
  /** The time at which the pod was deleted from the API; undefined while it exists in the API. */
  readonly deletedAt: number | undefined;
  readonly sandbox: ContainerTrack;
  /** The init, app and ephemeral containers, each in the order of the spec. */
  readonly containers: readonly ContainerTrack[];
  /** The syncs, in the order in which the log received them. */
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
  /** The point of the current stop; undefined while the pod worker isn't stopped. */
  readonly stoppedAt:
    | { readonly point: string; readonly phase: 'before' | 'after'; readonly span: number | undefined }
    | undefined;
  /** Increases with every change. */
  readonly version: number;
}
