/**
 * Sets the defaults of a pod that the API server sets before validation. The functions don't change their arguments.
 * Upstream: pkg/apis/core/v1/defaults.go (v1.36).
 */

import type { Pod, PodSpec } from '../types.ts';
import { defaultContainer } from './container.ts';
import { defaultPodLevelResources, defaultResourceList } from './resources.ts';
import { defaultVolume } from './volume.ts';

const DEFAULT_GRACE_PERIOD_SECONDS = 30;

/** Returns the pod with all defaults of the v1 API. Idempotent. Upstream: SetObjectDefaults_Pod (core/v1, v1.36). */
export function defaultPod(pod: Pod): Pod {
  return defaultPodLevelResources({ ...pod, spec: defaultPodSpec(pod.spec) });
}

function defaultPodSpec(spec: PodSpec): PodSpec {
  const hostNetwork = spec.hostNetwork ?? false;
  // The deprecated field is an alias of the newer one.
  const serviceAccountName = spec.serviceAccountName || spec.serviceAccount;
  return {
    ...spec,
    ...(spec.volumes && { volumes: spec.volumes.map(defaultVolume) }),
    ...(spec.initContainers && {
      initContainers: spec.initContainers.map((container) => defaultContainer(container, hostNetwork)),
    }),
    containers: spec.containers.map((container) => defaultContainer(container, hostNetwork)),
    ...(spec.ephemeralContainers && {
      ephemeralContainers: spec.ephemeralContainers.map((container) => defaultContainer(container, false)),
    }),
    restartPolicy: spec.restartPolicy || 'Always',
    terminationGracePeriodSeconds: spec.terminationGracePeriodSeconds ?? DEFAULT_GRACE_PERIOD_SECONDS,
    dnsPolicy: spec.dnsPolicy || 'ClusterFirst',
    ...(serviceAccountName && { serviceAccountName }),
    securityContext: spec.securityContext ?? {},
    schedulerName: spec.schedulerName || 'default-scheduler',
    enableServiceLinks: spec.enableServiceLinks ?? true,
    ...(spec.overhead && { overhead: defaultResourceList(spec.overhead) }),
  };
}
