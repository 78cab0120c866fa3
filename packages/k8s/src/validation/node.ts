/** Validates updates of a node through the API. Upstream: pkg/apis/core/validation (v1.36). */

import type { FieldError } from '../field-error.ts';
import { semanticEqual } from '../semantic-equal.ts';
import type { Node } from '../types.ts';
import { subdomainNames, validateObjectMeta, validateObjectMetaUpdate } from './metadata.ts';
import { Report } from './report.ts';

/**
 * Validates an update, which may change labels and annotations only. Other spec fields are for a scheduler, which a
 * standalone node doesn't have, so a change without effect is rejected. Upstream: ValidateNodeUpdate (core/validation,
 * v1.36), which lets taints and unschedulable change.
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
