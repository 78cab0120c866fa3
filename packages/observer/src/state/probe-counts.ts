/**
 * Stores how often each probe succeeded and failed, as the kubelet's metric `prober_probe_total` counts it. No CRI call
 * shows the results of `httpGet`, `tcpSocket` and `grpc` probes. Upstream: worker.doProbe (prober, v1.36 and v1.20).
 */

/** The attempts of one probe until now. */
export interface ProbeCount {
  readonly probe: 'startup' | 'readiness' | 'liveness';
  /** UID of the pod. */
  readonly uid: string;
  readonly container: string;
  readonly successful: number;
  readonly failed: number;
}

/** Counts that several answers in a row showed. */
interface Entry {
  readonly successful: number;
  readonly failed: number;
  /** The time of the first answer. */
  readonly at: number;
  /** The time of the newest answer. */
  until: number;
}

/** The number of different counts that are kept for each probe. */
const kept = 100;

const keyOf = ({ uid, container, probe }: Pick<ProbeCount, 'uid' | 'container' | 'probe'>): string =>
  [uid, container, probe].join('/');

export class ProbeCounts {
  readonly #entries = new Map<string, Entry[]>();
  /** The time of the newest answer. */
  #newest: number | undefined;

  /** Applies an answer, which has the counts of all probes of the node. */
  apply(at: number, counts: readonly ProbeCount[]): void {
    for (const count of counts) this.#add(keyOf(count), at, count);
    this.#newest = at;
  }

  #add(key: string, at: number, { successful, failed }: ProbeCount): void {
    const entries = this.#entries.get(key) ?? [];
    this.#entries.set(key, entries);
    const last = entries.at(-1);
    // A kubelet that restarts counts from 0 again.
    if (last && (last.successful > successful || last.failed > failed)) entries.length = 0;
    // The metric exists from the first attempt on, so an earlier answer without it means 0.
    else if (!last && this.#newest !== undefined)
      entries.push({ successful: 0, failed: 0, at: this.#newest, until: this.#newest });
    const newest = entries.at(-1);
    if (newest?.successful === successful && newest.failed === failed) newest.until = at;
    else entries.push({ successful, failed, at, until: at });
    if (entries.length > kept) entries.splice(0, kept / 2);
  }

  /**
   * Returns how often a probe had failed without a success in between, between the start of its container and a time;
   * undefined if no answer after that time has the probe.
   */
  failures(
    probe: Pick<ProbeCount, 'uid' | 'container' | 'probe'>,
    startedAt: number,
    time: number,
  ): number | undefined {
    const entries = this.#entries.get(keyOf(probe)) ?? [];
    const index = entries.findIndex(({ until }) => until >= time);
    const shown = entries[index];
    if (!shown) return undefined;
    const run = entries.slice(0, index + 1);
    const atStart = run.findLastIndex(({ at }) => at <= startedAt);
    const success = run.findLastIndex(({ successful }) => successful !== shown.successful);
    // The answer that first shows a success may also show failures from before it.
    const base = run[Math.max(atStart, success + 1, 0)];
    return shown.failed - (base?.failed ?? 0);
  }

  /** Forgets the probes of a pod. */
  forget(uid: string): void {
    for (const key of this.#entries.keys()) if (key.startsWith(`${uid}/`)) this.#entries.delete(key);
  }
}
