/** Defines the schema of affinities. A single node doesn't evaluate them, but reports typos in them. */

import { labelSelector } from './meta.ts';
import { int32, list, object, oneOf, string } from './schema.ts';

const nodeSelectorRequirement = object({
  key: string,
  operator: oneOf('In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt'),
  values: list(string),
});
const nodeSelectorTerm = object({
  matchExpressions: list(nodeSelectorRequirement),
  matchFields: list(nodeSelectorRequirement),
});

const podAffinityTerm = object({
  labelSelector,
  namespaces: list(string),
  topologyKey: string,
  namespaceSelector: labelSelector,
  matchLabelKeys: list(string),
  mismatchLabelKeys: list(string),
});
const podAffinity = object({
  requiredDuringSchedulingIgnoredDuringExecution: list(podAffinityTerm),
  preferredDuringSchedulingIgnoredDuringExecution: list(object({ weight: int32, podAffinityTerm })),
});

export const affinity = object({
  nodeAffinity: object({
    requiredDuringSchedulingIgnoredDuringExecution: object({ nodeSelectorTerms: list(nodeSelectorTerm) }),
    preferredDuringSchedulingIgnoredDuringExecution: list(object({ weight: int32, preference: nodeSelectorTerm })),
  }),
  podAffinity,
  podAntiAffinity: podAffinity,
});

export const topologySpreadConstraint = object({
  maxSkew: int32,
  topologyKey: string,
  whenUnsatisfiable: oneOf('DoNotSchedule', 'ScheduleAnyway'),
  labelSelector,
  minDomains: int32,
  nodeAffinityPolicy: oneOf('Honor', 'Ignore'),
  nodeTaintsPolicy: oneOf('Honor', 'Ignore'),
  matchLabelKeys: list(string),
});
