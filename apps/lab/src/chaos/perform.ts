/** Performs the acts of a schedule on a node. */
import type { FaultSpec } from '@podscope/protocol';
import type { ChaosNode } from './chaos-node.ts';
import type { Act, ActKind } from './schedule.ts';
import { manifestOf, type ShapeName } from './shapes.ts';

const namespace = 'default';
const image = 'busybox:1.36';
const otherImage = 'busybox:1.35';

/** Performs acts, and tracks active faults and expected pods. */
export class Performer {
  /** Number of acts performed, by kind. */
  readonly done = new Map<ActKind, number>();
  /** Pods that were created and not deleted since, with their shapes. */
  readonly wanted = new Map<string, { readonly uid: string; readonly shape: ShapeName }>();
  readonly #node: ChaosNode;
  readonly #faults = new Map<number, FaultSpec>();
  #lastFault = 0;

  constructor(node: ChaosNode) {
    this.#node = node;
  }

  /** Performs one act. An act that the API would refuse to a client isn't a failure. */
  async perform(act: Act): Promise<void> {
    if (await this.#perform(act)) this.done.set(act.kind, (this.done.get(act.kind) ?? 0) + 1);
  }

  /** Ends all faults. */
  calm(): void {
    this.#faults.clear();
    this.#setFaults();
    this.#node.nodeHost.debugger.runner.release();
    this.#node.simulator.setNetworkReady(true);
    this.#node.simulator.addImage(image);
  }

  /** Performs one act without counting it. @returns whether the act had a target */
  async #perform(act: Act): Promise<boolean> {
    const { simulator, clock } = this.#node;
    switch (act.kind) {
      case 'create':
        return this.#create(act.pod, act.shape);
      case 'edit':
        return this.#edit(act.pod, act.change);
      case 'delete':
        return this.#delete(act.pod, act.gracePeriodSeconds);
      case 'error':
      case 'lost answer':
      case 'delay':
      case 'hang':
      case 'pleg drop':
      case 'pleg duplicate':
        this.#fault(act.fault, act.lasts);
        return true;
      case 'runtime away':
        this.#fault({ at: 'cri.*', fail: { grpc: 'Unavailable', message: 'connection refused' } }, act.lasts);
        return true;
      case 'kill container':
        return this.#killContainer(act.which, act.code);
      case 'kill sandbox':
        return this.#killSandbox(act.which);
      case 'no network':
        simulator.setNetworkReady(false);
        clock.schedule(act.lasts, () => simulator.setNetworkReady(true));
        return true;
      case 'image gone':
        simulator.removeImage(image);
        clock.schedule(act.lasts, () => simulator.addImage(image));
        return true;
      case 'clock jump':
        clock.jump(act.by);
        return true;
      case 'machine reboot':
        await simulator.restartNode({ containersGone: act.containersGone });
        return true;
      case 'server restart':
        await this.#node.stop();
        await this.#node.start();
        this.#setFaults();
        return true;
      default:
        return act satisfies never;
    }
  }

  async #create(pod: string, shape: ShapeName): Promise<boolean> {
    const { nodeHost } = this.#node;
    if (nodeHost.api.storage.get('Pod', namespace, pod)) return false;
    const { applied, errors } = await nodeHost.commands.apply(manifestOf(pod, shape));
    const [made] = applied;
    if (!made || errors.length > 0)
      throw new Error(`the manifest of ${shape} is refused: ${errors.map(({ message }) => message).join('; ')}`);
    this.wanted.set(pod, { uid: nodeHost.api.storage.mustGet('Pod', namespace, pod).metadata.uid, shape });
    return true;
  }

  #edit(name: string, change: 'image' | 'labels' | 'resources' | 'debug'): boolean {
    const { registry, storage } = this.#node.nodeHost.api;
    const current = storage.get('Pod', namespace, name);
    if (!current || current.metadata.deletionTimestamp !== undefined) return false;
    const own = current.spec.containers[0];
    if (!own || (change === 'image' && own.image !== image)) return false;
    switch (change) {
      case 'image':
        registry.update('Pod', namespace, name, (pod) => ({
          ...pod,
          spec: {
            ...pod.spec,
            containers: pod.spec.containers.map((each) =>
              each.name === own.name ? { ...each, image: otherImage } : each,
            ),
          },
        }));
        return true;
      case 'labels':
        registry.update('Pod', namespace, name, (pod) => ({
          ...pod,
          metadata: { ...pod.metadata, labels: { ...pod.metadata.labels, edited: 'yes' } },
        }));
        return true;
      case 'resources':
        if (current.status?.phase !== 'Running') return false;
        registry.update(
          'Pod',
          namespace,
          name,
          (pod) => ({
            ...pod,
            metadata: { ...pod.metadata, annotations: { ...pod.metadata.annotations, resized: 'no' } },
          }),
          { subresource: 'resize' },
        );
        return true;
      case 'debug':
        registry.update(
          'Pod',
          namespace,
          name,
          (pod) => ({
            ...pod,
            spec: {
              ...pod.spec,
              ephemeralContainers: [
                ...(pod.spec.ephemeralContainers ?? []),
                { name: `debug-${pod.spec.ephemeralContainers?.length ?? 0}`, image, command: ['sleep', '20'] },
              ],
            },
          }),
          { subresource: 'ephemeralcontainers' },
        );
        return true;
      default:
        return change satisfies never;
    }
  }

  async #delete(pod: string, gracePeriodSeconds: number | undefined): Promise<boolean> {
    const { nodeHost } = this.#node;
    if (!nodeHost.api.storage.get('Pod', namespace, pod)) return false;
    await nodeHost.commands.deletePod(namespace, pod, gracePeriodSeconds);
    this.wanted.delete(pod);
    return true;
  }

  async #killContainer(which: number, code: number): Promise<boolean> {
    const { observer, simulator } = this.#node;
    const running = (await observer.containers()).filter(({ state }) => state === 'CONTAINER_RUNNING');
    const chosen = running[which % Math.max(1, running.length)];
    if (chosen) await simulator.killContainer(chosen.id, code);
    return chosen !== undefined;
  }

  async #killSandbox(which: number): Promise<boolean> {
    const { observer, simulator } = this.#node;
    const ready = (await observer.sandboxes()).filter(({ state }) => state === 'SANDBOX_READY');
    const chosen = ready[which % Math.max(1, ready.length)];
    if (chosen) await simulator.stopSandboxFromOutside(chosen.id);
    return chosen !== undefined;
  }

  #fault(fault: FaultSpec, lasts: number): void {
    const id = ++this.#lastFault;
    this.#faults.set(id, fault);
    this.#setFaults();
    this.#node.clock.schedule(lasts, () => {
      this.#faults.delete(id);
      this.#setFaults();
      if (fault.hang && this.#node.up) this.#node.nodeHost.debugger.runner.release();
    });
  }

  /** Sets the active faults on the server. A stopped server gets them when it starts. */
  #setFaults(): void {
    if (this.#node.up) this.#node.nodeHost.debugger.setFaults('chaos', [...this.#faults.values()]);
  }
}
