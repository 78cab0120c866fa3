/**
 * Declares the calls to the resource managers during a container's start. Upstream: cm.InternalContainerLifecycle
 * (v1.36 and v1.20).
 */
import type { ContainerConfig } from '@podscope/cri';
import type { Container, EphemeralContainer, Pod } from '@podscope/k8s';
import type { Context } from '@podscope/trace';

/** The calls to the resource managers for a container. */
export interface InternalContainerLifecycle {
  /**
   * Returns the configuration with the CPUs and NUMA nodes that the CPU and memory managers have assigned to the
   * container. Called before the container is created, in v1.36.
   * @throws Error when a manager can't read its assignment; the container isn't created then
   */
  preCreateContainer(
    ctx: Context,
    pod: Pod,
    container: Container | EphemeralContainer,
    config: ContainerConfig,
  ): Promise<ContainerConfig>;
  /**
   * Registers a created container with the CPU, memory and topology managers. Called before the container is started.
   * @throws Error when a manager can't apply its assignment; the container isn't started then
   */
  preStartContainer(
    ctx: Context,
    pod: Pod,
    container: Container | EphemeralContainer,
    containerID: string,
  ): Promise<void>;
}

/**
 * The calls on a node whose resource managers have the policy `none`, which is the kubelet's default. They change
 * nothing, because no assignments exist.
 */
export const noResourceManagers: InternalContainerLifecycle = {
  preCreateContainer: (_ctx, _pod, _container, config) => Promise.resolve(config),
  preStartContainer: () => Promise.resolve(),
};
