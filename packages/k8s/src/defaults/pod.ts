/** What the API server fills in on a pod before validating it. All pure: a new object comes out. */

import type { Pod, PodSpec } from '../types.ts';
import { defaultContainer } from './container.ts';
import { defaultPodLevelResources, defaultResourceList } from './resources.ts';
import { defaultVolume } from './volume.ts';

const DEFAULT_GRACE_PERIOD_SECONDS = 30;

/**
 * The pod with every default of the v1 API. Running it twice changes nothing more.
 * Upstream: SetObjectDefaults_Pod (core/v1, v1.36).
 */
export function defaultPod(pod: Pod): Pod {
  return defaultPodLevelResources({ ...pod, spec: defaultPodSpec(pod.spec) });
}

function defaultPodSpec(spec: PodSpec): PodSpec {
  const hostNetwork = spec.hostNetwork ?? false;
  // The older field stands in for the newer one.
  const serviceAccountName = spec.serviceAccountName || spec.serviceAccount;
  return {
    ...spec,
    ...(spec.volumes && { volumes: spec.volumes.map(defaultVolume) }),
    ...(spec.initContainers && { initContainers: spec.initContainers.map((container) => defaultContainer(container, hostNetwork)) }),
    containers: spec.containers.map((container) => defaultContainer(container, hostNetwork)),
    ...(spec.ephemeralContainers && { ephemeralContainers: spec.ephemeralContainers.map((container) => defaultContainer(container, false)) }),
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
