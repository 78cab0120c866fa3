/**
 * Stores the last result of each container's probe, for probes of one type. Upstream: pkg/kubelet/prober/results
 * (v1.36).
 */
import { type ContainerID, formatContainerID, type ProbeResult, type ProbeResults } from '@podscope/kuberuntime';

/** A changed probe result. */
export interface ProbeUpdate {
  readonly uid: string;
  readonly id: ContainerID;
  readonly result: ProbeResult;
}

/** Stores results by container id and calls a function for each change. */
export class ResultsManager implements ProbeResults {
  readonly #results = new Map<string, ProbeResult>();
  readonly #onChange: (update: ProbeUpdate) => void;

  constructor(onChange: (update: ProbeUpdate) => void) {
    this.#onChange = onChange;
  }

  get(id: ContainerID): ProbeResult | undefined {
    return this.#results.get(formatContainerID(id));
  }

  /** Stores a result. Calls the function if the result differs from the stored one. */
  set(id: ContainerID, result: ProbeResult, uid: string): void {
    const key = formatContainerID(id);
    if (this.#results.get(key) === result) return;
    this.#results.set(key, result);
    this.#onChange({ uid, id, result });
  }

  remove(id: ContainerID): void {
    this.#results.delete(formatContainerID(id));
  }
}
