/**
 * Defines the hooks of the resource managers around a container's start. Upstream: cm.InternalContainerLifecycle (v1.36
 * and v1.20).
 */
import type { Container, EphemeralContainer, Pod } from '@podscope/k8s';
import type { Context } from '@podscope/trace';

/** The internal lifecycle hooks of containers. */
export interface InternalContainerLifecycle {
  /**
   * Registers a created container with the CPU, memory and topology managers, before it is started.
   * @throws Error when a manager can't apply its assignment; the container isn't started then
   */
  preStartContainer(
    ctx: Context,
    pod: Pod,
    container: Container | EphemeralContainer,
    containerID: string,
  ): Promise<void>;
}

/** The hooks of a node whose resource managers have the policy `none`, the kubelet's default: no assignment exists. */
export const noResourceManagers: InternalContainerLifecycle = {
  preStartContainer: () => Promise.resolve(),
};
