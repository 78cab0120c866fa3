/** What may change on a node through the API. */

import type { FieldError } from '../field-error.ts';
import { semanticEqual } from '../semantic-equal.ts';
import type { Node } from '../types.ts';
import { subdomainNames, validateObjectMeta, validateObjectMetaUpdate } from './metadata.ts';
import { Report } from './report.ts';

/**
 * Labels and annotations may change. The rest of the spec speaks to a scheduler, which a node on its own does not have: what would have no
 * effect is refused. Upstream: ValidateNodeUpdate (core/validation, v1.36), which lets taints and unschedulable change.
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
