/**
 * Defines the protobuf messages of volumes. The table includes volume types that need a storage provider, so that the
 * server can name the type when it rejects such a volume. Upstream: core/v1 generated.proto.
 */
import { labelSelector } from './meta.ts';
import type { MessageType } from './read-message.ts';

export const localObjectReference: MessageType = { 1: ['name', 'string'] };
export const fieldRef: MessageType = { 1: ['apiVersion', 'string'], 2: ['fieldPath', 'string'] };
export const resourceFieldRef: MessageType = {
  1: ['containerName', 'string'],
  2: ['resource', 'string'],
  3: ['divisor', 'quantity'],
};

const keyToPath: MessageType = { 1: ['key', 'string'], 2: ['path', 'string'], 3: ['mode', 'integer'] };
const downwardFile: MessageType = {
  1: ['path', 'string'],
  2: ['fieldRef', fieldRef],
  3: ['resourceFieldRef', resourceFieldRef],
  4: ['mode', 'integer'],
};

/** The fields of a projected config map or secret. */
const keysProjection: MessageType = {
  1: ['', localObjectReference, 'inline'],
  2: ['items', keyToPath, 'repeated'],
  4: ['optional', 'boolean'],
};

const projection: MessageType = {
  1: ['secret', keysProjection],
  2: ['downwardAPI', { 1: ['items', downwardFile, 'repeated'] }],
  3: ['configMap', keysProjection],
  4: ['serviceAccountToken', { 1: ['audience', 'string'], 2: ['expirationSeconds', 'integer'], 3: ['path', 'string'] }],
  5: [
    'clusterTrustBundle',
    {
      1: ['name', 'string'],
      2: ['signerName', 'string'],
      3: ['labelSelector', labelSelector],
      4: ['path', 'string'],
      5: ['optional', 'boolean'],
    },
  ],
};

const foreignKinds: Readonly<Record<number, string>> = {
  3: 'gcePersistentDisk',
  4: 'awsElasticBlockStore',
  5: 'gitRepo',
  8: 'iscsi',
  9: 'glusterfs',
  11: 'rbd',
  12: 'flexVolume',
  13: 'cinder',
  14: 'cephfs',
  15: 'flocker',
  17: 'fc',
  18: 'azureFile',
  20: 'vsphereVolume',
  21: 'quobyte',
  22: 'azureDisk',
  23: 'photonPersistentDisk',
  24: 'portworxVolume',
  25: 'scaleIO',
  27: 'storageos',
  29: 'ephemeral',
};

const volumeSource: MessageType = {
  ...Object.fromEntries(Object.entries(foreignKinds).map(([number, name]) => [number, [name, {}] as const])),
  1: ['hostPath', { 1: ['path', 'string'], 2: ['type', 'string'] }],
  2: ['emptyDir', { 1: ['medium', 'string'], 2: ['sizeLimit', 'quantity'] }],
  6: [
    'secret',
    {
      1: ['secretName', 'string'],
      2: ['items', keyToPath, 'repeated'],
      3: ['defaultMode', 'integer'],
      4: ['optional', 'boolean'],
    },
  ],
  7: ['nfs', { 1: ['server', 'string'], 2: ['path', 'string'], 3: ['readOnly', 'flag'] }],
  10: ['persistentVolumeClaim', { 1: ['claimName', 'string'], 2: ['readOnly', 'flag'] }],
  16: ['downwardAPI', { 1: ['items', downwardFile, 'repeated'], 2: ['defaultMode', 'integer'] }],
  19: [
    'configMap',
    {
      1: ['', localObjectReference, 'inline'],
      2: ['items', keyToPath, 'repeated'],
      3: ['defaultMode', 'integer'],
      4: ['optional', 'boolean'],
    },
  ],
  26: ['projected', { 1: ['sources', projection, 'repeated'], 2: ['defaultMode', 'integer'] }],
  28: [
    'csi',
    {
      1: ['driver', 'string'],
      2: ['readOnly', 'boolean'],
      3: ['fsType', 'string'],
      4: ['volumeAttributes', 'stringMap'],
      5: ['nodePublishSecretRef', localObjectReference],
    },
  ],
  30: ['image', { 1: ['reference', 'string'], 2: ['pullPolicy', 'string'] }],
};

export const volume: MessageType = { 1: ['name', 'string'], 2: ['', volumeSource, 'inline'] };
