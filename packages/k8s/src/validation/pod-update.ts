/**
 * Validates changes of an existing pod: updates and added ephemeral containers. Upstream: pkg/apis/core/validation
 * (v1.36).
 */

import { podMirrorAnnotation } from '../containers.ts';
import type { FieldError } from '../field-error.ts';
import { differences, formatDifferences, semanticEqual } from '../semantic-equal.ts';
import type { Container, Pod, PodSpec } from '../types.ts';
import { validateObjectMetaUpdate } from './metadata.ts';
import { validatePodMetadataAndSpec } from './pod.ts';
import { Report } from './report.ts';
import { rangeFault } from './syntax.ts';

const MAX_INT32 = 2_147_483_647;

const updatableFields = [
  '`spec.containers[*].image`',
  '`spec.initContainers[*].image`',
  '`spec.activeDeadlineSeconds`',
  '`spec.tolerations` (only additions to existing tolerations)',
  '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)',
];

/**
 * Validates an update by a user. Both pods must have defaults. Upstream: ValidatePodUpdate (core/validation, v1.36).
 */
export function validatePodUpdate(next: Pod, previous: Pod): FieldError[] {
  const report = new Report();
  validateObjectMetaUpdate(next.metadata, previous.metadata, report);
  validatePodMetadataAndSpec(next, report);
  validateMirrorAnnotation(next, previous, report);
  for (const kind of ['containers', 'initContainers'] as const) {
    if ((next.spec[kind] ?? []).length !== (previous.spec[kind] ?? []).length) {
      report.forbidden(`spec.${kind}`, 'pod updates may not add or remove containers');
      return report.errors;
    }
  }
  validateDeadline(next.spec.activeDeadlineSeconds, previous.spec.activeDeadlineSeconds, report);
  validateAddedTolerations(next.spec, previous.spec, report);
  const munged = withUpdatableFieldsOf(previous.spec, next.spec);
  if (!semanticEqual(munged, previous.spec)) {
    const changes = formatDifferences(differences(previous.spec, munged, 'spec'));
    report.forbidden('spec', `pod updates may not change fields other than ${updatableFields.join(',')}\n${changes}`);
  }
  return report.errors;
}

function validateMirrorAnnotation(next: Pod, previous: Pod, report: Report): void {
  const before = previous.metadata.annotations?.[podMirrorAnnotation];
  const after = next.metadata.annotations?.[podMirrorAnnotation];
  if (before === after) return;
  const change = before === undefined ? 'add' : 'remove or update';
  report.forbidden(`metadata.annotations[${podMirrorAnnotation}]`, `may not ${change} mirror pod annotation`);
}

/** Validates activeDeadlineSeconds. It can be set, and after that only be shortened. */
function validateDeadline(next: number | undefined, previous: number | undefined, report: Report): void {
  const path = 'spec.activeDeadlineSeconds';
  if (next === undefined) {
    if (previous !== undefined) report.invalid(path, null, 'must not update from a positive integer to nil value');
  } else if (next < 0 || next > MAX_INT32) report.invalid(path, next, rangeFault(0, MAX_INT32));
  else if (previous !== undefined && previous < next)
    report.invalid(path, next, 'must be less than or equal to previous value');
}

/** Reports removed or changed tolerations. Upstream: validateOnlyAddedTolerations (core/validation, v1.36). */
function validateAddedTolerations(next: PodSpec, previous: PodSpec, report: Report): void {
  for (const old of previous.tolerations ?? []) {
    const kept = (next.tolerations ?? []).some((toleration) =>
      semanticEqual({ ...toleration, tolerationSeconds: old.tolerationSeconds }, old),
    );
    if (!kept)
      return report.forbidden(
        'spec.tolerations',
        'existing toleration can not be modified except its tolerationSeconds',
      );
  }
  return undefined;
}

/**
 * Returns the new spec with the old values of all fields that may change. Any difference that remains isn't allowed.
 */
function withUpdatableFieldsOf(previous: PodSpec, next: PodSpec): PodSpec {
  const withImages = (kind: 'containers' | 'initContainers'): readonly Container[] =>
    (next[kind] ?? []).map((container, index) => ({ ...container, image: previous[kind]?.[index]?.image }));
  const graceRepaired = (previous.terminationGracePeriodSeconds ?? 0) < 0 && next.terminationGracePeriodSeconds === 1;
  return {
    ...next,
    containers: withImages('containers'),
    ...(next.initContainers && { initContainers: withImages('initContainers') }),
    activeDeadlineSeconds: previous.activeDeadlineSeconds,
    tolerations: previous.tolerations,
    ...(graceRepaired && { terminationGracePeriodSeconds: previous.terminationGracePeriodSeconds }),
  };
}

/**
 * Validates a change through the ephemeralcontainers subresource, which may only add containers. Upstream:
 * ValidatePodEphemeralContainersUpdate (core/validation, v1.36).
 */
export function validatePodEphemeralContainersUpdate(next: Pod, previous: Pod): FieldError[] {
  const report = new Report();
  validateObjectMetaUpdate(next.metadata, previous.metadata, report);
  validatePodMetadataAndSpec(next, report);
  const path = 'spec.ephemeralContainers';
  if (previous.metadata.annotations?.[podMirrorAnnotation] !== undefined)
    report.forbidden('', 'static pods do not support ephemeral containers');
  for (const old of previous.spec.ephemeralContainers ?? []) {
    const kept = next.spec.ephemeralContainers?.find(({ name }) => name === old.name);
    if (!kept) report.forbidden(path, `existing ephemeral containers "${old.name}" may not be removed\n`);
    else if (!semanticEqual(kept, old)) {
      report.forbidden(
        path,
        `existing ephemeral containers "${old.name}" may not be ` +
          `changed\n${formatDifferences(differences(old, kept, path))}`,
      );
    }
  }
  return report.errors;
}
