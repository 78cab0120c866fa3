/** Validates updates of a node through the API. Upstream: pkg/apis/core/validation (v1.36). */

import type { FieldError } from '../field-error.ts';
import { semanticEqual } from '../semantic-equal.ts';
import type { Node } from '../types.ts';
import { subdomainNames, validateObjectMeta, validateObjectMetaUpdate } from './metadata.ts';
import { Report } from './report.ts';

/**
 * Validates an update, which may change only labels and annotations. The other fields of the spec have an effect only
 * with a scheduler, which a standalone node doesn't have, so their change is rejected. Upstream: ValidateNodeUpdate
 * (core/validation, v1.36), which accepts changes of taints and unschedulable.
 */
export function validateNodeUpdate(next: Node, previous: Node): FieldError[] {
  const report = new Report();
  validateObjectMetaUpdate(next.metadata, previous.metadata, report);
  validateObjectMeta(next.metadata, { ...subdomainNames, namespaced: false }, report);
  if (!semanticEqual(next.spec ?? {}, previous.spec ?? {})) {
    report.forbidden('spec', 'may not change: this node has no scheduler, every pod is bound to it');
  }
  return report.errors;
}
