/** Why a trace file can't be read. */

/** notATrace: something else. tooNew: written by a later release. broken: damaged before its first event. tooLarge: beyond the limits. */
export type TraceFileErrorCode = 'notATrace' | 'tooNew' | 'broken' | 'tooLarge';

/** The message is for the person who chose the file, and says what to do. */
export class TraceFileError extends Error {
  override readonly name = 'TraceFileError';
  readonly code: TraceFileErrorCode;

  constructor(code: TraceFileErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
