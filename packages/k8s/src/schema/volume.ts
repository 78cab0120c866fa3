/**
 * Defines the schema of a volume. For a kind that needs a storage provider, the schema contains only the name.
 * Upstream: core/v1 Volume.
 */

import { fieldRef, resourceFieldRef } from './container.ts';
import { labelSelector } from './meta.ts';
import { any, boolean, int32, int64, list, map, object, oneOf, quantity, type Schema, string } from './schema.ts';

const keyToPath = object({ key: string, path: string, mode: int32 }, 'key', 'path');
const downwardFile = object({ path: string, fieldRef, resourceFieldRef, mode: int32 }, 'path');

const projection = object({
  secret: object({ name: string, items: list(keyToPath), optional: boolean }),
  configMap: object({ name: string, items: list(keyToPath), optional: boolean }),
  downwardAPI: object({ items: list(downwardFile) }),
  serviceAccountToken: object({ audience: string, expirationSeconds: int64, path: string }, 'path'),
  clusterTrustBundle: object({ name: string, signerName: string, labelSelector, optional: boolean, path: string }),
  podCertificate: any,
});

/** The kinds of volumes that only a storage provider can mount. */
export const foreignVolumeKinds = [
  'awsElasticBlockStore',
  'azureDisk',
  'azureFile',
  'cephfs',
  'cinder',
  'fc',
  'flexVolume',
  'flocker',
  'gcePersistentDisk',
  'gitRepo',
  'glusterfs',
  'iscsi',
  'photonPersistentDisk',
  'portworxVolume',
  'quobyte',
  'rbd',
  'scaleIO',
  'storageos',
  'vsphereVolume',
] as const;

const foreign: Readonly<Record<string, Schema>> = Object.fromEntries(
  foreignVolumeKinds.map((kind) => [kind, map(any)]),
);

export const volume = object(
  {
    name: string,
    emptyDir: object({ medium: oneOf('', 'Memory', 'HugePages'), sizeLimit: quantity }),
    hostPath: object(
      {
        path: string,
        type: oneOf(
          '',
          'DirectoryOrCreate',
          'Directory',
          'FileOrCreate',
          'File',
          'Socket',
          'CharDevice',
          'BlockDevice',
        ),
      },
      'path',
    ),
    configMap: object({ name: string, items: list(keyToPath), defaultMode: int32, optional: boolean }),
    secret: object({ secretName: string, items: list(keyToPath), defaultMode: int32, optional: boolean }),
    downwardAPI: object({ items: list(downwardFile), defaultMode: int32 }),
    projected: object({ sources: list(projection), defaultMode: int32 }),
    image: object({ reference: string, pullPolicy: oneOf('Always', 'IfNotPresent', 'Never') }),
    persistentVolumeClaim: object({ claimName: string, readOnly: boolean }, 'claimName'),
    nfs: object({ server: string, path: string, readOnly: boolean }, 'server', 'path'),
    csi: object({
      driver: string,
      readOnly: boolean,
      fsType: string,
      volumeAttributes: map(string),
      nodePublishSecretRef: object({ name: string }),
    }),
    ephemeral: object({ volumeClaimTemplate: any }),
    ...foreign,
  },
  'name',
);
