/**
 * Validates tolerations, scheduling gates and topology spread constraints. Upstream: pkg/apis/core/validation (v1.36).
 */

import type { PodSpec, Toleration } from '../types.ts';
import { validateLabels } from './metadata.ts';
import type { Report } from './report.ts';
import { isDNS1123Subdomain, isQualifiedName, isValidLabelValue } from './syntax.ts';

const taintEffects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

/**
 * Validates the scheduling fields of a pod spec. Upstream: the scheduling parts of ValidatePodSpec (core/validation,
 * v1.36).
 */
export function validateScheduling(spec: PodSpec, report: Report): void {
  validateLabels(spec.nodeSelector, 'spec.nodeSelector', report);
  validateTolerations(spec.tolerations, report);
  for (const [index, { conditionType }] of (spec.readinessGates ?? []).entries()) {
    report.invalidEach(`spec.readinessGates[${index}].conditionType`, conditionType, isQualifiedName(conditionType));
  }
  for (const field of ['nodeName', 'serviceAccountName', 'priorityClassName', 'runtimeClassName'] as const) {
    const name = spec[field];
    if (name) report.invalidEach(`spec.${field}`, name, isDNS1123Subdomain(name));
  }
  if (spec.preemptionPolicy !== undefined)
    report.oneOf('spec.preemptionPolicy', spec.preemptionPolicy, ['PreemptLowerPriority', 'Never']);
}

/** Validates tolerations. Upstream: ValidateTolerations (core/validation, v1.36). */
function validateTolerations(tolerations: readonly Toleration[] | undefined, report: Report): void {
  for (const [index, toleration] of (tolerations ?? []).entries()) {
    const path = `spec.tolerations[${index}]`;
    const { key, operator = '', value = '', effect = '', tolerationSeconds } = toleration;
    if (key) report.invalidEach(`${path}.key`, key, isQualifiedName(key));
    else if (operator !== 'Exists') {
      report.invalid(
        `${path}.operator`,
        operator,
        'operator must be Exists when `key` is empty, which means "match all values and all keys"',
      );
    }
    if (tolerationSeconds !== undefined && effect !== 'NoExecute') {
      report.invalid(`${path}.effect`, effect, "effect must be 'NoExecute' when `tolerationSeconds` is set");
    }
    if (operator === '' || operator === 'Equal') {
      const faults = isValidLabelValue(value);
      if (faults.length > 0) report.invalid(`${path}.operator`, value, faults.join(';'));
    } else if (operator === 'Exists') {
      if (value !== '')
        report.invalid(`${path}.operator`, toleration, "value must be empty when `operator` is 'Exists'");
    } else report.notSupported(`${path}.operator`, operator, ['Equal', 'Exists']);
    if (effect !== '' && !taintEffects.includes(effect)) report.notSupported(`${path}.effect`, effect, taintEffects);
  }
}
