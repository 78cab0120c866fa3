/** Emits a `runtimeStateChanged` event for each change of a container or sandbox, with its times and exit code. */
import { findContainerStatusByName, type PodStatus, type Status } from '@podscope/kuberuntime';
import { type Context, type EventPayload, fromNanoseconds } from '@podscope/trace';
import type { ContainerChange } from './pod-changes.ts';

type RuntimeStateChanged = Extract<EventPayload, { type: 'runtimeStateChanged' }>;
export type ContainerType = RuntimeStateChanged['containerType'];

/** Returns the type of a pod's container by name; undefined for an unknown pod. */
export type ContainerTypeLookup = (uid: string, name: string) => ContainerType;

function sandboxChange({ record, from, to }: ContainerChange, podStatus: PodStatus): RuntimeStateChanged {
  const status = podStatus.sandboxStatuses.find(({ id }) => id === record.id.id);
  const ip = to === 'running' ? status?.network?.ip || undefined : undefined;
  const createdAt = status ? fromNanoseconds(status.createdAt) : record.createdAt;
  return {
    type: 'runtimeStateChanged',
    object: 'sandbox',
    id: record.id.id,
    name: 'POD',
    attempt: status?.metadata.attempt ?? 0,
    from,
    to,
    createdAt,
    ip,
  };
}

const ended = ({ finishedAt, exitCode, reason, message }: Status): Partial<RuntimeStateChanged> => ({
  finishedAt,
  exitCode,
  reason: reason || undefined,
  message: message || undefined,
});

function containerChange(
  { record, from, to }: ContainerChange,
  podStatus: PodStatus,
  containerType: ContainerType,
): RuntimeStateChanged {
  const status = podStatus.containerStatuses.find(({ id }) => id.id === record.id.id);
  return {
    type: 'runtimeStateChanged',
    object: 'container',
    id: record.id.id,
    name: record.name,
    attempt: (status ?? findContainerStatusByName(podStatus, record.name))?.restartCount ?? 0,
    containerType,
    from,
    to,
    createdAt: record.createdAt,
    startedAt: status?.startedAt,
    ...(status?.state === 'exited' && to !== 'running' ? ended(status) : {}),
    image: status?.image ?? record.image,
  };
}

/**
 * Emits one change.
 * @param podStatus the status that was read after the change; for a removed pod its last status
 */
export function emitRuntimeStateChange(
  ctx: Context,
  change: ContainerChange,
  podStatus: PodStatus,
  containerType: ContainerType,
): void {
  ctx.tracer.emit(
    ctx,
    change.object === 'sandbox' ? sandboxChange(change, podStatus) : containerChange(change, podStatus, containerType),
  );
}
