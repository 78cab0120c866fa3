/** Derives the events that happened between two lists of the engine's containers. */
import type { ContainerEventType } from '@podscope/cri';

/** The stage in the life of a container. */
export type LifeStage = 'created' | 'running' | 'exited';

/** The state of one container. */
export interface SnapshotEntry {
  readonly stage: LifeStage;
  readonly sandboxId: string;
}

/** The states of this instance's containers, by id. */
type Snapshot = ReadonlyMap<string, SnapshotEntry>;

/** An event that was derived from two lists. */
export interface MissedEvent {
  readonly id: string;
  readonly sandboxId: string;
  readonly type: ContainerEventType;
}

const pathTo: Readonly<Record<LifeStage, readonly ContainerEventType[]>> = {
  created: ['CONTAINER_CREATED_EVENT'],
  running: ['CONTAINER_CREATED_EVENT', 'CONTAINER_STARTED_EVENT'],
  exited: ['CONTAINER_CREATED_EVENT', 'CONTAINER_STARTED_EVENT', 'CONTAINER_STOPPED_EVENT'],
};

/** Returns events that lead from the first snapshot to the second one, in an order in which they can have happened. */
export function missedEvents(before: Snapshot, after: Snapshot): MissedEvent[] {
  const events: MissedEvent[] = [];
  for (const [id, { stage, sandboxId }] of after) {
    const known = before.get(id)?.stage;
    const path = pathTo[stage];
    const missed =
      known === undefined ? path : known === stage ? [] : path.slice(Math.min(pathTo[known].length, path.length - 1));
    events.push(...missed.map((type) => ({ id, sandboxId, type })));
  }
  for (const [id, { sandboxId }] of before) {
    if (!after.has(id)) events.push({ id, sandboxId, type: 'CONTAINER_DELETED_EVENT' });
  }
  return events;
}
