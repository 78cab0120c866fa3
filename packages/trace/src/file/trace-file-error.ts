/** Defines the errors of reading trace files. */

/**
 * notATrace: not a trace file. tooNew: written by a later release. broken: damaged before its first event. tooLarge:
 * exceeds the limits.
 */
export type TraceFileErrorCode = 'notATrace' | 'tooNew' | 'broken' | 'tooLarge';

/** Thrown when a file can't be read. The message is for the user and suggests what to do. */
export class TraceFileError extends Error {
  override readonly name = 'TraceFileError';
  readonly code: TraceFileErrorCode;

  constructor(code: TraceFileErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
