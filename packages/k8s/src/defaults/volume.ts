/** Sets the API server's defaults of a volume. Upstream: pkg/apis/core/v1/defaults.go (v1.36). */

import type { DownwardAPIVolumeFile, Volume, VolumeProjection } from '../types.ts';
import { defaultFieldRef, defaultPullPolicy, defaultResourceFieldRef } from './container.ts';

/** The default mode of files in config map, secret and downward API volumes: `0644`. */
const DEFAULT_MODE = 0o644;
const TOKEN_EXPIRATION_SECONDS = 3600;

/**
 * Returns the volume with all defaults. Upstream: SetDefaults_Volume and the defaults of the sources (core/v1, v1.36).
 */
export function defaultVolume(volume: Volume): Volume {
  const { name: _name, ...sources } = volume;
  if (Object.keys(sources).length === 0) return { ...volume, emptyDir: {} };
  const { emptyDir, hostPath, configMap, secret, downwardAPI, projected, image } = volume;
  return {
    ...volume,
    ...(emptyDir && {
      emptyDir: { ...emptyDir, ...(emptyDir.sizeLimit !== undefined && { sizeLimit: String(emptyDir.sizeLimit) }) },
    }),
    ...(hostPath && { hostPath: { ...hostPath, type: hostPath.type ?? '' } }),
    ...(configMap && { configMap: { ...configMap, defaultMode: configMap.defaultMode ?? DEFAULT_MODE } }),
    ...(secret && { secret: { ...secret, defaultMode: secret.defaultMode ?? DEFAULT_MODE } }),
    ...(downwardAPI && {
      downwardAPI: {
        ...downwardAPI,
        ...defaultItems(downwardAPI.items),
        defaultMode: downwardAPI.defaultMode ?? DEFAULT_MODE,
      },
    }),
    ...(projected && {
      projected: {
        ...projected,
        ...(projected.sources && { sources: projected.sources.map(defaultProjection) }),
        defaultMode: projected.defaultMode ?? DEFAULT_MODE,
      },
    }),
    ...(image && { image: { ...image, pullPolicy: image.pullPolicy || defaultPullPolicy(image.reference ?? '') } }),
  };
}

function defaultProjection(projection: VolumeProjection): VolumeProjection {
  const { downwardAPI, serviceAccountToken } = projection;
  return {
    ...projection,
    ...(downwardAPI && { downwardAPI: { ...downwardAPI, ...defaultItems(downwardAPI.items) } }),
    ...(serviceAccountToken && {
      serviceAccountToken: {
        ...serviceAccountToken,
        expirationSeconds: serviceAccountToken.expirationSeconds ?? TOKEN_EXPIRATION_SECONDS,
      },
    }),
  };
}

function defaultItems(items: readonly DownwardAPIVolumeFile[] | undefined): {
  items?: readonly DownwardAPIVolumeFile[];
} {
  if (!items) return {};
  return {
    items: items.map((item) => ({
      ...item,
      ...(item.fieldRef && { fieldRef: defaultFieldRef(item.fieldRef) }),
      ...(item.resourceFieldRef && { resourceFieldRef: defaultResourceFieldRef(item.resourceFieldRef) }),
    })),
  };
}
