/**
 * Measures in-place resizes when they are requested, decided and actuated. Upstream: pkg/kubelet/allocation,
 * kuberuntime (v1.36).
 */
import { type Pod, parseQuantity, quantityMilliValue } from '@podscope/k8s';
import type { TraceEvent, TraceEventOf } from '@podscope/trace';
import type { Meters } from './meters.ts';

type Resources = ReadonlyMap<string, Pod['spec']['containers'][number]['resources']>;

const milli = (quantity: string | number): number => quantityMilliValue(parseQuantity(quantity));

/** Returns the operation label of a resize. Upstream: recordContainerResizeOperations. */
function operationOf(
  before: string | number | undefined,
  after: string | number | undefined,
): 'add' | 'remove' | 'increase' | 'decrease' | undefined {
  if (before === undefined || after === undefined)
    return before === after ? undefined : before === undefined ? 'add' : 'remove';
  const difference = milli(after) - milli(before);
  return difference === 0 ? undefined : difference > 0 ? 'increase' : 'decrease';
}

/** Counts the resizes of one node. */
export class Resizes {
  readonly #meters: Meters;
  /** By pod UID, the resources that each container requested most recently. */
  readonly #asked = new Map<string, Resources>();
  /** UIDs of pods with a deferred resize, which waits until the node has enough resources. */
  readonly #deferred = new Set<string>();
  /** The trigger of the resize decision that is being made. */
  #trigger = '';

  constructor(meters: Meters) {
    this.#meters = meters;
  }

  observe(event: TraceEvent): void {
    const { pod } = event;
    if (pod === undefined) return;
    if (event.type === 'podChanged') this.#podChanged(pod, event);
    else if (event.type === 'spanStarted' && event.point === 'kubelet.allocateResize')
      this.#trigger = String(event.attributes['trigger']);
    else if (event.type === 'decision' && event.rule === 'allocation.resize') this.#decided(pod, event);
    else if (event.type === 'syncResult' && event.action === 'ResizePodInPlace') {
      this.#meters.resizeDuration.observe({ success: String(event.error === undefined) }, event.duration ?? 0);
    }
  }

  #podChanged(uid: string, { operation, object }: TraceEventOf<'podChanged'>): void {
    if (operation === 'DELETED') {
      this.#asked.delete(uid);
      this.#deferred.delete(uid);
      return;
    }
    const { containers = [] } = (object as { readonly spec?: Partial<Pod['spec']> }).spec ?? {};
    const asked: Resources = new Map(containers.map(({ name, resources }) => [name, resources]));
    const before = this.#asked.get(uid);
    this.#asked.set(uid, asked);
    if (!before) return;
    for (const [name, now] of asked) {
      for (const requirement of ['requests', 'limits'] as const) {
        for (const resource of ['cpu', 'memory'] as const) {
          const change = operationOf(before.get(name)?.[requirement]?.[resource], now?.[requirement]?.[resource]);
          if (change) this.#meters.requestedResizes.inc({ resource, requirement, operation: change });
        }
      }
    }
  }

  #decided(uid: string, { outcome }: TraceEventOf<'decision'>): void {
    if (outcome === 'Deferred') this.#deferred.add(uid);
    else if (this.#deferred.delete(uid)) this.#meters.deferredResizes.inc({ retry_trigger: this.#trigger });
  }
}
