/** A fault of a manifest, and where in the text it is. */

import type { FieldError } from '../field-error.ts';

export interface Position {
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 units. */
  readonly column: number;
}

export interface Range extends Position {
  readonly endLine: number;
  readonly endColumn: number;
  /** False if the field itself is not in the text, and this is the nearest parent that is. */
  readonly exact: boolean;
}

export interface ManifestError extends Partial<Range> {
  /** The whole message, as the API server or kubectl would print it. */
  readonly message: string;
  /** What to do about it, where that is not plain. */
  readonly hint?: string;
  /** `spec.containers[0].image` */
  readonly field?: string;
  /** Which document of the text, from 1. */
  readonly document?: number;
  /** The structured form of a validation error. */
  readonly cause?: FieldError;
}
