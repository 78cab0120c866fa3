/** Defines an error in a manifest with its position in the text. */

import type { FieldError } from '../field-error.ts';

export interface Position {
  /** The line, from 1. */
  readonly line: number;
  /** The column, from 1, in UTF-16 units. */
  readonly column: number;
}

export interface Range extends Position {
  readonly endLine: number;
  readonly endColumn: number;
  /** False if the text doesn't contain the field. The position is then that of its nearest ancestor. */
  readonly exact: boolean;
}

export interface ManifestError extends Partial<Range> {
  /** The complete message in the format of the API server or kubectl. */
  readonly message: string;
  /** A hint on how to fix the error, if that isn't obvious. */
  readonly hint?: string;
  /** The path of the field, for example `spec.containers[0].image`. */
  readonly field?: string;
  /** The number of the document in the text, from 1. */
  readonly document?: number;
  /** The validation error from which this error was made. */
  readonly cause?: FieldError;
}
