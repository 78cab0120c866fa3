/** Reads the messages of GetContainerEvents. Upstream: EventedPLEG, ContainerEventResponse (v1.36). */
import { criTimeAt, type EventPayload } from '@podscope/trace';
import type { CallMessage } from '../inputs.ts';
import { listAt, numberAt, objectAt, textAt } from './fields.ts';
import type { KnownObject } from './registry.ts';

/** An event that the runtime reports about a container or a sandbox. */
export interface ContainerEvent {
  /** For example, `CONTAINER_STOPPED_EVENT`. */
  readonly type: string;
  /** The id of the container, or of the sandbox for an event about a sandbox. */
  readonly id: string;
  readonly isDeletion: boolean;
  /** The status of the sandbox, and those of the containers in it. */
  readonly sandbox: CallMessage | undefined;
  readonly containers: readonly CallMessage[];
}

/** Returns the event in a message. */
export function readContainerEvent(message: CallMessage): ContainerEvent {
  const type = textAt(message, 'containerEventType');
  return {
    type,
    id: textAt(message, 'containerId'),
    isDeletion: type === 'CONTAINER_DELETED_EVENT',
    sandbox: objectAt(message, 'podSandboxStatus'),
    containers: listAt(message, 'containersStatuses'),
  };
}

type StateChange = Extract<EventPayload, { type: 'runtimeStateChanged' }>;

const states: Readonly<Record<string, StateChange['to'] | undefined>> = {
  CONTAINER_CREATED: 'created',
  CONTAINER_RUNNING: 'running',
  CONTAINER_EXITED: 'exited',
  SANDBOX_READY: 'running',
  SANDBOX_NOTREADY: 'exited',
};

/** Returns the state of the object that an event is about, as an event of the log. */
export function stateChangeOf(event: ContainerEvent, { name, attempt }: KnownObject): StateChange {
  const { id, sandbox, containers, isDeletion } = event;
  const status = [sandbox, ...containers].find((each) => textAt(each, 'id') === id);
  const to = isDeletion ? 'nonexistent' : (states[textAt(status, 'state')] ?? 'unknown');
  const reason = textAt(status, 'reason');
  const message = textAt(status, 'message');
  return {
    type: 'runtimeStateChanged',
    object: name === 'POD' ? 'sandbox' : 'container',
    id,
    name,
    attempt,
    from: 'unknown',
    to,
    createdAt: criTimeAt(status, 'createdAt'),
    startedAt: criTimeAt(status, 'startedAt'),
    ...(to === 'exited' && name !== 'POD'
      ? { finishedAt: criTimeAt(status, 'finishedAt'), exitCode: numberAt(status, 'exitCode') }
      : {}),
    ...(reason === '' ? {} : { reason }),
    ...(message === '' ? {} : { message }),
    image: textAt(status, 'image', 'userSpecifiedImage') || textAt(status, 'image', 'image') || undefined,
    ip: textAt(status, 'network', 'ip') || undefined,
  };
}
