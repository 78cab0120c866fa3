/**
 * Derives facts about the node from the calls: whether the network is ready, and which log files its containers left.
 * Upstream: Kubelet.updateRuntimeUp, calcRestartCountByLogDir (v1.36 and v1.20).
 */
import type { CallMessage, CallRecord } from '../inputs.ts';
import { listAt, numberAt, objectAt, textAt } from './fields.ts';
import type { PodName } from './registry.ts';

interface LogFile {
  readonly uid: string;
  readonly container: string;
  readonly attempt: number;
  readonly from: number;
  /** When the container was removed; undefined if it wasn't. */
  removedAt: number | undefined;
  /** When the last sandbox of the pod was removed after the container was created; undefined if it wasn't. */
  sandboxesRemovedAt: number | undefined;
  /** True if the kubelet removed the container without its log file. */
  isKept: boolean;
}

/**
 * Number of log files that are kept, the newest first. Not only the newest is needed, because a sync is judged some
 * seconds after its start.
 */
const keptLogs = 5_000;

/** Returns false if the answer of Status says that the network isn't ready. */
const isNetworkReady = (response: CallMessage | undefined): boolean =>
  listAt(objectAt(response, 'status'), 'conditions').every(
    ({ type, status }) => type !== 'NetworkReady' || status === true,
  );

export class NodeFacts {
  /** The changes of the network's state, in order. */
  readonly #network: { readonly at: number; readonly ready: boolean }[] = [];
  /** The log files of the observed containers, by container id. */
  readonly #logs = new Map<string, LogFile>();

  /** Applies an answered call. */
  answered({ method, request, result }: CallRecord, pod: PodName | undefined): void {
    if (result?.status !== 0) return;
    const { response, end } = result;
    if (method === 'Status') {
      const ready = isNetworkReady(response);
      if (ready !== (this.#network.at(-1)?.ready ?? true)) this.#network.push({ at: end, ready });
    } else if (method === 'CreateContainer' && pod) {
      const metadata = objectAt(request, 'config', 'metadata');
      const [container, attempt] = [textAt(metadata, 'name'), numberAt(metadata, 'attempt')];
      this.#logs.set(textAt(response, 'containerId'), {
        uid: pod.uid,
        container,
        attempt,
        from: end,
        removedAt: undefined,
        sandboxesRemovedAt: undefined,
        isKept: false,
      });
      const oldest = this.#logs.size > keptLogs ? this.#logs.keys().next().value : undefined;
      if (oldest !== undefined) this.#logs.delete(oldest);
    } else if (method === 'RemoveContainer') {
      const log = this.#logs.get(textAt(request, 'containerId'));
      if (log) log.removedAt ??= end;
    }
  }

  /**
   * Records that a pod has no sandbox left. The garbage collection that removes the last sandbox of a deleted pod
   * removes the pod's log directory, too. Sandboxes that a pod no longer uses are also collected, but their directory
   * stays.
   */
  sandboxesRemoved(uid: string, at: number): void {
    for (const log of this.#logs.values()) if (log.uid === uid) log.sandboxesRemovedAt ??= at;
  }

  /**
   * Records that the kubelet kept the log file of a container that it removed. This is known some seconds after the
   * removal, when the sync is judged.
   */
  logKept(container: string): void {
    const log = this.#logs.get(container);
    if (log) log.isKept = true;
  }

  /** Returns false if the newest answer of Status before a time says that the network isn't ready. */
  networkReadyAt(time: number): boolean {
    return this.#network.findLast(({ at }) => at <= time)?.ready ?? true;
  }

  /**
   * Returns the log files that the observed containers of a pod had left at a given time: for each container name, the
   * number of the newest file.
   */
  logsOf(uid: string, time: number): ReadonlyMap<string, number> {
    const newest = new Map<string, number>();
    for (const { uid: owner, container, attempt, from, isKept, removedAt, sandboxesRemovedAt } of this.#logs.values()) {
      const until = isKept ? sandboxesRemovedAt : removedAt;
      if (owner === uid && from <= time && (until === undefined || until > time))
        newest.set(container, Math.max(attempt, newest.get(container) ?? attempt));
    }
    return newest;
  }
}
