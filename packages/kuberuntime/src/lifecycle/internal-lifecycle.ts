/**
 * Declares the calls to the resource managers during a container's start. Upstream: cm.InternalContainerLifecycle
 * (v1.36 and v1.20).
 */
import type { Container, EphemeralContainer, Pod } from '@podscope/k8s';
import type { Context } from '@podscope/trace';

/** The calls to the resource managers for a container. */
export interface InternalContainerLifecycle {
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
 * The calls on a node whose resource managers have the policy `none`, which is the kubelet's default. They do nothing,
 * because no assignments exist.
 */
export const noResourceManagers: InternalContainerLifecycle = {
  preStartContainer: () => Promise.resolve(),
};
