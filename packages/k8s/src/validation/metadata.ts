/**
 * Validates the metadata of all objects: names, labels, annotations, owners and finalizers. Upstream: apimachinery
 * api/validation (v1.36).
 */

import type { ObjectMeta, StringMap } from '../types.ts';
import type { Report } from './report.ts';
import { byteLength, isDNS1123Label, isDNS1123Subdomain, isQualifiedName, isValidLabelValue } from './syntax.ts';

const MAX_ANNOTATIONS_BYTES = 262_144;
const standardFinalizers: readonly string[] = ['kubernetes', 'orphan', 'foregroundDeletion'];

export interface ObjectMetaRules {
  readonly namespaced: boolean;
  readonly validateName: (name: string) => string[];
}

/** Validates the metadata of an object. Upstream: ValidateObjectMeta (apimachinery api/validation, v1.36). */
export function validateObjectMeta(metadata: ObjectMeta, rules: ObjectMetaRules, report: Report): void {
  const { name, generateName, namespace = '', generation, labels, annotations, ownerReferences, finalizers } = metadata;
  if (generateName) {
    // The server appends a suffix to the prefix, so the prefix may end with a dash.
    report.invalidEach('metadata.generateName', generateName, rules.validateName(generateName.replace(/-$/, 'a')));
  }
  if (name !== '') report.invalidEach('metadata.name', name, rules.validateName(name));
  else if (!generateName) report.required('metadata.name', 'name or generateName is required');
  if (!rules.namespaced) {
    if (namespace !== '') report.forbidden('metadata.namespace', 'not allowed on this type');
  } else if (namespace === '') report.required('metadata.namespace');
  else report.invalidEach('metadata.namespace', namespace, isDNS1123Label(namespace));
  report.nonNegative('metadata.generation', generation);
  validateLabels(labels, 'metadata.labels', report);
  validateAnnotations(annotations, report);
  for (const [index, owner] of (ownerReferences ?? []).entries()) {
    const path = `metadata.ownerReferences[${index}]`;
    if (!owner.apiVersion) report.invalid(`${path}.apiVersion`, '', 'version must not be empty');
    if (!owner.kind) report.invalid(`${path}.kind`, '', 'must not be empty');
    if (!owner.name) report.invalid(`${path}.name`, '', 'must not be empty');
    if (!owner.uid) report.invalid(`${path}.uid`, '', 'must not be empty');
  }
  for (const [index, finalizer] of (finalizers ?? []).entries())
    validateFinalizer(finalizer, `metadata.finalizers[${index}]`, report);
}

function validateFinalizer(finalizer: string, path: string, report: Report): void {
  report.invalidEach(path, finalizer, isQualifiedName(finalizer));
  if (!finalizer.includes('/') && !standardFinalizers.includes(finalizer)) {
    report.invalid(path, finalizer, 'name is neither a standard finalizer name nor is it fully qualified');
  }
}

/** Validates labels. Upstream: ValidateLabels (apimachinery metav1/validation, v1.36). */
export function validateLabels(labels: StringMap | undefined, path: string, report: Report): void {
  for (const [key, value] of Object.entries(labels ?? {})) {
    report.invalidEach(path, key, isQualifiedName(key));
    report.invalidEach(path, value, isValidLabelValue(value));
  }
}

function validateAnnotations(annotations: StringMap | undefined, report: Report): void {
  let size = 0;
  for (const [key, value] of Object.entries(annotations ?? {})) {
    report.invalidEach('metadata.annotations', key, isQualifiedName(key.toLowerCase()));
    size += byteLength(key) + byteLength(value);
  }
  if (size > MAX_ANNOTATIONS_BYTES) report.tooLong('metadata.annotations', MAX_ANNOTATIONS_BYTES);
}

/** The rules for the names of most objects. Upstream: NameIsDNSSubdomain. */
export const subdomainNames: ObjectMetaRules = { namespaced: true, validateName: isDNS1123Subdomain };

/** Validates an update of metadata. Upstream: ValidateObjectMetaUpdate (apimachinery api/validation, v1.36). */
export function validateObjectMetaUpdate(next: ObjectMeta, previous: ObjectMeta, report: Report): void {
  for (const field of ['name', 'namespace', 'uid', 'creationTimestamp'] as const) {
    if ((next[field] ?? '') !== (previous[field] ?? ''))
      report.invalid(`metadata.${field}`, next[field], 'field is immutable');
  }
  for (const field of ['deletionTimestamp', 'deletionGracePeriodSeconds'] as const) {
    const value = next[field];
    if (value !== undefined && value !== previous[field])
      report.invalid(`metadata.${field}`, value, 'field is immutable');
  }
  if ((next.generation ?? 0) < (previous.generation ?? 0)) {
    report.invalid('metadata.generation', next.generation, 'must not be decremented');
  }
}
