/** Defines the protobuf messages of affinity and topology spread constraints. Upstream: core/v1 generated.proto. */
import { labelSelector } from './meta.ts';
import type { MessageType } from './read-message.ts';

const requirement: MessageType = {
  1: ['key', 'string'],
  2: ['operator', 'string'],
  3: ['values', 'string', 'repeated'],
};
const nodeSelectorTerm: MessageType = {
  1: ['matchExpressions', requirement, 'repeated'],
  2: ['matchFields', requirement, 'repeated'],
};

const podAffinityTerm: MessageType = {
  1: ['labelSelector', labelSelector],
  2: ['namespaces', 'string', 'repeated'],
  3: ['topologyKey', 'string'],
  4: ['namespaceSelector', labelSelector],
  5: ['matchLabelKeys', 'string', 'repeated'],
  6: ['mismatchLabelKeys', 'string', 'repeated'],
};

const required = 'requiredDuringSchedulingIgnoredDuringExecution';
const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';

const podAffinity: MessageType = {
  1: [required, podAffinityTerm, 'repeated'],
  2: [preferred, { 1: ['weight', 'count'], 2: ['podAffinityTerm', podAffinityTerm] }, 'repeated'],
};

export const affinity: MessageType = {
  1: [
    'nodeAffinity',
    {
      1: [required, { 1: ['nodeSelectorTerms', nodeSelectorTerm, 'repeated'] }],
      2: [preferred, { 1: ['weight', 'count'], 2: ['preference', nodeSelectorTerm] }, 'repeated'],
    },
  ],
  2: ['podAffinity', podAffinity],
  3: ['podAntiAffinity', podAffinity],
};

export const topologySpreadConstraint: MessageType = {
  1: ['maxSkew', 'count'],
  2: ['topologyKey', 'string'],
  3: ['whenUnsatisfiable', 'string'],
  4: ['labelSelector', labelSelector],
  5: ['minDomains', 'integer'],
  6: ['nodeAffinityPolicy', 'string'],
  7: ['nodeTaintsPolicy', 'string'],
  8: ['matchLabelKeys', 'string', 'repeated'],
};
