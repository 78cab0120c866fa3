/** Defines the errors of debugger commands, and the errors that interventions throw into the flow. */
import { InterruptedError } from '@podscope/trace';

/** A command that can't be executed. The message states the reason and what to do. */
export class DebuggerError extends Error {
  override readonly name = 'DebuggerError';
  readonly reason: 'NotStopped' | 'NotFound' | 'Invalid' | 'StaleReference';

  constructor(reason: DebuggerError['reason'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** Thrown into the flow to end a sync that the user restarts. */
export class SyncRestartedError extends InterruptedError {
  readonly reason = 'SyncRestarted';

  constructor() {
    super('the sync was restarted by the debugger');
  }
}

/** The error of a probe that was skipped because its pod's worker is stopped. */
export class ProbeMissedError extends Error {
  override readonly name = 'ProbeMissedError';
  readonly reason = 'ProbeMissed';

  constructor() {
    super('the probe was missed: the pod is stopped by the debugger');
  }
}
