/** Validation errors as the Kubernetes API tells them: a field path, a kind, a detail. */

import { goQuote } from './go-quote.ts';

/** The kinds of upstream's `field.ErrorType`, with the words the API server uses. */
export const fieldErrorTypes = {
  Required: 'Required value',
  Invalid: 'Invalid value',
  NotSupported: 'Unsupported value',
  Duplicate: 'Duplicate value',
  Forbidden: 'Forbidden',
  TooLong: 'Too long',
  TooMany: 'Too many',
  NotFound: 'Not found',
  TypeInvalid: 'Invalid value',
} as const;

export type FieldErrorType = keyof typeof fieldErrorTypes;

/** One fault of an object. Upstream: field.Error (apimachinery, v1.36). */
export interface FieldError {
  readonly type: FieldErrorType;
  /** `spec.containers[0].image` */
  readonly field: string;
  /** The value found; shown for the kinds that show one. */
  readonly value?: unknown;
  readonly detail?: string;
}

/** The error's text as the API server prints it: `spec.containers[0].image: Required value`. Upstream: field.Error.Error(). */
export function formatFieldError(error: FieldError): string {
  const detail = error.detail ? `: ${error.detail}` : '';
  return `${error.field}: ${formatFieldErrorBody(error)}${detail}`;
}

function formatFieldErrorBody({ type, value }: FieldError): string {
  const words = fieldErrorTypes[type];
  if (type === 'Required' || type === 'Forbidden' || type === 'TooLong') return words;
  if (value === null || value === undefined) return `${words}: null`;
  return `${words}: ${typeof value === 'string' ? goQuote(value) : JSON.stringify(value)}`;
}
