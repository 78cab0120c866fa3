/** Runs and removes a pod with one container, with the CRI calls that a kubelet would make. */
import { randomUUID } from 'node:crypto';
import type { ContainerConfig, ContainerRuntime, PodSandboxConfig } from '@podscope/cri';
import type { Context } from '@podscope/trace';

export interface Cycle {
  /** Milliseconds from the first call until the container runs. */
  readonly start: number;
  /** Milliseconds from the first call until the pod is removed. */
  readonly removal: number;
}

const namespaceOptions = { network: 'POD', pid: 'CONTAINER', ipc: 'POD' } as const;

function sandboxConfigOf(uid: string): PodSandboxConfig {
  const name = `bench-${uid.slice(0, 8)}`;
  return {
    metadata: { name, namespace: 'podscope-bench', uid, attempt: 0 },
    hostname: name,
    labels: {
      'io.kubernetes.pod.name': name,
      'io.kubernetes.pod.namespace': 'podscope-bench',
      'io.kubernetes.pod.uid': uid,
    },
    annotations: {},
    linux: { securityContext: { namespaceOptions } },
  };
}

const containerConfigOf = (image: string, sandbox: PodSandboxConfig): ContainerConfig => ({
  metadata: { name: 'app', attempt: 0 },
  image: { image },
  command: ['sleep', '3600'],
  labels: { ...sandbox.labels, 'io.kubernetes.container.name': 'app' },
  annotations: { 'io.kubernetes.container.restartCount': '0' },
  logPath: '',
  linux: { resources: {}, securityContext: { namespaceOptions } },
});

/**
 * Runs one pod and removes it. The container is killed without a grace period, because the time that a program needs to
 * exit isn't a property of the runtime.
 */
export async function podCycle(
  ctx: Context,
  { runtime, images }: Pick<ContainerRuntime, 'runtime' | 'images'>,
  image: string,
): Promise<Cycle> {
  const sandboxConfig = sandboxConfigOf(randomUUID());
  const begin = performance.now();
  await images.imageStatus(ctx, { image: { image } });
  const { podSandboxId } = await runtime.runPodSandbox(ctx, { config: sandboxConfig });
  await runtime.podSandboxStatus(ctx, { podSandboxId });
  const { containerId } = await runtime.createContainer(ctx, {
    podSandboxId,
    config: containerConfigOf(image, sandboxConfig),
    sandboxConfig,
  });
  await runtime.startContainer(ctx, { containerId });
  const { status } = await runtime.containerStatus(ctx, { containerId });
  const running = performance.now();
  if (status.state !== 'CONTAINER_RUNNING')
    throw new Error(`the container is ${status.state}: ${status.reason} ${status.message}`);
  await runtime.stopContainer(ctx, { containerId, timeout: 0 });
  await runtime.stopPodSandbox(ctx, { podSandboxId });
  await runtime.removeContainer(ctx, { containerId });
  await runtime.removePodSandbox(ctx, { podSandboxId });
  return { start: running - begin, removal: performance.now() - running };
}
