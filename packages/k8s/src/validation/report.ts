/**
 * Collects validation errors. Paths and texts are those of the API server, with one difference: if upstream omits the
 * index of a list in a path (`volumeMounts.subPath`), the path here contains it, so that an editor can mark the line.
 */

import type { FieldError } from '../field-error.ts';

export class Report {
  readonly errors: FieldError[] = [];

  required(field: string, detail = ''): void {
    this.errors.push({ type: 'Required', field, ...(detail && { detail }) });
  }

  invalid(field: string, value: unknown, detail: string): void {
    this.errors.push({ type: 'Invalid', field, value, detail });
  }

  /** Adds one error for each text in `faults`, all for the same value. */
  invalidEach(field: string, value: unknown, faults: readonly string[]): void {
    for (const fault of faults) this.invalid(field, value, fault);
  }

  notSupported(field: string, value: unknown, supported: readonly string[]): void {
    const detail = `supported values: ${supported.map((name) => `"${name}"`).join(', ')}`;
    this.errors.push({ type: 'NotSupported', field, value, detail });
  }

  duplicate(field: string, value: unknown): void {
    this.errors.push({ type: 'Duplicate', field, value });
  }

  forbidden(field: string, detail: string): void {
    this.errors.push({ type: 'Forbidden', field, detail });
  }

  notFound(field: string, value: unknown): void {
    this.errors.push({ type: 'NotFound', field, value });
  }

  tooLong(field: string, limit: number): void {
    this.errors.push({ type: 'TooLong', field, detail: `may not be more than ${limit} bytes` });
  }

  tooMany(field: string, count: number, limit: number): void {
    this.errors.push({ type: 'TooMany', field, value: count, detail: `must have at most ${limit} items` });
  }

  nonNegative(field: string, value: number | undefined): void {
    if (value !== undefined && value < 0) this.invalid(field, value, 'must be greater than or equal to 0');
  }

  /** Checks that the value is one of `supported`. An empty value is reported as missing. */
  oneOf(field: string, value: string | undefined, supported: readonly string[]): void {
    if (!value) this.required(field);
    else if (!supported.includes(value)) this.notSupported(field, value, supported);
  }
}
