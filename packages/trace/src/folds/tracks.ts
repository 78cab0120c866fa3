/**
 * What the event log adds up to, as pictures need it. Built by {@link RunFold}; everything here is read-only to its readers, and objects
 * are updated in place (compare the fold's version numbers, not object identity).
 */
import type { Attributes } from '../event.ts';

/** A span as it stands now. */
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
  /** Undefined while open. */
  readonly end: number | undefined;
  readonly endSeq: number | undefined;
  readonly outcome: 'ok' | 'error' | 'canceled' | undefined;
  readonly error: { readonly reason: string; readonly message: string } | undefined;
  readonly attributes: Attributes;
  readonly endAttributes: Attributes | undefined;
  /** Ids, in the order of their starts. */
  readonly children: readonly number[];
  readonly decisions: readonly DecisionRecord[];
  /** What a person or a fault did to it; empty for what happened by itself. */
  readonly interventions: readonly InterventionRecord[];
}

/** Someone changed what happened. */
export interface InterventionRecord {
  readonly seq: number;
  readonly time: number;
  /** Number of the intervention in the run. */
  readonly id: number;
  readonly action: string;
  readonly origin: 'fault' | 'stop' | 'command';
  readonly text: string;
  /** The words it put into the flow: the message of a failure, the output of an answer. */
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

/** One pass of the runtime manager's SyncPod. */
export interface SyncRecord {
  /** From 1, per pod. */
  readonly number: number;
  /** The span of `kuberuntime.SyncPod`. */
  readonly span: number;
  readonly start: number;
  readonly end: number | undefined;
  /** The step spans, in order; a step that did not run has none. */
  readonly steps: readonly number[];
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

/** One instance of a container, or of the sandbox. Times are undefined until known. */
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
  /** Sandboxes. */
  readonly ip: string | undefined;
  /** Containers: the id of the sandbox it was created in. */
  readonly sandbox: string | undefined;
}

/** One layer of a pull. */
export interface PullLayerRecord {
  readonly id: string;
  readonly status: string;
  readonly current: number | undefined;
  readonly total: number | undefined;
  /** When its download began, when it was here, when unpacking began, and when it was done; undefined until then, and for what was there already. */
  readonly startedAt: number | undefined;
  readonly downloadedAt: number | undefined;
  readonly extractingAt: number | undefined;
  readonly doneAt: number | undefined;
}

/** An operation on a container or sandbox that takes time: creating, pulling, starting, stopping. */
export interface ActivityRecord {
  readonly kind: 'pull' | 'create' | 'start' | 'postStart' | 'preStop' | 'stop' | 'remove';
  /** The span that shows it. */
  readonly span: number;
  readonly start: number;
  readonly end: number | undefined;
  readonly outcome: 'ok' | 'error' | 'canceled' | undefined;
  readonly detail: string;
  /** Pulls: 0…1 when known; never falls. */
  readonly progress: number | undefined;
  /** Pulls: the layers as last reported. */
  readonly layers: readonly PullLayerRecord[] | undefined;
}

/** One attempt of a probe. */
export interface ProbeRecord {
  /** The span that shows it. */
  readonly span: number;
  readonly type: 'startup' | 'readiness' | 'liveness';
  readonly container: string;
  readonly start: number;
  /** Undefined while it runs. */
  readonly end: number | undefined;
  /** `error`: it could not be made. `missed`: the pod was stopped. Undefined while it runs. */
  readonly result: 'success' | 'warning' | 'failure' | 'error' | 'missed' | 'canceled' | undefined;
  readonly output: string;
  /** A fault, or a person at a stop, had a hand in it. */
  readonly injected: boolean;
}

/** A time in which a start or pull was postponed. */
export interface BackOffRecord {
  readonly kind: 'container' | 'image';
  readonly seconds: number;
  readonly since: number;
  readonly until: number;
  readonly image: string | undefined;
  /** False while only armed: nothing waits yet. */
  readonly waiting: boolean;
  /** When a start or pull, or a reset, put an end to it. Undefined while it stands, also past `until`: the next sync is still to come. */
  readonly endedAt: number | undefined;
}

/** From `time` on the pod status gave this reason for the container not running; undefined: it no longer waits. */
export interface WaitRecord {
  readonly time: number;
  readonly reason: string | undefined;
  readonly message: string | undefined;
}

/** A time in which the pod worker was held at a gate. */
export interface StopRecord {
  readonly seq: number;
  readonly point: string;
  readonly phase: 'before' | 'after';
  readonly reason: string;
  readonly span: number | undefined;
  readonly start: number;
  /** Undefined while it is held. */
  readonly end: number | undefined;
}

/** The life of one container name, or (name `POD`) of the sandboxes. */
export interface ContainerTrack {
  readonly name: string;
  readonly type: 'sandbox' | 'init' | 'sidecar' | 'container' | 'ephemeral';
  readonly attempts: readonly AttemptRecord[];
  readonly activities: readonly ActivityRecord[];
  readonly backOffs: readonly BackOffRecord[];
  readonly waits: readonly WaitRecord[];
  /** Grows with every change of this track. */
  readonly version: number;
}

/** Everything about one pod. */
export interface PodTrack {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
  /** The v1.Pod as the API last had it. */
  readonly object: Attributes | undefined;
  /** The v1.PodStatus last seen. */
  readonly status: Attributes | undefined;
  /** When it was first and last heard of. */
  readonly firstTime: number;
  readonly lastTime: number;
  /** When the log first showed that its deletion was asked for. */
  readonly deletionRequestedAt: number | undefined;
  /** When it was gone from the API; undefined while it is there. */
  readonly deletedAt: number | undefined;
  readonly sandbox: ContainerTrack;
  /** Init, app, ephemeral; spec order within each. */
  readonly containers: readonly ContainerTrack[];
  /** Spans of the pod worker's passes, oldest first. */
  readonly workerSpans: readonly number[];
  readonly syncs: readonly SyncRecord[];
  readonly events: readonly KubernetesEventRecord[];
  /** Instants at which the phase changed. */
  readonly phases: readonly { readonly time: number; readonly phase: string; readonly reason: string | undefined }[];
  /** Every stop of the pod worker, oldest first. */
  readonly stops: readonly StopRecord[];
  /** What people and faults did to it, oldest first. */
  readonly interventions: readonly InterventionRecord[];
  /** Attempts of its probes, oldest first. */
  readonly probes: readonly ProbeRecord[];
  /** Set while the pod worker is stopped at a gate. */
  readonly stoppedAt: { readonly point: string; readonly phase: 'before' | 'after'; readonly span: number | undefined } | undefined;
  /** Grows with every change. */
  readonly version: number;
}
