/**
 * Writes the pods that CRI calls show, as long as no source reports the pods of the node. Stops as soon as a source
 * reports them.
 */
import type { Pod } from '@podscope/k8s';
import type { EventPlace, EventWriter } from '../event-writer.ts';
import type { CallMessage, CallRecord } from '../inputs.ts';
import type { ContainerEvent } from './container-events.ts';
import { textAt } from './fields.ts';
import { type AnsweredCall, InferredPods } from './inferred-pods.ts';
import { listedItems, listedKind } from './lists.ts';
import type { ObjectRegistry } from './registry.ts';

/** How long the kubelet's `/pods` may take to answer before pods are inferred, in milliseconds. */
const podsTimeout = 5_000;

/** Splits the response to a list call into one answer for each object. A list doesn't show how a container exited. */
function itemsOf({
  method,
  result,
}: CallRecord): readonly { readonly method: string; readonly response: CallMessage }[] {
  const items = listedItems(method, result?.response);
  if (listedKind(method) === 'sandboxes')
    return items.map((status) => ({ method: 'PodSandboxStatus', response: { status } }));
  return items
    .filter((status) => textAt(status, 'state') !== 'CONTAINER_EXITED')
    .map((status) => ({ method: 'ContainerStatus', response: { status } }));
}

export class InferredNode {
  readonly #writer: EventWriter;
  readonly #registry: ObjectRegistry;
  readonly #pods = new InferredPods();
  #since: number | undefined;
  #isWriting = false;
  #isOver = false;

  constructor(writer: EventWriter, registry: ObjectRegistry) {
    this.#writer = writer;
    this.#registry = registry;
  }

  /** Returns the inferred pods; undefined if a source reports the pods. */
  current(): readonly Pod[] | undefined {
    return this.#isWriting ? this.#pods.current() : undefined;
  }

  /** Applies a call that ended. */
  ended(call: CallRecord): void {
    const { result, method, request } = call;
    if (this.#isOver || !result) return;
    this.#since ??= call.t;
    const { end, status, response = {} } = result;
    if (status === 0)
      for (const item of itemsOf(call))
        this.#apply({ ...item, request: {}, end }, textAt(item.response, 'status', 'id'));
    const pod = this.#registry.podOf(call);
    const container = this.#registry.containerOf(call);
    if (pod) this.#write({ method, request, response: status === 0 ? response : undefined, end, pod, container });
  }

  /** Applies the statuses in an event of the runtime. */
  event({ sandbox, containers }: ContainerEvent, end: number): void {
    if (this.#isOver) return;
    this.#since ??= end;
    const apply = (method: string, status: CallMessage): void =>
      this.#apply({ method, request: {}, response: { status }, end }, textAt(status, 'id'));
    if (sandbox) apply('PodSandboxStatus', sandbox);
    for (const status of containers) apply('ContainerStatus', status);
  }

  /** Forgets a pod that was deleted. */
  forget(uid: string): void {
    this.#pods.forget(uid);
  }

  #apply(call: Pick<AnsweredCall, 'method' | 'request' | 'response' | 'end'>, id: string): void {
    const object = this.#registry.get(id);
    if (!object) return;
    const container = object.name === 'POD' ? undefined : object;
    this.#write({ ...call, pod: object.pod, container });
  }

  #write(call: AnsweredCall): void {
    const changed = this.#pods.apply(call);
    if (changed && this.#isWriting) this.#emit(call.end, changed.operation, changed.pod);
  }

  #emit(at: number, operation: 'ADDED' | 'MODIFIED' | 'DELETED', pod: Pod): void {
    const { uid, name, namespace = '' } = pod.metadata;
    const place: EventPlace = { thread: 'kubelet', pod: { uid, name, namespace }, source: 'cri', inferred: true };
    this.#writer.emit(at, place, { type: 'podChanged', operation, object: { ...pod } });
    if (pod.status && operation !== 'DELETED')
      this.#writer.emit(at, place, { type: 'podStatus', status: { ...pod.status } });
  }

  /** Begins to write the pods if no source has reported them in time. */
  tick(now: number): void {
    if (this.#isWriting || this.#isOver || this.#since === undefined || now < this.#since + podsTimeout) return;
    this.#isWriting = true;
    for (const pod of this.#pods.current()) this.#emit(now, 'ADDED', pod);
  }

  /** Ends the inference, because a source reports the pods. Inferred pods that the source doesn't have are gone. */
  end(at: number, pods: readonly Pod[]): void {
    if (this.#isOver) return;
    const reported = new Set(pods.map(({ metadata }) => metadata.uid));
    if (this.#isWriting)
      for (const pod of this.#pods.current()) if (!reported.has(pod.metadata.uid)) this.#emit(at, 'DELETED', pod);
    this.#isOver = true;
    this.#isWriting = false;
  }
}
