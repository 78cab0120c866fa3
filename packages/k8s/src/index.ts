/** Kubernetes objects: types, reading, defaulting, validation, quantities. */
export { type FieldError, type FieldErrorType, fieldErrorTypes, formatFieldError } from './field-error.ts';
export type * from './types.ts';
