/**
 * Computes whether a running container needs new resources and whether applying them restarts it. Upstream:
 * computePodResizeAction (v1.36).
 */
import type { Container, Pod } from '@podscope/k8s';
import type { Context } from '@podscope/trace';
import { desiredAndActuated } from '../resize/actuated-resources.ts';
import { type ResourceNumbers, sameNumbers } from '../resize/container-resources.ts';
import type { Status } from '../runtime.ts';
import type { ComputeEnvironment } from './environment.ts';
import { addContainerToKill, type PodActionsDraft, type ResizedResource } from './pod-actions.ts';

interface Change {
  readonly resource: ResizedResource;
  readonly value: keyof ResourceNumbers;
}

/**
 * Limits are listed before requests. If both change, the change of the limit decides whether the update is an increase.
 */
const changes: readonly Change[] = [
  { resource: 'memory', value: 'memoryLimit' },
  { resource: 'memory', value: 'memoryRequest' },
  { resource: 'cpu', value: 'cpuLimit' },
  { resource: 'cpu', value: 'cpuRequest' },
];

const restartsOn = ({ resizePolicy }: Container, resource: ResizedResource): boolean =>
  resizePolicy?.find(({ resourceName }) => resourceName === resource)?.restartPolicy === 'RestartContainer';

/**
 * Returns true if the container keeps running, with or without a resize; false if the resize restarts the container.
 * @param index the container's index in its list of the spec
 */
export function computePodResizeAction(
  ctx: Context,
  env: ComputeEnvironment,
  pod: Pod,
  container: Container,
  index: number,
  isInit: boolean,
  status: Status,
  actions: PodActionsDraft,
): boolean {
  if (!env.gates.InPlacePodVerticalScaling || status.state !== 'running') return true;
  const { desired, current } = desiredAndActuated(env, pod, container);
  const same = sameNumbers(desired, current);
  const differing = same ? [] : changes.filter(({ value }) => desired[value] !== current[value]);
  const restart = differing.some(({ resource }) => restartsOn(container, resource));
  const outcome = same
    ? 'its resources are as last applied'
    : restart
      ? 'restart it to resize it'
      : 'resize it while it runs';
  ctx.tracer.decide(
    ctx,
    'computePodActions.resize',
    () => ({ container: container.name, desired, current, resizePolicy: container.resizePolicy }),
    outcome,
    !same,
  );
  if (same) return true;
  if (restart) {
    addContainerToKill(actions, status, container, `Container ${container.name} resize requires restart`, '');
    (isInit ? actions.initContainersToStart : actions.containersToStart).push(index);
    actions.updatePodResources = true;
    return false;
  }
  for (const resource of ['memory', 'cpu'] as const) {
    const first = differing.find((change) => change.resource === resource);
    if (!first) continue;
    const update = { id: status.id, container, desired, current };
    const updates = (actions.containersToUpdate ??= { cpu: [], memory: [] })[resource];
    if (desired[first.value] > current[first.value]) updates.push(update);
    else updates.unshift(update);
  }
  return true;
}
