/**
 * Finds references to API objects. A static pod must not have such references, because it runs without an API server.
 */
import { type Pod, type VolumeProjection, visitContainers } from '@podscope/k8s';

/** The kind of API object that each volume type needs. Other volume types need no object. */
const volumeKinds: Readonly<Record<string, string>> = {
  csi: 'csidrivers (via CSI volumes)',
  glusterfs: 'endpoints (via glusterFS volumes)',
  persistentVolumeClaim: 'persistentvolumeclaims',
  ephemeral: 'persistentvolumeclaims (via ephemeral volumes)',
};

function ofProjection({
  serviceAccountToken,
  clusterTrustBundle,
  podCertificate,
}: VolumeProjection): string | undefined {
  if (serviceAccountToken) return 'serviceaccounts (via projected volumes)';
  if (clusterTrustBundle) return 'clustertrustbundles';
  return podCertificate === undefined ? undefined : 'podcertificates';
}

/**
 * Returns `secrets` or `configmaps` if the pod refers to an object of that kind by name. Upstream: VisitPodSecretNames
 * and VisitPodConfigmapNames (v1.36).
 */
function ofNames({ spec }: Pod): string | undefined {
  const { imagePullSecrets = [], volumes = [] } = spec;
  const containers = [...visitContainers(spec)].map(({ container }) => container);
  const env = containers.flatMap((container) => container.env ?? []);
  const envFrom = containers.flatMap((container) => container.envFrom ?? []);
  const files = [
    ...volumes.map(({ secret, configMap }) => ({ secret, configMap })),
    ...volumes.flatMap(({ projected }) => projected?.sources ?? []),
  ];
  const namesSecret =
    imagePullSecrets.length > 0 ||
    env.some(({ valueFrom }) => valueFrom?.secretKeyRef) ||
    envFrom.some(({ secretRef }) => secretRef) ||
    files.some(({ secret }) => secret) ||
    volumes.some((volume) => volume['azureFile'] !== undefined);
  if (namesSecret) return 'secrets';
  const namesConfigMap =
    env.some(({ valueFrom }) => valueFrom?.configMapKeyRef) ||
    envFrom.some(({ configMapRef }) => configMapRef) ||
    files.some(({ configMap }) => configMap);
  return namesConfigMap ? 'configmaps' : undefined;
}

/**
 * Returns the first kind of API object to which a pod refers, or undefined. Upstream: HasAPIObjectReference
 * (pkg/api/pod, v1.36).
 */
export function apiReference(pod: Pod): string | undefined {
  const { serviceAccountName, resourceClaims = [], volumes = [] } = pod.spec;
  if (serviceAccountName) return 'serviceaccounts';
  const named = ofNames(pod);
  if (named !== undefined) return named;
  if (resourceClaims.length > 0) return 'resourceclaims';
  for (const volume of volumes) {
    const kind = Object.keys(volumeKinds).find((each) => volume[each] !== undefined);
    if (kind !== undefined) return volumeKinds[kind];
    const projected = volume.projected?.sources?.map(ofProjection).find((reference) => reference !== undefined);
    if (projected !== undefined) return projected;
  }
  return undefined;
}
