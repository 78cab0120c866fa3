/** Defines how objects of a kind are created and updated. Upstream: pkg/registry/rest (v1.36). */
import type { FieldError } from '@podscope/k8s';

/** Subresources: parts of an object that have their own update operation. */
export type Subresource = 'ephemeralcontainers' | 'resize' | 'status';

/** How objects of a kind are created and updated. All methods are pure and return new objects. */
export interface Strategy<T> {
  /** Applies the defaults of the API version. */
  setDefaults(object: T): T;
  /** Sets the fields that the API server sets at creation. */
  prepareForCreate(object: T): T;
  validate(object: T): readonly FieldError[];
  /** Restores the fields that an update may not change. */
  prepareForUpdate(next: T, current: T): T;
  validateUpdate(next: T, current: T): readonly FieldError[];
}
