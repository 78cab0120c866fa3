/**
 * Defines validation errors of the Kubernetes API: a field path, a type and a detail. Upstream: apimachinery
 * util/validation/field.
 */

import { goQuote } from './go-quote.ts';

/** The types of errors, with the API server's texts. Upstream: field.ErrorType. */
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

/** One validation error. Upstream: field.Error (apimachinery, v1.36). */
export interface FieldError {
  readonly type: FieldErrorType;
  /** The path of the field, for example `spec.containers[0].image`. */
  readonly field: string;
  /** The invalid value. The message contains it only for some types. */
  readonly value?: unknown;
  readonly detail?: string;
  /** The OpenAPI type that the field needs, for `TypeInvalid`. */
  readonly wanted?: string;
}

/**
 * Formats an error as the API server does, for example `spec.containers[0].image: Required value`. Upstream:
 * field.Error.Error().
 */
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
