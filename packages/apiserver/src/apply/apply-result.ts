/** Describes the outcome of applying a manifest: the operation on each object, or the errors. */

/** An object of an applied manifest, as `kubectl apply` reports it: `pod/web created`. */
export interface AppliedObject {
  readonly kind: string;
  readonly namespace?: string | undefined;
  readonly name: string;
  readonly uid?: string | undefined;
  /** `valid` for a dry run. */
  readonly operation: 'created' | 'configured' | 'unchanged' | 'valid';
}

/** An error with its place in the text and in the object. */
export interface ManifestError {
  readonly message: string;
  /** The path of the field, for example `spec.containers[0].image`. */
  readonly field?: string | undefined;
  /** The line, counted from 1. The column is also counted from 1. */
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  /** Index of the YAML document in the text, counted from 0. */
  readonly document?: number | undefined;
}

/** The outcome for a whole text. If there are errors, nothing is applied. */
export interface ApplyResult {
  applied: AppliedObject[];
  errors: ManifestError[];
}
