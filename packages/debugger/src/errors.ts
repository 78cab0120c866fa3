/** Failures of the debugger's own commands, and what its interventions throw into the flow. */
import { InterruptedError } from '@podscope/trace';

/** What a client asked for cannot be done; the message says why and what to do. */
export class DebuggerError extends Error {
  override readonly name = 'DebuggerError';
  readonly reason: 'NotStopped' | 'NotFound' | 'Invalid' | 'StaleReference';

  constructor(reason: DebuggerError['reason'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** What ends a pass that a person wants to begin anew. */
export class SyncRestartedError extends InterruptedError {
  readonly reason = 'SyncRestarted';

  constructor() {
    super('the sync was restarted by the debugger');
  }
}

/** A probe that was not made because its pod is stopped. */
export class ProbeMissedError extends Error {
  override readonly name = 'ProbeMissedError';
  readonly reason = 'ProbeMissed';

  constructor() {
    super('the probe was missed: the pod is stopped by the debugger');
  }
}

/** The text of anything thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
