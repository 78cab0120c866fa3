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
  /** False if the field isn't in the text and this is the position of its nearest ancestor. */
  readonly exact: boolean;
}

export interface ManifestError extends Partial<Range> {
  /** The complete message in the format of the API server or kubectl. */
  readonly message: string;
  /** A suggested fix, if it isn't obvious. */
  readonly hint?: string;
  /** The path of the field, such as `spec.containers[0].image`. */
  readonly field?: string;
  /** The number of the document in the text, from 1. */
  readonly document?: number;
  /** The validation error behind this error. */
  readonly cause?: FieldError;
}
