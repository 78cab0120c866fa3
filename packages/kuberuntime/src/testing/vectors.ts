/**
 * Declares the recorded decisions of the genuine kubelet. The types are those in the documentation of the recordings.
 */
import type { ConfigMap, Pod, ResourceRequirements, Secret, Service } from '@podscope/k8s';
import type { ProbeResult, State } from '../runtime.ts';

export interface SandboxVector {
  readonly id: string;
  readonly state: 'ready' | 'notready';
  readonly attempt: number;
  readonly createdAt: string | null;
  readonly hostNetwork: boolean;
  /** The address of the sandbox; null if the runtime returned no network status. */
  readonly ip: string | null;
  readonly additionalIPs?: readonly string[] | null;
}

export interface ContainerVector {
  readonly id: string;
  readonly name: string;
  readonly state: State;
  readonly createdAt: string | null;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
  readonly exitCode: number;
  readonly reason: string;
  readonly message: string;
  readonly image: string;
  readonly imageID: string;
  readonly restartCount: number;
  readonly hash: number;
  readonly hashMatches: boolean;
}

export interface PodStatusVector {
  readonly id: string;
  readonly name: string;
  readonly namespace: string;
  readonly ips: readonly string[] | null;
  readonly sandboxStatuses: readonly SandboxVector[] | null;
  readonly containerStatuses: readonly ContainerVector[] | null;
}

/** A recorded call of computePodActions. */
export interface ComputeVector {
  readonly id: string;
  readonly gates: Readonly<Record<string, boolean>>;
  readonly pod: Pod;
  readonly podStatus: PodStatusVector;
  readonly probes: {
    readonly liveness: Readonly<Record<string, ProbeResult>> | null;
    readonly startup: Readonly<Record<string, ProbeResult>> | null;
  };
  readonly restartAllContainers?: boolean;
  readonly actuated?: {
    readonly containers: Readonly<Record<string, ResourceRequirements>> | null;
    readonly pod: ResourceRequirements | null;
  };
  readonly expect: Readonly<Record<string, unknown>>;
}

/** One round of a pod lifecycle. */
export type SyncRound =
  | { readonly do: 'sync'; readonly restartAllContainers?: boolean; readonly expect: Readonly<Record<string, unknown>> }
  | { readonly do: 'kill'; readonly gracePeriod: number | null; readonly expect: Readonly<Record<string, unknown>> }
  | { readonly do: 'advance'; readonly seconds: number }
  | { readonly do: 'exit'; readonly container: string; readonly exitCode: number; readonly reason?: string }
  | { readonly do: 'sandboxDies'; readonly exitCode?: number }
  | {
      readonly do: 'probe';
      readonly kind: 'liveness' | 'startup';
      readonly container: string;
      readonly result: ProbeResult;
    }
  | {
      readonly do: 'fail';
      readonly method: string;
      readonly error: string;
      readonly code?: string;
      readonly container?: string;
      readonly leavesSandbox?: boolean;
    }
  | { readonly do: 'delay'; readonly method: string; readonly container: string; readonly seconds: number }
  | { readonly do: 'clearFailures'; readonly method: string }
  | { readonly do: 'edit'; readonly pod: Pod }
  | { readonly do: 'terminationRequested'; readonly gracePeriodSeconds?: number };

/** A short pod lifecycle that was recorded with a fake runtime. */
export interface SyncVector {
  readonly id: string;
  readonly story: string;
  readonly gates: Readonly<Record<string, boolean>>;
  readonly pod: Pod;
  readonly start: string;
  readonly images: readonly string[];
  readonly imageUsers?: Readonly<Record<string, { readonly uid?: number; readonly username?: string }>>;
  readonly pullSecrets?: readonly Secret[];
  readonly objects: {
    readonly services?: readonly Service[];
    readonly configMaps?: readonly ConfigMap[];
    readonly secrets?: readonly Secret[];
  };
  readonly stopExitCode?: number;
  readonly rounds: readonly SyncRound[];
}

/** A sequence of operations on a back-off. Times are in seconds. */
export interface BackoffVector {
  readonly id: string;
  readonly initial: number;
  readonly max: number;
  readonly expireAfter?: number;
  readonly ops: readonly {
    readonly at: number;
    readonly op: 'next' | 'isInBackOffSince' | 'isInBackOffSinceUpdate' | 'get' | 'reset' | 'gc';
    readonly key?: string;
    readonly eventTime?: number;
    readonly result: unknown;
  }[];
}
