/** Defines the errors of reading trace files. */

/**
 * Why a file can't be read. notATrace: it isn't a trace file. tooNew: a later release wrote it. broken: it is damaged
 * before its first event. tooLarge: it exceeds the limits.
 */
export type TraceFileErrorCode = 'notATrace' | 'tooNew' | 'broken' | 'tooLarge';

/** The error when a file can't be read. Its message is for the user and suggests a remedy. */
export class TraceFileError extends Error {
  override readonly name = 'TraceFileError';
  readonly code: TraceFileErrorCode;

  constructor(code: TraceFileErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
