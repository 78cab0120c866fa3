/**
 * Defines the default sandbox image of each release. Upstream: defaultSandboxImage of cri-dockerd and of dockershim
 * (v1.20).
 */

/** The default image of the pause container, by the release of the kubelet that uses the runtime. */
export const defaultSandboxImages = {
  'v1.36': 'registry.k8s.io/pause:3.10',
  'v1.20': 'k8s.gcr.io/pause:3.2',
} as const;
