/**
 * Declares the data that an observer receives from a genuine kubelet, independent of the transport: CRI calls, answers
 * of `GET /pods`, and spans of OpenTelemetry. All times are milliseconds since the Unix epoch.
 */
import type { Pod } from '@podscope/k8s';

/** A decoded CRI message, with the field names of `@podscope/cri`. */
export type CallMessage = Readonly<Record<string, unknown>>;

/** The start of a CRI call. */
export interface ObservedCall {
  /** Unique within one observation. */
  readonly number: number;
  /** For example, `runtime.v1.RuntimeService`. */
  readonly service: string;
  /** For example, `CreateContainer`. */
  readonly method: string;
  /** Number of the client's connection; undefined if it isn't known. */
  readonly connection?: number | undefined;
  /** Header fields, with names in lower case. */
  readonly metadata: Readonly<Record<string, string>>;
  readonly t: number;
  /** The call's timeout in milliseconds, counted from `t`; undefined without a timeout. */
  readonly deadline: number | undefined;
  /** Undefined if the message could not be decoded. */
  readonly request: CallMessage | undefined;
  /** Why the request could not be decoded, and its size in bytes. */
  readonly undecoded?: { readonly bytes: number; readonly reason: string };
  /** True for a call that the recording contains only as part of a count, so its time is estimated. */
  readonly estimated?: boolean;
}

/** The end of a CRI call. */
export interface CallResult {
  readonly end: number;
  readonly response: CallMessage | undefined;
  readonly undecoded?: { readonly bytes: number; readonly reason: string };
  /** gRPC status code that the kubelet received. */
  readonly status: number;
  readonly message: string;
  /** How long the relay held the call, in milliseconds. */
  readonly held?: number;
  /** The time at which the kubelet cancelled the call. */
  readonly reset?: number;
}

/** A call with its result; `result` is undefined while the call is in flight. */
export interface CallRecord extends ObservedCall {
  readonly result: CallResult | undefined;
}

/** An answer of the kubelet's `GET /pods`. */
export interface PodsSnapshot {
  readonly t: number;
  readonly pods: readonly Pod[];
}

/** An ended span of OpenTelemetry. */
export interface ObservedSpan {
  readonly t: number;
  readonly end: number;
  readonly name: string;
  readonly trace: string;
  readonly id: string;
  /** Span id of the parent; empty for a root span. */
  readonly parent: string;
  readonly scope: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly error: string | undefined;
}

/** Facts about the kubelet that its calls don't show. */
export interface KubeletFacts {
  /** `v1.36.2`; undefined if no source reported it. */
  readonly version: string | undefined;
  readonly nodeName: string | undefined;
  /** The feature gates in the answer of `/configz`. */
  readonly featureGates: Readonly<Record<string, boolean>>;
  /** `crashLoopBackOff.maxContainerRestartPeriod` of `/configz` in milliseconds. */
  readonly maxContainerRestartPeriod: number | undefined;
  /**
   * False if the kubelet pulls several images at a time: `serializeImagePulls` or `maxParallelImagePulls` of
   * `/configz`. Undefined if no source reported it; the kubelet's default is true.
   */
  readonly serializeImagePulls?: boolean | undefined;
}

/** A source of observations. */
export type SourceName = 'cri' | 'pods' | 'configz' | 'otlp' | 'api';
