/**
 * Defines the protobuf message of a pod without its status, which clients don't send. Upstream: core/v1
 * generated.proto.
 */
import { affinity, topologySpreadConstraint } from './affinity.ts';
import {
  container,
  ephemeralContainer,
  resourceRequirements,
  securityProfile,
  seLinuxOptions,
  windowsOptions,
} from './container.ts';
import { objectMeta } from './meta.ts';
import type { MessageType } from './read-message.ts';
import { localObjectReference, volume } from './volume.ts';

const podSecurityContext: MessageType = {
  1: ['seLinuxOptions', seLinuxOptions],
  2: ['runAsUser', 'integer'],
  3: ['runAsNonRoot', 'boolean'],
  4: ['supplementalGroups', 'integer', 'repeated'],
  5: ['fsGroup', 'integer'],
  6: ['runAsGroup', 'integer'],
  7: ['sysctls', { 1: ['name', 'string'], 2: ['value', 'string'] }, 'repeated'],
  8: ['windowsOptions', windowsOptions],
  9: ['fsGroupChangePolicy', 'string'],
  10: ['seccompProfile', securityProfile],
  11: ['appArmorProfile', securityProfile],
  12: ['supplementalGroupsPolicy', 'string'],
  13: ['seLinuxChangePolicy', 'string'],
};

const toleration: MessageType = {
  1: ['key', 'string'],
  2: ['operator', 'string'],
  3: ['value', 'string'],
  4: ['effect', 'string'],
  5: ['tolerationSeconds', 'integer'],
};

const dnsConfig: MessageType = {
  1: ['nameservers', 'string', 'repeated'],
  2: ['searches', 'string', 'repeated'],
  3: ['options', { 1: ['name', 'string'], 2: ['value', 'string'] }, 'repeated'],
};

const podSpec: MessageType = {
  1: ['volumes', volume, 'repeated'],
  2: ['containers', container, 'repeated'],
  3: ['restartPolicy', 'string'],
  4: ['terminationGracePeriodSeconds', 'integer'],
  5: ['activeDeadlineSeconds', 'integer'],
  6: ['dnsPolicy', 'string'],
  7: ['nodeSelector', 'stringMap'],
  8: ['serviceAccountName', 'string'],
  9: ['serviceAccount', 'string'],
  10: ['nodeName', 'string'],
  11: ['hostNetwork', 'flag'],
  12: ['hostPID', 'flag'],
  13: ['hostIPC', 'flag'],
  14: ['securityContext', podSecurityContext],
  15: ['imagePullSecrets', localObjectReference, 'repeated'],
  16: ['hostname', 'string'],
  17: ['subdomain', 'string'],
  18: ['affinity', affinity],
  19: ['schedulerName', 'string'],
  20: ['initContainers', container, 'repeated'],
  21: ['automountServiceAccountToken', 'boolean'],
  22: ['tolerations', toleration, 'repeated'],
  23: ['hostAliases', { 1: ['ip', 'string'], 2: ['hostnames', 'string', 'repeated'] }, 'repeated'],
  24: ['priorityClassName', 'string'],
  25: ['priority', 'integer'],
  26: ['dnsConfig', dnsConfig],
  27: ['shareProcessNamespace', 'boolean'],
  28: ['readinessGates', { 1: ['conditionType', 'string'] }, 'repeated'],
  29: ['runtimeClassName', 'string'],
  30: ['enableServiceLinks', 'boolean'],
  31: ['preemptionPolicy', 'string'],
  32: ['overhead', 'quantityMap'],
  33: ['topologySpreadConstraints', topologySpreadConstraint, 'repeated'],
  34: ['ephemeralContainers', ephemeralContainer, 'repeated'],
  35: ['setHostnameAsFQDN', 'boolean'],
  36: ['os', { 1: ['name', 'string'] }],
  37: ['hostUsers', 'boolean'],
  38: ['schedulingGates', { 1: ['name', 'string'] }, 'repeated'],
  39: [
    'resourceClaims',
    { 1: ['name', 'string'], 3: ['resourceClaimName', 'string'], 4: ['resourceClaimTemplateName', 'string'] },
    'repeated',
  ],
  40: ['resources', resourceRequirements],
};

export const pod: MessageType = { 1: ['metadata', objectMeta], 2: ['spec', podSpec] };
