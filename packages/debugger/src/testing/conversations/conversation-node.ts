/**
 * Defines the node that a conversation needs. packages/node implements the interface, so that the debugger doesn't
 * depend on it.
 */
import type { Pod } from '@podscope/k8s';
import type { EventLog, VirtualClock } from '@podscope/trace';
import type { Debugger, DebuggerOptions } from '../../debugger.ts';

export interface ConversationOptions {
  readonly debug?: Pick<DebuggerOptions, 'persistence' | 'options' | 'presence'>;
}

/** A node on a simulated runtime and a virtual clock. Pods are in the namespace `default`. */
export interface ConversationNode {
  readonly clock: VirtualClock;
  readonly log: EventLog;
  readonly debugger: Debugger;
  /** The number of connected clients. */
  readonly sessionCount: number;
  /** Advances the virtual clock until the condition holds. */
  until(condition: () => boolean, limit?: number): Promise<void>;
  /** Applies a manifest. @throws Error if it is invalid */
  apply(manifest: string): Promise<void>;
  pod(name: string): Pod | undefined;
  pods(): readonly Pod[];
  deletePod(name: string, gracePeriodSeconds?: number): Promise<void>;
  /** Makes the next call of this CRI operation fail. */
  failNext(operation: 'CreateContainer', message: string): void;
  /** Stops the first sandbox without involving the kubelet. */
  stopSandbox(): Promise<void>;
  stop(): Promise<void>;
}
