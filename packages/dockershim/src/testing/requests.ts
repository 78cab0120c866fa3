/** Builds requests for tests. */
import type { ContainerConfig, CreateContainerRequest, PodSandboxConfig } from '@podscope/cri';

const namespaceOptions = { network: 'POD', pid: 'CONTAINER', ipc: 'POD' } as const;

/** Returns the config of a pod sandbox `web` in the namespace `default`. */
export const sandboxConfig = (overrides: Partial<PodSandboxConfig> = {}): PodSandboxConfig => ({
  metadata: { name: 'web', namespace: 'default', uid: 'uid-1', attempt: 0 },
  hostname: 'web',
  logDirectory: '/var/log/pods/web',
  labels: { app: 'web' },
  annotations: {},
  linux: { securityContext: { namespaceOptions } },
  ...overrides,
});

/** Returns the request that creates a container `app` in the sandbox of {@link sandboxConfig}. */
export const containerRequest = (
  podSandboxId: string,
  overrides: Partial<ContainerConfig> = {},
  sandbox: PodSandboxConfig = sandboxConfig(),
): CreateContainerRequest => ({
  podSandboxId,
  sandboxConfig: sandbox,
  config: {
    metadata: { name: 'app', attempt: 0 },
    image: { image: 'busybox:1.36' },
    command: ['sleep', '3600'],
    labels: { 'io.kubernetes.container.name': 'app' },
    annotations: {},
    logPath: 'app/0.log',
    linux: { securityContext: { namespaceOptions } },
    ...overrides,
  },
});
