/** Records events about containers. */
import type { Container, Pod } from '@podscope/k8s';
import type { Context } from '@podscope/trace';
import type { RuntimeDependencies } from '../runtime-dependencies.ts';

/**
 * Records an event about a container. In the message, the container's id is replaced by its name, so that the events of
 * all instances are aggregated. Upstream: recordContainerEvent (v1.36).
 */
export function containerEvent(
  ctx: Context,
  { recorder }: Pick<RuntimeDependencies, 'recorder'>,
  pod: Pod,
  container: Container,
  containerID: string,
  type: 'Normal' | 'Warning',
  reason: string,
  message: string,
): void {
  const text = containerID === '' ? message : message.replaceAll(containerID, container.name);
  recorder.event(ctx, pod, type, reason, text, container);
}
