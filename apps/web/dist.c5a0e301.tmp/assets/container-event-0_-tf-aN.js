var e=`/** Events about containers. */
import type { Container, Pod } from '@podscope/k8s';
import type { Context } from '@podscope/trace';
import type { RuntimeParts } from '../runtime-parts.ts';

/**
 * Records an event about a container. An id in its text gives way to the name, so that events of instances can be counted together.
 * Upstream: recordContainerEvent (v1.36).
 */
export function containerEvent(
  ctx: Context,
  { recorder }: Pick<RuntimeParts, 'recorder'>,
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
`;export{e as default};
//# sourceMappingURL=container-event-0_-tf-aN.js.map