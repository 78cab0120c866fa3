/** Stores the sandboxes and containers of the simulated runtime, and the event stream that reports their changes. */
import type { SimulatedContainer } from './containers/container.ts';
import { Engine } from './engine/engine.ts';
import type { SimulatedNode } from './node.ts';
import type { SimulatedSandbox } from './sandboxes/sandbox.ts';
import { ContainerEvents } from './service/container-events.ts';

export class Records {
  readonly node: SimulatedNode;
  readonly events: ContainerEvents;
  readonly engine: Engine;
  /** The sandboxes by id, the newest last. */
  readonly sandboxes = new Map<string, SimulatedSandbox>();
  /** The containers by id, the newest last. */
  readonly containers = new Map<string, SimulatedContainer>();

  constructor(node: SimulatedNode) {
    this.node = node;
    this.engine = new Engine(this);
    this.events = new ContainerEvents(node.clock, (sandboxId) => ({
      podSandboxStatus: this.sandboxes.get(sandboxId)?.status(),
      containersStatuses: this.containersOf(sandboxId).map((container) => container.status()),
    }));
  }

  /** Returns the containers of a sandbox, the newest last. */
  containersOf(sandboxId: string): readonly SimulatedContainer[] {
    return [...this.containers.values()].filter((container) => container.sandbox.id === sandboxId);
  }
}
